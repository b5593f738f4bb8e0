import type { ChalkInstance } from 'chalk';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { EstimateLine, Supplement } from '../../contract/assessment/lines.ts';
import type { Settlement } from '../../contract/assessment/settlement.ts';
import { formatMoney, formatNumber } from '../../report/figures.ts';
import { describeLine, describeSupplementLine, humanise } from '../../report/words.ts';
import { renderPlainTable } from './plain-table.ts';

interface Look {
  readonly chalk: ChalkInstance;
  readonly columns: number;
}

const formatHours = (hours: number) => (hours === 0 ? '' : hours.toFixed(1));

/** Renders the lines of an estimate for people, then what is expected with them, what changed, and who pays what. */
export function renderLinesBlocks({ data, meta }: AssessmentEnvelope, look: Look): string[] {
  const { estimate, summary } = data;
  const { lines = [] } = estimate;
  if (lines.length === 0) return [];
  const rest = lines.filter((line) => line.counted_in !== 'range');
  const expected = lines.filter((line) => line.counted_in === 'range');
  const { adjusted_total: net, tax } = summary.repair_cost_summary;
  const sums: readonly Sum[] = [
    ['Net total', formatMoney(net.estimated, meta.currency)],
    ...(tax
      ? ([
          [
            `${humanise(tax.name)}, ${formatNumber(tax.rate_percentage, 2)} %`,
            formatMoney(tax.amount, meta.currency),
          ],
          ['Gross total', formatMoney(tax.gross_total, meta.currency)],
        ] as const)
      : []),
  ];
  return [
    renderCounted(rest, estimate.version ?? 'E01', sums, look),
    ...(expected.length > 0 ? [renderExpected(expected, look)] : []),
    ...(estimate.supplement ? [renderSupplement(estimate.supplement, look)] : []),
    ...(summary.settlement ? [renderSettlement(summary.settlement, look)] : []),
  ];
}

type Sum = readonly [words: string, amount: string];

function renderCounted(
  lines: readonly EstimateLine[],
  version: string,
  sums: readonly Sum[],
  { chalk, columns }: Look,
): string {
  const rows = lines.map((line) => {
    const removed = line.counted_in === 'none';
    const money_ = (amount: number | null) => (amount ? formatMoney(amount, line.currency) : '');
    return [
      `${line.number}${line.set_by === 'person' ? '*' : ''}`,
      line.operation,
      describeLine(line),
      removed ? '' : formatHours(line.hours),
      removed ? '' : money_(line.price),
      removed ? 'removed' : formatMoney(line.amount, line.currency),
    ];
  });
  const table = renderPlainTable(
    [version, 'op', 'line', 'hours', 'price', 'amount'],
    [...rows, ...sums.map(([words, amount]) => ['', '', chalk.bold(words), '', '', chalk.bold(amount)])],
    { chalk, columns, right: [version, 'hours', 'price', 'amount'], wrap: ['line'] },
  );
  const marked = lines.filter((line) => line.set_by === 'person');
  const notes = marked.flatMap((line) => changeWords(line) ?? []);
  return [table, ...notes.map((note) => chalk.dim(`  * ${note}`))].join('\n');
}

/** Returns what a person changed on a line, as a sentence; undefined where the line says it all. */
function changeWords({
  number,
  computed,
  hours,
  price,
  currency,
  reason,
  group,
}: EstimateLine): string | undefined {
  const why = reason === undefined ? '' : ` (${reason})`;
  if (group === 'added') return `${number}: added${why}`;
  if (computed === undefined) return `${number}: set by an override${why}`;
  const before = [
    ...(computed.hours === hours ? [] : [`${computed.hours.toFixed(1)} h`]),
    ...(price === null || computed.price === price ? [] : [formatMoney(computed.price, currency)]),
  ];
  const worked = before.length === 0 ? '' : `computed ${before.join(', ')}`;
  const accepted = computed.counted_in === 'range' ? 'expected, accepted' : '';
  const words = [accepted, worked].filter(Boolean).join('; ');
  return `${number}: ${words || 'removed'}${why}`;
}

function renderExpected(lines: readonly EstimateLine[], { chalk, columns }: Look): string {
  const table = renderPlainTable(
    ['#', 'op', 'expected with this', 'hours', 'price', 'amount', 'jobs'],
    lines.map((line) => [
      String(line.number),
      line.operation,
      describeLine(line),
      formatHours(line.hours),
      line.price ? formatMoney(line.price, line.currency) : '',
      formatMoney(line.amount, line.currency),
      line.share_of_jobs === undefined ? '' : `${Math.round(line.share_of_jobs * 100)} %`,
    ]),
    {
      chalk,
      columns,
      right: ['#', 'hours', 'price', 'amount', 'jobs'],
      wrap: ['expected with this'],
    },
  );
  return `${table}\n${chalk.dim('Not seen from outside: in the first bill by share of jobs. --edit NUMBER:accept counts a line.')}`;
}

function renderSupplement(supplement: Supplement, { chalk, columns }: Look): string {
  const { currency, of } = supplement;
  return renderPlainTable(
    [`Against ${of.version}`, 'op', 'line', 'hours', 'before', 'now', 'difference'],
    [
      ...supplement.lines.map((line) => [
        line.change,
        line.operation,
        describeSupplementLine(line),
        formatSigned(line.hours_after - line.hours_before),
        formatMoney(line.amount_before, currency),
        formatMoney(line.amount_after, currency),
        formatMoney(line.difference, currency),
      ]),
      ['', '', chalk.bold('Net'), '', '', '', chalk.bold(formatMoney(supplement.net_difference, currency))],
      [
        '',
        '',
        chalk.bold('With tax'),
        '',
        '',
        '',
        chalk.bold(formatMoney(supplement.gross_difference, currency)),
      ],
    ],
    { chalk, columns, right: ['hours', 'before', 'now', 'difference'], wrap: ['line'] },
  );
}

const formatSigned = (hours: number) =>
  Math.abs(hours) < 0.05 ? '' : `${hours > 0 ? '+' : '−'}${Math.abs(hours).toFixed(1)}`;

function renderSettlement(settlement: Settlement, { chalk, columns }: Look): string {
  const { currency } = settlement;
  const cell = (amount: number) => (amount === 0 ? '' : formatMoney(amount, currency));
  return renderPlainTable(
    ['Who pays what, with tax', 'bill', 'insurer', 'owner'],
    [
      ...settlement.lines.map((line) => [
        line.reason === undefined ? line.description : `${line.description} (${line.reason})`,
        cell(line.amount),
        cell(line.insurer),
        cell(line.owner),
      ]),
      [
        chalk.bold('To pay'),
        chalk.bold(formatMoney(settlement.total, currency)),
        chalk.bold(formatMoney(settlement.insurer_pays, currency)),
        chalk.bold(formatMoney(settlement.owner_pays, currency)),
      ],
    ],
    {
      chalk,
      columns,
      right: ['bill', 'insurer', 'owner'],
      wrap: ['Who pays what, with tax'],
    },
  );
}
