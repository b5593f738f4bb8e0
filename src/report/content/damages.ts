import type { Result } from '../../contract/result.ts';
import { defined } from '../../lib/defined.ts';
import { ABSENT, formatAssessedSize, formatMoneyRange, formatPercent, formatSize } from '../figures.ts';
import { type DamageRow, listPhotoNumbers, showsPrices } from '../finding-rows.ts';
import { describeNextPhotos } from '../next-photos.ts';
import { capitalise, describeDamage, describeFindingPart, humanise, SEVERITY_WORDS } from '../words.ts';
import { type Column, makeParagraph, makeTable, type Row, type Section } from './blocks.ts';
import { makeFindingRef } from './photos.ts';

/** Builds the damage table, one row per damage. */
export function writeDamages(input: Result, rows: readonly DamageRow[]): Section {
  const { results } = input.inspection?.data ?? {};
  const none = `No damage was found${results && results.to_check.length > 0 ? ' with certainty' : ''} on the parts seen.`;
  const reason = results ? none : 'There are no results to list.';
  const blocks = [
    rows.length === 0
      ? makeParagraph(reason)
      : makeTable(
          chooseDamageColumns(input),
          rows.map((row) => writeDamageRow(input, row)),
        ),
  ];
  return { id: 'damages', title: 'Damages', blocks };
}

/** Builds the table of places to check; null if there are none. */
export function writeToCheckCards(input: Result, rows: readonly DamageRow[]): Section | null {
  if (rows.length === 0) return null;
  const unpriced = { ...input, assessment: null };
  const list = makeTable(
    chooseDamageColumns(unpriced),
    rows.map((row) => writeDamageRow(unpriced, row)),
  );
  return {
    id: 'to-check',
    title: 'To check',
    blocks: [list],
  };
}

/** Builds the section on photos that would close gaps; null if none are missing. */
export function writeNextPhotos({ inspection }: Result): Section | null {
  const next = describeNextPhotos(inspection?.data.results?.next_photos ?? []);
  if (next === null) return null;
  return {
    id: 'next-photos',
    title: 'What to photograph next',
    blocks: [makeParagraph(capitalise(next))],
  };
}

/** Returns the columns of the damage table; photo columns are omitted without an inspection. */
export function chooseDamageColumns(input: Priced): readonly Column[] {
  return chooseColumns(input).map(({ column }) => column);
}

/** Builds the table row of a damage. */
export function writeDamageRow(input: Priced, row: DamageRow): Row {
  return {
    cells: chooseColumns(input).map(({ cell }) => cell(row)),
    ...defined({ note: row.remark }),
    finding: makeFindingRef(row),
  };
}

type Priced = Pick<Result, 'inspection' | 'assessment'>;

interface DamageColumn {
  readonly column: Column;
  readonly cell: (row: DamageRow) => Row['cells'][number];
}

function chooseColumns({ inspection, assessment }: Priced): readonly DamageColumn[] {
  const ofPhotos: readonly DamageColumn[] = [
    {
      column: { title: 'Sure', share: 6.4, align: 'right' },
      cell: (row) => (row.confirmedBy === null ? formatPercent(row.found?.confidence) : 'confirmed'),
    },
    {
      column: { title: 'Photo', share: 9.5, align: 'right' },
      cell: ({ found }) => (found ? listPhotoNumbers([found]).join(', ') : ABSENT),
    },
  ];
  const price: DamageColumn = {
    column: {
      title: assessment ? 'Recommended repair' : 'Repair, range',
      share: inspection ? 20.5 : 32,
      align: 'right',
    },
    cell: formatCost,
  };
  return [
    { column: { title: 'No.', share: 5, align: 'right' }, cell: (row) => String(row.number) },
    { column: { title: 'Part', share: 17.9 }, cell: (row) => describeFindingPart(row) },
    {
      column: { title: 'Damage', share: 13.6 },
      cell: (row) => describeDamage(row.type, row.subtype, row.part),
    },
    {
      column: { title: 'Severity', share: 11 },
      cell: ({ severity }) => ({ severity, label: SEVERITY_WORDS[severity] }),
    },
    { column: { title: 'Score', share: 7, align: 'right' }, cell: (row) => row.score.toFixed(1) },
    { column: { title: 'Size', share: inspection ? 15.5 : 9 }, cell: writeSizeCell },
    ...(inspection ? ofPhotos : []),
    ...(showsPrices(inspection) ? [price] : []),
  ];
}

function formatCost({ found, assessed }: DamageRow): string {
  if (assessed) {
    const { option, min_cost, max_cost, currency } = assessed.recommended_repair;
    return `${humanise(option)} ${keepOnOneLine(formatMoneyRange(min_cost, max_cost, currency))}`;
  }
  if (!found) return ABSENT;
  const { min, max, currency } = found.estimated_repair;
  return keepOnOneLine(formatMoneyRange(min, max, currency));
}

/** Formats the size on one line, with the uncertainty on a second line if it has one. */
function writeSizeCell({ found, assessed }: DamageRow): string {
  const stated = (assessed && formatAssessedSize(assessed)) ?? ABSENT;
  return ((found && formatSize(found)) ?? stated).split(' ±').map(keepOnOneLine).join(' ±');
}

/** Replaces spaces with no-break spaces to keep the text on one line. */
function keepOnOneLine(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}
