import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { formatFindingNumber } from '../figures.ts';
import { type DamageRow, listDamageRows, listToCheckRows } from '../finding-rows.ts';
import { hasSeveralVehicles, showsPrices } from '../grade.ts';
import { describeMissingGrade, listFigures, sayNoDamage } from '../headline.ts';
import type { ReportPictures } from '../pictures.ts';
import { drawViews, listPartMarks, listUnseenParts, type Plan } from '../plan/plan.ts';
import { describePlan, explainPlan } from '../plan/plan-words.ts';
import { splitVehicles } from '../split-vehicles.ts';
import type { Translator } from '../translator.ts';
import { describeFindingPart } from '../words.ts';
import { type Block, makeFigures, makeForm, makeParagraph, type Pictures, type Section } from './blocks.ts';
import { describeCoverage } from './coverage.ts';
import { showCloseUp } from './photos.ts';
import { describePriceScope } from './price-scope.ts';
import { sortByPriority, writeRepair, writeToCheckTable } from './repair.ts';
import { describeLossWarning } from './value.ts';
import { titleVehicle, writeVehicles, writeVehicleTable } from './vehicles.ts';

const MAX_CROPS = { worst: 4, thumbnails: 8 } as const;

/** Builds the first page below the title block: figures, plan and repair, close-ups, coverage and prices. */
export function writeFirstPage(input: Result, pictures: ReportPictures, t: Translator): Section {
  const [rows, checks] = [listDamageRows(input), listToCheckRows(input)];
  const figures = listFigures(input, undefined, t);
  const isPriced = showsPrices(input.inspection);
  const table =
    rows.length > 0
      ? writeRepair(input, { showsPhotos: false }, t)
      : writeToCheckTable(input, { showsPhotos: false }, t);
  const plan = isPriced ? makePlan(input, [...rows, ...checks], t) : null;
  const crops = (size: 'worst' | 'thumbnails', title: string, findings: readonly DamageRow[]): Pictures => ({
    kind: 'pictures',
    size,
    title,
    pictures: findings
      .slice(0, MAX_CROPS[size])
      .map((row) =>
        showCloseUp(row, pictures, t, `${formatFindingNumber(row)} ${describeFindingPart(row, t)}`),
      ),
  });
  const hasPicture = ({ id }: DamageRow) => pictures.closeUps.has(id);
  const coverage = plan ? describeCoverage(input, t) : '';
  const notes = compact([
    coverage && `${coverage}.`,
    ...(plan ? explainPlan([...rows, ...checks], plan, t) : []),
    describePriceScope(input, t),
  ]);
  return {
    id: 'first',
    title: '',
    blocks: compact<Block>([
      figures.length > 0 && makeFigures(figures),
      {
        kind: 'beside_plan',
        blocks: [...writeVerdict(input, rows, checks, t), ...((isPriced && table?.blocks) || [])],
        plan,
      },
      ...showVehicles(input, pictures, t),
      ...[
        crops('worst', t`Most severe damage`, sortBySeverity(rows.filter(hasPicture))),
        crops(
          rows.length > 0 ? 'thumbnails' : 'worst',
          t`To check: damage or reflection?`,
          sortByPriority(checks).filter(hasPicture),
        ),
      ].filter((one) => one.pictures.length > 0),
      makeParagraph(notes.join(' '), 'soft'),
    ]),
  };
}

/** Lists the warnings shown before the repair: several vehicles, a failure, a total loss, or no damage. */
function writeVerdict(
  input: Result,
  rows: readonly DamageRow[],
  checks: readonly DamageRow[],
  t: Translator,
): readonly Block[] {
  const results = input.inspection?.data.results;
  if (results && hasSeveralVehicles(results))
    return [...writeVehicles(input, t).blocks, ...(writeVehicleTable(input, t)?.blocks ?? [])];
  return compact([
    describeMissingGrade(input.inspection?.data, t),
    describeLossWarning(input.assessment, t),
    results && rows.length === 0 ? (checks.length > 0 ? t`No damage confirmed.` : sayNoDamage(t)) : null,
  ]).map((text) => makeParagraph(text, 'warning'));
}

/** Shows each of several vehicles in the photo with the most of its parts. */
function showVehicles(input: Result, { photos }: ReportPictures, t: Translator): readonly Pictures[] {
  const parts = splitVehicles(input);
  const pictures = parts.flatMap((part) => {
    const shown = part.inspection?.data.images
      .filter(({ index }) => photos.has(index))
      .toSorted((a, b) => (b.record?.parts.length ?? 0) - (a.record?.parts.length ?? 0))[0];
    const caption = titleVehicle(part, parts.length, t);
    return shown ? [{ picture: photos.get(shown.index), alt: caption, caption, missing: t`no picture` }] : [];
  });
  return pictures.length > 0 ? [{ kind: 'pictures', size: 'photos', pictures }] : [];
}

function makePlan(input: Result, rows: readonly DamageRow[], t: Translator): Plan {
  const [marks, unseen] = [listPartMarks(rows), listUnseenParts(input.inspection?.data.results)];
  return { views: drawViews(t), marks, unseen, words: describePlan({ marks, unseen }, t) };
}

/** Sorts damages by score, highest first; the worst damage of each part precedes all second damages of a part. */
function sortBySeverity(rows: readonly DamageRow[]): readonly DamageRow[] {
  const sorted = rows.toSorted((a, b) => b.score - a.score || a.number - b.number);
  const ofParts = new Map(sorted.toReversed().map((row) => [row.part, row]));
  const isFirst = (row: DamageRow) => ofParts.get(row.part) === row;
  return [...sorted.filter(isFirst), ...sorted.filter((row) => !isFirst(row))];
}

/** Builds the decision form, which offers only outcomes that the result supports. */
export function writeDecision(input: Result, t: Translator): Section {
  const boxes = [...listOutcomes(input, t), t`More photos needed`, t`Rejected`];
  return { id: 'decision', title: t`Decision`, blocks: [makeForm(boxes, t)] };
}

function listOutcomes({ inspection, assessment }: Result, t: Translator): readonly string[] {
  const { results } = inspection?.data ?? {};
  if (results && hasSeveralVehicles(results)) return [];
  if (assessment || (results && results.repair_cost.items > 0))
    return [t`Repair as estimated`, t`Repair with changes`, t`Total loss`];
  return results ? [t`No repair`, t`Repair, see remarks`, t`Total loss`] : [];
}
