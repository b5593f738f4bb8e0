import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { EstimateLine, Supplement } from '../../contract/assessment/lines.ts';
import type { Settlement } from '../../contract/assessment/settlement.ts';
import { defined } from '../../lib/defined.ts';
import { ABSENT, formatHours, formatMoney } from '../figures.ts';
import {
  describeDepartment,
  describeLine,
  describePart,
  describeSupplementLine,
  humanise,
} from '../words.ts';
import {
  type Block,
  type Column,
  makeHeading,
  makeParagraph,
  makeTable,
  type Row,
  type Section,
} from './blocks.ts';
import { ENGLISH, type TradeWords } from './trade-words.ts';

const COLUMNS: readonly Column[] = [
  { title: 'No.', share: 7, align: 'right' },
  { title: 'Op.', share: 7 },
  { title: 'Part', share: 32 },
  { title: 'Labour h', share: 9, align: 'right' },
  { title: 'Paint h', share: 9, align: 'right' },
  { title: 'Price', share: 13, align: 'right' },
  { title: 'Tax on', share: 9 },
  { title: 'Amount', share: 14, align: 'right' },
];

const EXPECTED_COLUMNS: readonly Column[] = [
  { title: 'No.', share: 6, align: 'right' },
  { title: 'Op.', share: 8 },
  { title: 'Part', share: 46 },
  { title: 'Hours', share: 8, align: 'right' },
  { title: 'Price', share: 12, align: 'right' },
  { title: 'Amount', share: 12, align: 'right' },
  { title: 'Of jobs', share: 8, align: 'right' },
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

/** Returns whether a line stands on some such jobs, and no person has accepted or refused it. */
const isExpected = ({ group, counted_in, computed }: EstimateLine) =>
  group === 'expected' && counted_in !== 'total' && computed === undefined;

/**
 * Returns the estimate line by line, what a supplement changes, and who pays what.
 * @param onPaper the words of the region; with them the subtotals follow the lines. A terminal has these before, in English.
 */
export function writeLines(assessment: AssessmentEnvelope, onPaper?: TradeWords): Section {
  const trade = onPaper ?? ENGLISH;
  const { estimate, summary } = assessment.data;
  const { lines, version } = estimate;
  const expected = lines.filter(isExpected);
  const rest = lines.filter((line) => !isExpected(line));
  const columns = COLUMNS.map((one) => ({ ...one, title: trade.say(one.title) }));
  return {
    id: 'lines',
    title: `${trade.say('Lines of the estimate')}, ${version === 'E01' ? 'estimate of record E01' : `supplement ${version}`}`,
    blocks: [
      makeTable(columns, [
        ...makeLineRows(rest),
        ...(onPaper ? makeSubtotalRows(assessment, onPaper) : []),
        ...makeTotalRows(assessment, trade),
      ]),
      makeParagraph(`${MARKS}${trade.explain(lines.map(({ operation }) => operation))}.`, 'soft'),
      ...EXPECTED_TABLES.flatMap(({ counted, title }) => {
        const rows = expected.filter((line) => line.counted_in === counted).map(makeExpectedRow);
        return rows.length === 0 ? [] : [makeHeading(title), makeTable(EXPECTED_COLUMNS, rows)];
      }),
      ...writeSupplementBlocks(estimate.supplement, version),
      ...writeSettlementBlocks(summary.settlement),
    ],
  };
}

const MARKS =
  '* judgement time, or set by a person; # added by a person; OEM new, A/M aftermarket, LKQ used part. ';
const SOURCE_MARKS: Readonly<Record<string, string>> = { oem: 'OEM', aftermarket: 'A/M', recycled: 'LKQ' };

/** Returns the lines panel by panel, each panel under its name, and what is of the whole vehicle at the end. */
function makeLineRows(lines: readonly EstimateLine[]): Row[] {
  const nameOf = ({ because_of: because }: EstimateLine) =>
    because === undefined ? 'Whole vehicle' : describePart(because);
  return lines.flatMap((line, i) => {
    const before = lines[i - 1];
    const name = nameOf(line);
    const isFirst = before === undefined || nameOf(before) !== name;
    return [...(isFirst ? [{ bold: true, cells: ['', '', name, '', '', '', '', ''] }] : []), lineRow(line)];
  });
}

function markLine({ group, basis, set_by }: EstimateLine): string {
  if (group === 'added') return ' #';
  return set_by === 'person' || basis === 'judgement' ? ' *' : '';
}

/** Returns what is worked on, without the panel that it stands under, and where a part comes from. */
function describeLinePart(line: EstimateLine): string {
  const { part, operation, department, part_source: source } = line;
  const mark = source === null ? undefined : SOURCE_MARKS[source];
  return `${describeLine({ part, operation, department })}${mark === undefined ? '' : `, ${mark}`}`;
}

function lineRow(line: EstimateLine): Row {
  const removed = line.counted_in === 'none';
  const isPaint = line.department === 'refinish';
  const taxed =
    line.taxable === 0
      ? 'none'
      : line.taxable === line.amount
        ? 'all'
        : humanise(line.tax_class).toLowerCase();
  const notes = [
    removed ? `Removed; it was ${formatMoney(line.amount, line.currency)}.` : '',
    !removed && line.computed ? `Computed: ${describeComputed(line)}.` : '',
    line.reason ? `Reason: ${line.reason}.` : '',
  ].filter(Boolean);
  return {
    cells: [
      `${line.number}${markLine(line)}`,
      line.operation,
      describeLinePart(line),
      removed || isPaint ? ABSENT : formatHours(line.hours),
      removed || !isPaint ? ABSENT : formatHours(line.hours),
      removed || line.price === null || line.price === 0 ? ABSENT : formatMoney(line.price, line.currency),
      removed ? ABSENT : taxed,
      removed ? 'removed' : formatMoney(line.amount, line.currency),
    ],
    ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
  };
}

function describeComputed({ computed, hours, price, currency }: EstimateLine): string {
  if (computed === undefined) return '';
  if (computed.counted_in === 'range') return 'expected, and accepted by a person';
  return [
    ...(computed.hours === hours ? [] : [`${computed.hours.toFixed(1)} h`]),
    ...(computed.price === (price ?? computed.price) ? [] : [formatMoney(computed.price, currency)]),
  ].join(', ');
}

function makeExpectedRow(line: EstimateLine): Row {
  const { number, operation, hours, price, amount, share_of_jobs: share, currency } = line;
  return {
    cells: [
      String(number),
      operation,
      describeLine(line),
      formatHours(hours),
      price ? formatMoney(price, currency) : ABSENT,
      formatMoney(amount, currency),
      share === undefined ? ABSENT : `${Math.round(share * 100)} %`,
    ],
  };
}

/** What a paper of Germany or France adds up: parts, labour, paint with its materials, the rest. */
const BLOCK_OF: Readonly<Record<string, string>> = {
  parts: 'Parts',
  refinish: 'Paint',
  materials: 'Paint',
  sublet: 'Other costs',
  fees: 'Other costs',
};

/** Returns the subtotals: the departments, or the blocks of a country that has them. */
function sumBlocks({ data }: AssessmentEnvelope, { language }: TradeWords): [string, number][] {
  const sums = new Map<string, number>();
  for (const { department, total } of data.summary.repair_cost_summary.departments) {
    const name = language === undefined ? describeDepartment(department) : (BLOCK_OF[department] ?? 'Labour');
    sums.set(name, (sums.get(name) ?? 0) + total);
  }
  return [...sums];
}

const makeSumRow = (words: string, amount: number, currency: string, bold: boolean): Row => ({
  bold,
  cells: ['', '', words, '', '', '', '', formatMoney(amount, currency)],
});

function makeSubtotalRows(assessment: AssessmentEnvelope, trade: TradeWords): Row[] {
  return sumBlocks(assessment, trade).map(([name, amount]) =>
    makeSumRow(trade.say(name), amount, assessment.meta.currency, false),
  );
}

function makeTotalRows({ data, meta }: AssessmentEnvelope, trade: TradeWords): Row[] {
  const { adjusted_total: total, tax, first_bill_gross: gross } = data.summary.repair_cost_summary;
  const row = (words: string, amount: number, bold = true) => makeSumRow(words, amount, meta.currency, bold);
  return [
    row(trade.say('As seen, net'), total.estimated),
    ...(tax ? [row(`${trade.say(humanise(tax.name))}, ${tax.rate_percentage} %`, tax.amount, false)] : []),
    row(trade.say(tax ? 'As seen, gross' : 'As seen, no tax here'), tax?.gross_total ?? total.estimated),
    row(`First bill, ${tax ? 'gross' : 'no tax here'}`, gross),
  ];
}

/** Returns what a supplement changes, line by line. */
function writeSupplementBlocks(supplement: Supplement | undefined, version: string): Block[] {
  if (supplement === undefined) return [];
  const { currency, of } = supplement;
  const rows = supplement.lines.map((line) => ({
    cells: [
      humanise(line.change),
      line.operation,
      describeSupplementLine(line),
      line.hours_before === 0 && line.hours_after === 0
        ? ABSENT
        : `${line.hours_before.toFixed(1)} → ${line.hours_after.toFixed(1)}`,
      formatMoney(line.amount_before, currency),
      formatMoney(line.amount_after, currency),
      formatMoney(line.difference, currency),
    ],
  }));
  const total = (words: string, amount: number): Row => ({
    bold: true,
    cells: [words, '', '', '', '', '', formatMoney(amount, currency)],
  });
  return [
    makeHeading(`Supplement ${version} to ${of.version} of ${of.created_at.slice(0, 10)}`),
    makeTable(
      [
        { title: 'Change', share: 16 },
        { title: 'Op.', share: 8 },
        { title: 'Part', share: 28 },
        { title: 'Hours', share: 14, align: 'right' },
        { title: 'Before', share: 14, align: 'right' },
        { title: 'Now', share: 14, align: 'right' },
        { title: 'Difference', share: 14, align: 'right' },
      ],
      [...rows, total('Net', supplement.net_difference), total('With tax', supplement.gross_difference)],
    ),
  ];
}

/** Returns the blocks on who pays what. */
function writeSettlementBlocks(settlement: Settlement | undefined): Block[] {
  if (settlement === undefined) return [];
  const { currency } = settlement;
  const cell = (amount: number) => (amount === 0 ? ABSENT : formatMoney(amount, currency));
  return [
    makeHeading('Who pays what'),
    makeTable(
      [
        { title: 'Line', share: 46 },
        { title: 'Bill', share: 18, align: 'right' },
        { title: 'Insurer', share: 18, align: 'right' },
        { title: 'Owner', share: 18, align: 'right' },
      ],
      [
        ...settlement.lines.map((line) => ({
          cells: [line.description, cell(line.amount), cell(line.insurer), cell(line.owner)],
          ...defined({ note: line.reason }),
        })),
        {
          bold: true,
          cells: [
            'To pay',
            formatMoney(settlement.total, currency),
            formatMoney(settlement.insurer_pays, currency),
            formatMoney(settlement.owner_pays, currency),
          ],
        },
      ],
    ),
    makeParagraph('Amounts as billed, with tax.', 'soft'),
  ];
}
