import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { EstimateLine } from '../../contract/assessment/lines.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { ABSENT, formatHours, formatMoney, formatPercent } from '../figures.ts';
import { listFindings, listPhotoNumbers } from '../finding-rows.ts';
import { english, type Say } from '../say.ts';
import { describeDepartment, describePart, endSentence, humanise, OPERATION_WORDS } from '../words.ts';
import { type Column, makeHeading, makeParagraph, makeTable, type Row, type Section } from './blocks.ts';

/** A column of the line items with its cell renderer; sums find theirs by id. */
interface LineColumn extends Column {
  readonly id: string;
  readonly cell: (line: EstimateLine) => string;
}

/** Selects the columns of the line items; optional columns without content are omitted. */
function chooseColumns(
  { data }: AssessmentEnvelope,
  listPhotos: (line: EstimateLine) => string,
  say: Say,
): readonly LineColumn[] {
  const { lines } = data.estimate;
  const isKept = (line: EstimateLine) => line.counted_in !== 'none';
  const hours = (line: EstimateLine, isPaint: boolean) =>
    isKept(line) && (line.department === 'refinish') === isPaint
      ? say.figure(formatHours(line.hours))
      : ABSENT;
  const quantity: LineColumn = {
    id: 'quantity',
    title: say`Qty`,
    share: 6,
    align: 'right',
    cell: ({ quantity: count }) => String(count ?? ''),
  };
  const photo: LineColumn = {
    id: 'photo',
    title: say`Photo`,
    share: 11,
    align: 'right',
    cell: listPhotos,
  };
  const tax: LineColumn = {
    id: 'tax',
    title: say`Tax on`,
    share: 9,
    cell: (line) => (isKept(line) ? describeTaxed(line, say) : ABSENT),
  };
  return [
    {
      id: 'number',
      title: say`No.`,
      share: 7,
      align: 'right',
      cell: (line) => `${line.number}${markLine(line)}`,
    },
    { id: 'operation', title: say`Op.`, share: 7, cell: ({ operation }) => operation },
    { id: 'part', title: say`Part`, share: 32, cell: (line) => describeLinePart(line, say) },
    ...(lines.some(({ quantity: count }) => count !== undefined) ? [quantity] : []),
    ...(lines.some((line) => listPhotos(line) !== '') ? [photo] : []),
    { id: 'labor', title: say`Labor h`, share: 9, align: 'right', cell: (line) => hours(line, false) },
    { id: 'paint', title: say`Paint h`, share: 9, align: 'right', cell: (line) => hours(line, true) },
    {
      id: 'price',
      title: say`Price`,
      share: 13,
      align: 'right',
      cell: (line) =>
        isKept(line) && line.price ? say.figure(formatMoney(line.price, line.currency)) : ABSENT,
    },
    ...(data.summary.repair_cost_summary.tax?.base === 'parts_and_materials' ? [tax] : []),
    {
      id: 'amount',
      title: say`Amount`,
      share: 14,
      align: 'right',
      cell: (line) => (isKept(line) ? say.figure(formatMoney(line.amount, line.currency)) : say`removed`),
    },
  ];
}

const listExpectedColumns = (say: Say): readonly Column[] => [
  { title: say`No.`, share: 6, align: 'right' },
  { title: say`Op.`, share: 8 },
  { title: say`Part`, share: 46 },
  { title: say`Hours`, share: 8, align: 'right' },
  { title: say`Price`, share: 12, align: 'right' },
  { title: say`Amount`, share: 12, align: 'right' },
  { title: say`Of jobs`, share: 8, align: 'right' },
];

const EXPECTED_TABLES = [
  {
    counted: 'range',
    title: 'Expected with this repair, counted in the first bill by how often it is needed',
  },
  {
    counted: 'none',
    title: 'Sometimes needed with such a repair, not counted: this damage does not show what lies behind',
  },
] as const;

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
      makeParagraph(`${sayMarks(say)} ${explainOperations(lines, say)}.`, 'soft'),
      ...EXPECTED_TABLES.flatMap(({ counted, title }) => {
        const rows = expected.filter((line) => line.counted_in === counted);
        if (rows.length === 0) return [];
        const table = makeTable(
          listExpectedColumns(say),
          rows.map((line) => makeExpectedRow(line, say)),
        );
        return [makeHeading(say.word(title)), table];
      }),
    ],
  };
}

const sayMarks = (say: Say): string =>
  say`* judgment time, or set by a person; # added by a person; OEM new, A/M aftermarket, LKQ used part.`;

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

function makeExpectedRow(line: EstimateLine, say: Say): Row {
  const { number, operation, part, because_of: because, hours, price, amount, currency } = line;
  const name = describePart(part, say);
  return {
    cells: [
      String(number),
      operation,
      because === undefined || because === part ? name : `${name} (${describePart(because, say)})`,
      say.figure(formatHours(hours)),
      price ? say.figure(formatMoney(price, currency)) : ABSENT,
      say.figure(formatMoney(amount, currency)),
      say.figure(formatPercent(line.share_of_jobs)),
    ],
  };
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

const NO_SUM = { amount: 0, labor: 0, paint: 0 } as const;

/** Computes the subtotals with hours: by department, or by the customary groups. */
function listSubtotals({ data, meta }: AssessmentEnvelope, isCustomary: boolean, say: Say): Sum[] {
  const sums = new Map<string, { amount: number; labor: number; paint: number; rates: Set<number> }>();
  for (const row of data.summary.repair_cost_summary.departments) {
    const { department, hours, total, rate_per_hour: rate } = row;
    const name = isCustomary ? say.word(BLOCKS[department] ?? 'Labor') : describeDepartment(department, say);
    const { amount, labor, paint, rates } = sums.get(name) ?? { ...NO_SUM, rates: new Set() };
    const worked = department === 'materials' ? 0 : hours;
    const isPaint = department === 'refinish';
    sums.set(name, {
      amount: amount + total,
      labor: labor + (isPaint ? 0 : worked),
      paint: paint + (isPaint ? worked : 0),
      rates: rate === null ? rates : rates.add(rate),
    });
  }
  const count = (hours: number) => (hours === 0 ? '' : say.figure(formatHours(hours)));
  const each = (rate: number) => `${say.figure(formatMoney(rate, meta.currency))}/h`;
  return [...sums].map(([name, { amount, labor, paint, rates }]) => ({
    words: [name, ...[...rates].map(each)].join(', '),
    figures: {
      labor: count(labor),
      paint: count(paint),
      amount: say.figure(formatMoney(amount, meta.currency)),
    },
  }));
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
