import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { EstimateLine } from '../../contract/assessment/lines.ts';
import type { Result } from '../../contract/result.ts';
import { VehiError } from '../../lib/errors.ts';
import { describeScope } from '../headline.ts';
import { writeCsvCell } from './csv.ts';
import type { Formatter } from './format.ts';

/**
 * Returns the assessment whose line items are exported.
 * @throws VehiError usage without an assessment or without line items
 */
function requireAssessment({ assessment }: Result, kind: string): AssessmentEnvelope {
  if (assessment?.data.estimate.lines !== undefined) return assessment;
  throw new VehiError(
    'usage',
    'FORMAT_NEEDS_ESTIMATE',
    `${kind} is the lines of an estimate, and there is none.`,
    {
      hint: 'Price the damages: vehi assess, or vehi inspect --assess.',
    },
  );
}

type Cell = string | number | null | undefined;
const COLUMNS: Readonly<Record<string, (line: EstimateLine) => Cell>> = {
  number: (line) => line.number,
  line_id: (line) => line.line_id,
  group: (line) => line.group,
  operation: (line) => line.operation,
  part: (line) => line.part,
  because_of: (line) => line.because_of,
  quantity: (line) => line.quantity,
  department: (line) => line.department,
  hours: (line) => line.hours,
  rate_per_hour: (line) => line.rate_per_hour,
  labor: (line) => line.labor,
  price: (line) => line.price,
  part_source: (line) => line.part_source,
  amount: (line) => line.amount,
  tax_class: (line) => line.tax_class,
  taxable: (line) => line.taxable,
  currency: (line) => line.currency,
  counted_in: (line) => line.counted_in,
  share_of_jobs: (line) => line.share_of_jobs,
  set_by: (line) => line.set_by,
  basis: (line) => line.basis,
  note: (line) => (line.reason === undefined ? line.note : `${line.note}; ${line.reason}`),
  source: (line) => line.source,
};

const HEAD = ['record', ...Object.keys(COLUMNS)];

/** Header-only CSV for a repair without line items. */
export const NO_LINES_CSV = `${HEAD.join(',')}\r\n`;

/**
 * Renders one row per line item (`record` "line"), then the totals with tax ("total") and the scope of the estimate
 * ("note"). RFC 4180, UTF-8, CRLF.
 */
export const formatLinesCsv: Formatter = (input) => {
  const assessment = requireAssessment(input, 'lines');
  const { data } = assessment;
  const { estimate } = data;
  const row = (record: string, cells: Readonly<Record<string, Cell>>) => [
    record,
    ...Object.keys(COLUMNS).map((name) => cells[name]),
  ];
  const { currency } = assessment.meta;
  const { net, low, high, tax, gross } = presentTotals(assessment);
  const rows = [
    ...estimate.lines.map((line) =>
      row('line', Object.fromEntries(Object.entries(COLUMNS).map(([name, cell]) => [name, cell(line)]))),
    ),
    row('total', { part: 'net total', amount: net, currency, note: `as seen, ${low} to ${high}` }),
    ...(tax
      ? [
          row('total', {
            part: `${tax.name} ${tax.rate_percentage} %`,
            taxable: tax.taxable,
            amount: tax.amount,
            currency,
          }),
        ]
      : []),
    row('total', { part: 'gross total', amount: gross, currency }),
    row('note', { note: describeScope(assessment) }),
  ];
  return [HEAD, ...rows].map((cells) => `${cells.map(writeCsvCell).join(',')}\r\n`).join('');
};

function presentTotals({ data }: AssessmentEnvelope) {
  const { adjusted_total: total, tax } = data.summary.repair_cost_summary;
  return {
    net: total.estimated,
    low: total.min,
    high: total.max,
    tax,
    gross: tax?.gross_total ?? total.estimated,
  };
}
