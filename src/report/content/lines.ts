import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { EstimateLine } from '../../contract/assessment/lines.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { compact, groupBy, sumBy } from '../../lib/lists.ts';
import { ABSENT, formatHours, formatMoney, formatPercent } from '../figures.ts';
import { listFindings, listPhotoNumbers } from '../finding-rows.ts';
import { english, type Translator } from '../translator.ts';
import {
  describeDepartment,
  describeLine,
  describePart,
  endSentence,
  humanize,
  OPERATION_WORDS,
} from '../words.ts';
import {
  type Block,
  makeHeading,
  makeParagraph,
  numberColumn,
  type Row,
  type Section,
  tabulate,
  textColumn,
} from './blocks.ts';

/** A row between or below the line items: a group heading or a sum. */
interface Sum extends Pick<Row, 'isGroupHeading'> {
  readonly words: string;
  readonly bold: boolean;
  readonly labor?: string;
  readonly paint?: string;
  readonly amount?: string;
}

/** Cell of a line item, and the figure of a sum shown in the same column, if any. */
type LineCell = readonly [cell: (line: EstimateLine) => string, sum?: 'words' | 'labor' | 'paint' | 'amount'];

const readLineCell =
  ([cell, sum]: LineCell) =>
  (row: EstimateLine | Sum): string =>
    'words' in row ? ((sum && row[sum]) ?? '') : cell(row);

const lineText = (title: string, share: number, ...cell: LineCell) =>
  textColumn(title, share, readLineCell(cell));
const lineNumber = (title: string, share: number, ...cell: LineCell) =>
  numberColumn(title, share, readLineCell(cell));

const isKept = (line: EstimateLine) => line.counted_in !== 'none';

/** Builds the table of the line items; optional columns without content are omitted. */
function tabulateLines(
  rows: readonly (EstimateLine | Sum)[],
  { data }: AssessmentEnvelope,
  listPhotos: (line: EstimateLine) => string,
  t: Translator,
): Block {
  const { lines } = data.estimate;
  const hours = (line: EstimateLine, isPaint: boolean) =>
    isKept(line) && (line.department === 'refinish') === isPaint ? t.figure(formatHours(line.hours)) : ABSENT;
  const price = (line: EstimateLine) =>
    isKept(line) && line.price ? formatAmount(line.price, line, t) : ABSENT;
  const amount = (line: EstimateLine) => (isKept(line) ? formatAmount(line.amount, line, t) : t`removed`);
  return tabulate(
    rows,
    [
      lineNumber(t`No.`, 7, (line) => `${line.number}${markLine(line)}`),
      lineText(t`Op.`, 7, ({ operation }) => operation),
      lineText(t`Part`, 32, (line) => describeLinePart(line, t), 'words'),
      lines.some(({ quantity }) => quantity !== undefined) &&
        lineNumber(t`Qty`, 6, ({ quantity }) => String(quantity ?? '')),
      lines.some((line) => listPhotos(line) !== '') && lineNumber(t`Photo`, 11, listPhotos),
      lineNumber(t`Labor h`, 9, (line) => hours(line, false), 'labor'),
      lineNumber(t`Paint h`, 9, (line) => hours(line, true), 'paint'),
      lineNumber(t`Price`, 13, price),
      data.summary.repair_cost_summary.tax?.base === 'parts_and_materials' &&
        lineText(t`Tax on`, 9, (line) => (isKept(line) ? describeTaxed(line, t) : ABSENT)),
      lineNumber(t`Amount`, 14, amount, 'amount'),
    ],
    (row) => {
      if (!('words' in row)) return describeChange(row, t);
      return { bold: row.bold, isGroupHeading: row.isGroupHeading ?? false };
    },
  );
}

const formatAmount = (amount: number, { currency }: EstimateLine, t: Translator) =>
  t.figure(formatMoney(amount, currency));

/** Returns true for an operation needed on some such jobs that no user has accepted or refused. */
const isExpected = ({ group, counted_in, computed }: EstimateLine) =>
  group === 'expected' && counted_in !== 'total' && computed === undefined;

/**
 * Builds the estimate's line items.
 * @param onPaper adds subtotals below the lines, which a terminal shows earlier; `isCustomary` groups them by
 * parts, labor, paint and other costs, as is usual in Germany and France
 */
export function writeLines(
  assessment: AssessmentEnvelope,
  inspection: InspectionEnvelope | null,
  onPaper?: { readonly isCustomary: boolean },
  t: Translator = english,
): Section {
  const { lines } = assessment.data.estimate;
  const expected = lines.filter(isExpected);
  const findings = inspection === null ? [] : listFindings(inspection.data);
  const listPhotos = ({ damage_ids: ids }: EstimateLine) =>
    listPhotoNumbers(findings.filter(({ damage_id: id }) => ids.includes(id))).join(', ');
  const expect = (counted: EstimateLine['counted_in'], title: string) =>
    makeExpectedTable(
      title,
      expected.filter((line) => line.counted_in === counted),
      t,
    );
  return {
    id: 'lines',
    title: t`Lines of the estimate`,
    blocks: [
      tabulateLines(
        [
          ...groupByPanel(
            lines.filter((line) => !isExpected(line)),
            t,
          ),
          ...(onPaper ? listSubtotals(assessment, onPaper.isCustomary, t) : []),
          ...listTotals(assessment, t),
        ],
        assessment,
        listPhotos,
        t,
      ),
      makeParagraph(
        `${t`* judgment time, or set by a person; # added by a person; OEM new, A/M aftermarket, LKQ used part.`} ${explainOperations(lines, t)}.`,
        'soft',
      ),
      ...expect('range', t`Expected with this repair, counted in the first bill by how often it is needed`),
      ...expect(
        'none',
        t`Sometimes needed with such a repair, not counted: this damage does not show what lies behind`,
      ),
    ],
  };
}

function explainOperations(lines: readonly EstimateLine[], t: Translator): string {
  const codes = [...new Set(lines.map(({ operation }) => operation))];
  return codes
    .flatMap((code) => {
      const words = t.operation(code) ?? OPERATION_WORDS[code];
      return words === undefined ? [] : [`${code} ${words}`];
    })
    .join(', ');
}

const SOURCE_MARKS: Readonly<Record<string, string>> = { oem: 'OEM', aftermarket: 'A/M', recycled: 'LKQ' };

/** Inserts a heading before the line items of each panel; whole-vehicle operations come last. */
function groupByPanel(lines: readonly EstimateLine[], t: Translator): readonly (EstimateLine | Sum)[] {
  return lines.flatMap((line, i) => {
    const { because_of: because } = line;
    if (i > 0 && lines[i - 1]?.because_of === because) return [line];
    const words = because === undefined ? t`Whole vehicle` : describePart(because, t);
    return [{ words, bold: true, isGroupHeading: true }, line];
  });
}

function markLine({ group, basis, set_by }: EstimateLine): string {
  if (group === 'added') return ' #';
  return set_by === 'person' || basis === 'judgement' ? ' *' : '';
}

/** Formats the part of a line item with its source. */
function describeLinePart(line: EstimateLine, t: Translator): string {
  const { part, operation, department, group, part_source: source, note, overlap_hours: overlap } = line;
  // Clear coat and color stages apply to all painted panels, although the line item carries a single panel.
  const subject = group === 'refinish' && operation !== 'Blnd' ? 'painted_panels' : part;
  return compact([
    describeLine({ part: subject, operation, department }, t),
    // The overlap deduction from a panel's base time, printed in the style of estimating systems.
    overlap !== undefined && t.stored(note),
    source !== null && SOURCE_MARKS[source],
  ]).join(', ');
}

function describeTaxed({ taxable, amount, tax_class: taxClass }: EstimateLine, t: Translator): string {
  if (taxable === 0) return t`none`;
  return taxable === amount ? t`all` : t.word(humanize(taxClass).toLowerCase());
}

/** Describes the previous values of a changed line item, and the reason. */
function describeChange(line: EstimateLine, t: Translator): Pick<Row, 'note'> {
  const computed = isKept(line) ? describeComputed(line, t) : '';
  const notes = compact([
    !isKept(line) && t`Removed; it was ${formatAmount(line.amount, line, t)}.`,
    computed && t`${t`Computed`}: ${computed}.`,
    line.reason && endSentence(t`Reason: ${line.reason}`),
  ]);
  return notes.length > 0 ? { note: notes.join(' ') } : {};
}

/** Lists the values of a line that a person changed; the amount of fixed labor is in `labor`, not in `price`. */
function describeComputed({ computed, group, hours, labor, price, currency }: EstimateLine, t: Translator) {
  if (computed === undefined) return '';
  const { price: before = 0 } = computed;
  return compact([
    group === 'expected' && t`expected, and accepted by a person`,
    computed.hours !== hours && t.figure(`${computed.hours.toFixed(1)} h`),
    before !== (price ?? (before && labor)) && t.figure(formatMoney(before, currency)),
  ]).join(', ');
}

/** Builds the table of operations that often accompany such a repair, with their share of jobs; empty without rows. */
function makeExpectedTable(title: string, lines: readonly EstimateLine[], t: Translator): readonly Block[] {
  if (lines.length === 0) return [];
  const table = tabulate(lines, [
    numberColumn(t`No.`, 6, ({ number }) => String(number)),
    textColumn(t`Op.`, 8, ({ operation }) => operation),
    textColumn(t`Part`, 46, (line) => describeLine(line, t)),
    numberColumn(t`Hours`, 8, ({ hours }) => t.figure(formatHours(hours))),
    numberColumn(t`Price`, 12, (line) => (line.price ? formatAmount(line.price, line, t) : ABSENT)),
    numberColumn(t`Amount`, 12, (line) => formatAmount(line.amount, line, t)),
    numberColumn(t`Of jobs`, 8, ({ share_of_jobs: share }) => t.figure(formatPercent(share))),
  ]);
  return [makeHeading(title), table];
}

/** Customary subtotal groups: parts, labor, paint including materials, other costs. */
const SUBTOTAL_GROUPS: Readonly<Record<string, string>> = {
  parts: 'Parts',
  refinish: 'Paint',
  materials: 'Paint',
  sublet: 'Other costs',
  fees: 'Other costs',
};

/** Computes the subtotals with hours: by department, or by the customary groups. */
function listSubtotals(
  { data, meta }: AssessmentEnvelope,
  isCustomary: boolean,
  t: Translator,
): readonly Sum[] {
  const groups = groupBy(data.summary.repair_cost_summary.departments, ({ department }) =>
    isCustomary ? t.word(SUBTOTAL_GROUPS[department] ?? 'Labor') : describeDepartment(department, t),
  );
  return [...groups].map(([name, rows]) => {
    const worked = rows.filter(({ department }) => department !== 'materials');
    const count = (isPaint: boolean) => {
      const own = worked.filter(({ department }) => (department === 'refinish') === isPaint);
      const hours = sumBy(own, (row) => row.hours);
      return hours === 0 ? '' : t.figure(formatHours(hours));
    };
    const money = (amount: number) => t.figure(formatMoney(amount, meta.currency));
    const rates = new Set(rows.flatMap(({ rate_per_hour: rate }) => rate ?? []));
    return {
      words: [name, ...[...rates].map((rate) => `${money(rate)}/h`)].join(', '),
      bold: false,
      labor: count(false),
      paint: count(true),
      amount: money(sumBy(rows, ({ total }) => total)),
    };
  });
}

function listTotals({ data, meta }: AssessmentEnvelope, t: Translator): Sum[] {
  const { adjusted_total: total, tax, first_bill_gross: gross } = data.summary.repair_cost_summary;
  const sum = (words: string, amount: number, bold = true): Sum => ({
    words,
    bold,
    amount: t.figure(formatMoney(amount, meta.currency)),
  });
  return compact([
    sum(t`As seen, net`, total.estimated),
    tax && sum(`${t.word(humanize(tax.name))}, ${t.figure(`${tax.rate_percentage} %`)}`, tax.amount, false),
    sum(tax ? t`As seen, gross` : t`As seen, no tax here`, tax?.gross_total ?? total.estimated),
    sum(tax ? t`First bill, gross` : t`First bill, no tax here`, gross),
  ]);
}
