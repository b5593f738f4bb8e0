import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { EstimateLine } from '../../contract/assessment/lines.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { groupBy, sumBy } from '../../lib/lists.ts';
import { ABSENT, formatHours, formatMoney, formatPercent } from '../figures.ts';
import { listFindings, listPhotoNumbers } from '../finding-rows.ts';
import { english, type Say } from '../say.ts';
import {
  describeDepartment,
  describeLine,
  describePart,
  endSentence,
  humanise,
  OPERATION_WORDS,
} from '../words.ts';
import {
  type Block,
  type ColumnOf,
  makeHeading,
  makeParagraph,
  makeTable,
  type Row,
  type Section,
  tabulate,
} from './blocks.ts';

/** A column of the line items; sums find theirs by id. */
type LineColumn = ColumnOf<EstimateLine> & { readonly id: string };

/** Selects the columns of the line items; optional columns without content are omitted. */
function chooseColumns(
  { data }: AssessmentEnvelope,
  listPhotos: (line: EstimateLine) => string,
  say: Say,
): readonly LineColumn[] {
  const { lines } = data.estimate;
  const isKept = (line: EstimateLine) => line.counted_in !== 'none';
  const money = (amount: number, { currency }: EstimateLine) => say.figure(formatMoney(amount, currency));
  const hours = (line: EstimateLine, isPaint: boolean) =>
    isKept(line) && (line.department === 'refinish') === isPaint
      ? say.figure(formatHours(line.hours))
      : ABSENT;
  const right = { align: 'right' } as const;
  const columns: readonly (LineColumn | false)[] = [
    { id: 'number', title: say`No.`, share: 7, ...right, cell: (line) => `${line.number}${markLine(line)}` },
    { id: 'operation', title: say`Op.`, share: 7, cell: ({ operation }) => operation },
    { id: 'part', title: say`Part`, share: 32, cell: (line) => describeLinePart(line, say) },
    lines.some(({ quantity }) => quantity !== undefined) && {
      id: 'quantity',
      title: say`Qty`,
      share: 6,
      ...right,
      cell: ({ quantity }) => String(quantity ?? ''),
    },
    lines.some((line) => listPhotos(line) !== '') && {
      id: 'photo',
      title: say`Photo`,
      share: 11,
      ...right,
      cell: listPhotos,
    },
    { id: 'labor', title: say`Labor h`, share: 9, ...right, cell: (line) => hours(line, false) },
    { id: 'paint', title: say`Paint h`, share: 9, ...right, cell: (line) => hours(line, true) },
    {
      id: 'price',
      title: say`Price`,
      share: 13,
      ...right,
      cell: (line) => (isKept(line) && line.price ? money(line.price, line) : ABSENT),
    },
    data.summary.repair_cost_summary.tax?.base === 'parts_and_materials' && {
      id: 'tax',
      title: say`Tax on`,
      share: 9,
      cell: (line) => (isKept(line) ? describeTaxed(line, say) : ABSENT),
    },
    {
      id: 'amount',
      title: say`Amount`,
      share: 14,
      ...right,
      cell: (line) => (isKept(line) ? money(line.amount, line) : say`removed`),
    },
  ];
  return columns.filter((one) => one !== false);
}

/** Returns true for an operation needed on some such jobs that no user has accepted or refused. */
const isExpected = ({ group, counted_in, computed }: EstimateLine) =>
  group === 'expected' && counted_in !== 'total' && computed === undefined;

/**
 * Builds the estimate's line items.
 * @param onPaper adds subtotals below the lines, which a terminal shows earlier; `customary` groups them by parts, labor,
 * paint and other costs, as in Germany and France
 */
export function writeLines(
  assessment: AssessmentEnvelope,
  inspection: InspectionEnvelope | null,
  onPaper?: { readonly isCustomary: boolean },
  say: Say = english,
): Section {
  const { lines } = assessment.data.estimate;
  const expected = lines.filter(isExpected);
  const findings = inspection === null ? [] : listFindings(inspection.data);
  const columns = chooseColumns(
    assessment,
    ({ damage_ids: ids }) =>
      listPhotoNumbers(findings.filter((finding) => ids.includes(finding.damage_id))).join(', '),
    say,
  );
  const makeSumRow = ({ words, bold = false, figures }: Sum): Row => ({
    bold,
    cells: columns.map(({ id }) => (id === 'part' ? words : (figures[id] ?? ''))),
  });
  const expect = (counted: EstimateLine['counted_in'], title: string) =>
    makeExpectedTable(
      title,
      expected.filter((line) => line.counted_in === counted),
      say,
    );
  return {
    id: 'lines',
    title: say`Lines of the estimate`,
    blocks: [
      makeTable(columns, [
        ...makeLineRows(
          lines.filter((line) => !isExpected(line)),
          columns,
          say,
        ),
        ...(onPaper ? listSubtotals(assessment, onPaper.isCustomary, say) : []).map(makeSumRow),
        ...listTotals(assessment, say).map(makeSumRow),
      ]),
      makeParagraph(
        `${say`* judgment time, or set by a person; # added by a person; OEM new, A/M aftermarket, LKQ used part.`} ${explainOperations(lines, say)}.`,
        'soft',
      ),
      ...expect('range', say`Expected with this repair, counted in the first bill by how often it is needed`),
      ...expect(
        'none',
        say`Sometimes needed with such a repair, not counted: this damage does not show what lies behind`,
      ),
    ],
  };
}

/** Formats the legend of the operation codes of the lines. */
function explainOperations(lines: readonly EstimateLine[], say: Say): string {
  const codes = [...new Set(lines.map(({ operation }) => operation))];
  return codes
    .flatMap((code) => {
      const words = say.operation(code) ?? OPERATION_WORDS[code];
      return words === undefined ? [] : [`${code} ${words}`];
    })
    .join(', ');
}

const SOURCE_MARKS: Readonly<Record<string, string>> = { oem: 'OEM', aftermarket: 'A/M', recycled: 'LKQ' };

/** Groups the line items by panel under a heading each, with whole-vehicle operations last. */
function makeLineRows(lines: readonly EstimateLine[], columns: readonly LineColumn[], say: Say): Row[] {
  return lines.flatMap((line, i) => {
    const before = lines[i - 1];
    const { because_of: because } = line;
    const name = because === undefined ? say`Whole vehicle` : describePart(because, say);
    const isFirst = before === undefined || before.because_of !== because;
    const cells = columns.map(({ id }) => (id === 'part' ? name : ''));
    return [
      ...(isFirst ? [{ bold: true, isGroupHeading: true, cells }] : []),
      makeLineRow(line, columns, say),
    ];
  });
}

function markLine({ group, basis, set_by }: EstimateLine): string {
  if (group === 'added') return ' #';
  return set_by === 'person' || basis === 'judgement' ? ' *' : '';
}

/** Formats the part of a line item with its source. */
function describeLinePart(line: EstimateLine, say: Say): string {
  const { part, operation, department, group, part_source: source, note, overlap_hours: overlap } = line;
  // Clear coat and colour stages apply to all painted panels, although the line item carries a single panel.
  const subject = group === 'refinish' && operation !== 'Blnd' ? 'painted_panels' : part;
  const isSpot = operation === 'Rpr' && department === 'refinish';
  return [
    describePart(subject, say),
    ...(isSpot ? [say`spot repair`] : []),
    // The overlap deduction from a panel's base time, printed as estimating systems do.
    ...(overlap === undefined ? [] : [say.stored(note)]),
    ...(source !== null && SOURCE_MARKS[source] !== undefined ? [SOURCE_MARKS[source]] : []),
  ].join(', ');
}

function describeTaxed({ taxable, amount, tax_class: taxClass }: EstimateLine, say: Say): string {
  if (taxable === 0) return say`none`;
  return taxable === amount ? say`all` : say.word(humanise(taxClass).toLowerCase());
}

function makeLineRow(line: EstimateLine, columns: readonly LineColumn[], say: Say): Row {
  const removed = line.counted_in === 'none';
  const notes = [
    removed ? say`Removed; it was ${say.figure(formatMoney(line.amount, line.currency))}.` : '',
    !removed && line.computed ? `${say`Computed`}: ${describeComputed(line, say)}.` : '',
    line.reason ? endSentence(say`Reason: ${line.reason}`) : '',
  ].filter(Boolean);
  return {
    cells: columns.map(({ cell }) => cell(line)),
    ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
  };
}

function describeComputed({ computed, hours, price, currency }: EstimateLine, say: Say): string {
  if (computed === undefined) return '';
  if (computed.counted_in === 'range') return say`expected, and accepted by a person`;
  return [
    ...(computed.hours === hours ? [] : [say.figure(`${computed.hours.toFixed(1)} h`)]),
    ...(computed.price === (price ?? computed.price)
      ? []
      : [say.figure(formatMoney(computed.price, currency))]),
  ].join(', ');
}

/** Builds the table of operations that such a repair often brings, with the share of jobs; none without rows. */
function makeExpectedTable(title: string, lines: readonly EstimateLine[], say: Say): readonly Block[] {
  if (lines.length === 0) return [];
  const money = (amount: number, { currency }: EstimateLine) => say.figure(formatMoney(amount, currency));
  const table = tabulate<EstimateLine>(
    [
      { title: say`No.`, share: 6, align: 'right', cell: ({ number }) => String(number) },
      { title: say`Op.`, share: 8, cell: ({ operation }) => operation },
      { title: say`Part`, share: 46, cell: (line) => describeLine(line, say) },
      { title: say`Hours`, share: 8, align: 'right', cell: ({ hours }) => say.figure(formatHours(hours)) },
      {
        title: say`Price`,
        share: 12,
        align: 'right',
        cell: (line) => (line.price ? money(line.price, line) : ABSENT),
      },
      { title: say`Amount`, share: 12, align: 'right', cell: (line) => money(line.amount, line) },
      {
        title: say`Of jobs`,
        share: 8,
        align: 'right',
        cell: (line) => say.figure(formatPercent(line.share_of_jobs)),
      },
    ],
    lines,
  );
  return [makeHeading(title), table];
}

/** A sum below the line items, with figures keyed by column id. */
interface Sum {
  readonly words: string;
  readonly bold?: boolean;
  readonly figures: Readonly<Record<string, string>>;
}

/** Customary subtotal groups: parts, labor, paint including materials, other costs. */
const BLOCKS: Readonly<Record<string, string>> = {
  parts: 'Parts',
  refinish: 'Paint',
  materials: 'Paint',
  sublet: 'Other costs',
  fees: 'Other costs',
};

/** Computes the subtotals with hours: by department, or by the customary groups. */
function listSubtotals({ data, meta }: AssessmentEnvelope, isCustomary: boolean, say: Say): readonly Sum[] {
  const groups = groupBy(data.summary.repair_cost_summary.departments, ({ department }) =>
    isCustomary ? say.word(BLOCKS[department] ?? 'Labor') : describeDepartment(department, say),
  );
  return [...groups].map(([name, rows]) => {
    const worked = rows.filter(({ department }) => department !== 'materials');
    const count = (isPaint: boolean) => {
      const own = worked.filter(({ department }) => (department === 'refinish') === isPaint);
      const hours = sumBy(own, (row) => row.hours);
      return hours === 0 ? '' : say.figure(formatHours(hours));
    };
    const money = (amount: number) => say.figure(formatMoney(amount, meta.currency));
    const rates = new Set(rows.flatMap(({ rate_per_hour: rate }) => rate ?? []));
    return {
      words: [name, ...[...rates].map((rate) => `${money(rate)}/h`)].join(', '),
      figures: { labor: count(false), paint: count(true), amount: money(sumBy(rows, ({ total }) => total)) },
    };
  });
}

function listTotals({ data, meta }: AssessmentEnvelope, say: Say): Sum[] {
  const { adjusted_total: total, tax, first_bill_gross: gross } = data.summary.repair_cost_summary;
  const sum = (words: string, amount: number, bold = true): Sum => ({
    words,
    bold,
    figures: { amount: say.figure(formatMoney(amount, meta.currency)) },
  });
  return [
    sum(say`As seen, net`, total.estimated),
    ...(tax
      ? [sum(`${say.word(humanise(tax.name))}, ${say.figure(`${tax.rate_percentage} %`)}`, tax.amount, false)]
      : []),
    sum(tax ? say`As seen, gross` : say`As seen, no tax here`, tax?.gross_total ?? total.estimated),
    sum(tax ? say`First bill, gross` : say`First bill, no tax here`, gross),
  ];
}
