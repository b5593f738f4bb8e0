import { VehiError } from '../../lib/errors.ts';
import { compact } from '../../lib/lists.ts';
import { describeScope } from '../content/price-scope.ts';
import { showsPrices } from '../grade.ts';
import { type Cell, explainMissing, writeCsv } from './csv.ts';
import type { Formatter } from './format.ts';

const COLUMNS = [
  'record',
  'number',
  'line_id',
  'group',
  'operation',
  'part',
  'because_of',
  'quantity',
  'department',
  'hours',
  'rate_per_hour',
  'labor',
  'price',
  'part_source',
  'amount',
  'tax_class',
  'taxable',
  'currency',
  'counted_in',
  'share_of_jobs',
  'set_by',
  'basis',
  'note',
  'source',
] as const;
type Row = { readonly record: 'line' | 'total' | 'note' } & {
  readonly [name in (typeof COLUMNS)[number]]?: Cell;
};

const writeRows = (rows: readonly Row[]) =>
  writeCsv(
    COLUMNS,
    rows.map((row) => COLUMNS.map((name) => row[name])),
  );

/** Header-only CSV for a repair without line items. */
export const NO_LINES_CSV = writeRows([]);

/**
 * Renders one row per line item (`record` "line"), then the totals with tax ("total") and the scope of the estimate
 * ("note"); only the header for a vehicle without damage, and the reason of a failed inspection as a note. RFC 4180,
 * UTF-8, CRLF.
 * @throws VehiError usage for damage without an assessment
 */
export const formatLinesCsv: Formatter = ({ inspection, assessment }) => {
  if (assessment === null) {
    if (inspection?.data.results === null)
      return writeRows([{ record: 'note', note: explainMissing(inspection.data) }]);
    if (inspection?.data.results.damages.length === 0) return NO_LINES_CSV;
    const hint = showsPrices(inspection)
      ? 'Price the damages: vehi assess, or vehi inspect --assess.'
      : 'The photos show several vehicles. Divide them with --sort FOLDER, then vehi inspect --many FOLDER --assess.';
    const message = 'the format lines needs an estimate, and there is none.';
    throw new VehiError('usage', 'FORMAT_NEEDS_ESTIMATE', message, { hint });
  }
  const { summary, estimate } = assessment.data;
  const { adjusted_total: net, tax } = summary.repair_cost_summary;
  const total = { record: 'total', currency: assessment.meta.currency } as const;
  const rows = compact<Row>([
    ...estimate.lines.map(({ note, reason, ...line }) => ({
      ...line,
      record: 'line' as const,
      note: reason === undefined ? note : `${note}; ${reason}`,
    })),
    { ...total, part: 'net total', amount: net.estimated, note: `as seen, ${net.min} to ${net.max}` },
    tax && {
      ...total,
      part: `${tax.name} ${tax.rate_percentage} %`,
      taxable: tax.taxable,
      amount: tax.amount,
    },
    { ...total, part: 'gross total', amount: tax?.gross_total ?? net.estimated },
    { record: 'note', note: describeScope(assessment) },
  ]);
  return writeRows(rows);
};
