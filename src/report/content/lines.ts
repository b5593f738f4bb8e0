import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { EstimateLine } from '../../contract/assessment/estimate.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { compact, groupBy, sumBy } from '../../lib/lists.ts';
import { ABSENT, formatHours, formatMoney, formatPercent } from '../figures.ts';
import { listFindings, listPhotoNumbers } from '../finding-rows.ts';
import { english, type Translator } from '../translator.ts';
import {
  describeDepartment,
  describeLine,
  describeOperation,
  describePart,
  endSentence,
  humanize,
} from '../words.ts';
import {
  type Block,
  makeParagraph,
  makeTitledTable,
  numberColumn,
  type Row,
  type Section,
  tabulate,
  textColumn,
} from './blocks.ts';

/** A row of the line items: a line, the heading of a group, or a sum. Absent cells are empty. */
interface LineRow extends Omit<Row, 'cells'>, Readonly<Partial<Record<OptionalCell, string>>> {
  readonly part: string;
}
type OptionalCell =
  | ('number' | 'operation' | 'quantity' | 'photos')
  | ('labor' | 'paint' | 'price' | 'taxed' | 'amount');

const isKept = (line: EstimateLine) => line.counted_in !== 'none';

/** Writes the cells of a line item; a removed one keeps its number, but has no figures. */
function writeLine(line: EstimateLine, photos: string, t: Translator): LineRow {
  const { number, operation, department, quantity, hours, price } = line;
  const kept = isKept(line);
  const work = (isPaint: boolean) =>
    kept && (department === 'refinish') === isPaint ? t.figure(formatHours(hours)) : ABSENT;
  return {
    number: `${number}${markLine(line)}`,
    operation,
    part: describeLinePart(line, t),
    quantity: String(quantity ?? ''),
    photos,
    labor: work(false),
    paint: work(true),
    price: kept && price ? formatAmount(price, line, t) : ABSENT,
    taxed: kept ? describeTaxed(line, t) : ABSENT,
    amount: kept ? formatAmount(line.amount, line, t) : t`removed`,
    ...describeChange(line, t),
  };
}

/** Builds the table of the line items; optional columns without content are omitted. */
const tabulateLines = (rows: readonly LineRow[], isPartlyTaxed: boolean, t: Translator): Block =>
  tabulate(
    rows,
    [
      numberColumn(t`No.`, 7, ({ number = '' }) => number),
      textColumn(t`Op.`, 7, ({ operation = '' }) => operation),
      textColumn(t`Part`, 32, ({ part }) => part),
      rows.some(({ quantity }) => quantity) && numberColumn(t`Qty`, 6, ({ quantity = '' }) => quantity),
      rows.some(({ photos }) => photos) && numberColumn(t`Photo`, 11, ({ photos = '' }) => photos),
      numberColumn(t`Labor h`, 9, ({ labor = '' }) => labor),
      numberColumn(t`Paint h`, 9, ({ paint = '' }) => paint),
      numberColumn(t`Price`, 13, ({ price = '' }) => price),
      isPartlyTaxed && textColumn(t`Tax on`, 9, ({ taxed = '' }) => taxed),
      numberColumn(t`Amount`, 14, ({ amount = '' }) => amount),
    ],
    ({ bold = false, isGroupHeading = false, note }) => (note ? { note } : { bold, isGroupHeading }),
  );

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
  t = english,
): Section {
  const { lines } = assessment.data.estimate;
  const { tax } = assessment.data.summary.repair_cost_summary;
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
          ...groupByPanel(lines.filter((line) => !isExpected(line))).flatMap(([panel, own]) => [
            startPanel(panel, t),
            ...own.map((line) => writeLine(line, listPhotos(line), t)),
          ]),
          ...(onPaper ? listSubtotals(assessment, onPaper.isCustomary, t) : []),
          ...listTotals(assessment, t),
        ],
        tax?.base === 'parts_and_materials',
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
  return codes.map((code) => `${code} ${describeOperation(code, t)}`).join(', ');
}

const SOURCE_MARKS: Readonly<Record<string, string>> = { oem: 'OEM', aftermarket: 'A/M', recycled: 'LKQ' };

/**
 * Groups line items by panel in the order of the estimate; operations on the whole vehicle, without a panel, come last.
 * An added line belongs to the repair of its part, if that is in the estimate.
 */
function groupByPanel(lines: readonly EstimateLine[]) {
  const panels = new Set(lines.map(({ because_of: because }) => because));
  const groups = groupBy(lines, ({ because_of: because, group, part }) =>
    group === 'added' && panels.has(part) ? part : because,
  );
  return [...groups].toSorted(([a], [b]) => Number(a === undefined) - Number(b === undefined));
}

const startPanel = (panel: string | undefined, t: Translator): LineRow => ({
  part: panel === undefined ? t`Whole vehicle` : describePart(panel, t),
  bold: true,
  isGroupHeading: true,
});

function markLine({ group, basis, set_by }: EstimateLine): string {
  if (group === 'added') return ' #';
  return set_by === 'person' || basis === 'judgement' ? ' *' : '';
}

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
  return makeTitledTable(title, lines, [
    numberColumn(t`No.`, 6, ({ number }) => String(number)),
    textColumn(t`Op.`, 8, ({ operation }) => operation),
    textColumn(t`Part`, 46, (line) => describeLine(line, t)),
    numberColumn(t`Hours`, 8, ({ hours }) => t.figure(formatHours(hours))),
    numberColumn(t`Price`, 12, (line) => (line.price ? formatAmount(line.price, line, t) : ABSENT)),
    numberColumn(t`Amount`, 12, (line) => formatAmount(line.amount, line, t)),
    numberColumn(t`Of jobs`, 8, ({ share_of_jobs: share }) => t.figure(formatPercent(share))),
  ]);
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
): readonly LineRow[] {
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
    const isForAll = worked.every((row) => row.rate_per_hour);
    const rates = rows.flatMap(({ department, rate_per_hour: rate }) => {
      const of =
        department === 'materials' ? rows.length > 1 && t.word('materials') : !isForAll && t`by the hour`;
      return rate ? compact([of, `${money(rate)}/h`]).join(' ') : [];
    });
    return {
      part: [name, ...new Set(rates)].join(', '),
      labor: count(false),
      paint: count(true),
      amount: money(sumBy(rows, ({ total }) => total)),
    };
  });
}

function listTotals({ data, meta }: AssessmentEnvelope, t: Translator): LineRow[] {
  const { adjusted_total: total, tax, first_bill_gross: gross } = data.summary.repair_cost_summary;
  const sum = (part: string, amount: number, bold = true): LineRow => ({
    part,
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
