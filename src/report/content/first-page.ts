import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { type DamageRow, formatFindingNumber, listDamageRows, listToCheckRows } from '../finding-rows.ts';
import { hasSeveralVehicles, showsPrices } from '../grade.ts';
import { describeMissingGrade, listFigures, sayNoDamage } from '../headline.ts';
import type { ReportPictures } from '../pictures.ts';
import { drawViews, listPartMarks, listUnseenParts, type Plan } from '../plan/plan.ts';
import { describePlan, explainPlan } from '../plan/plan-words.ts';
import type { Say } from '../say.ts';
import { splitVehicles } from '../split-vehicles.ts';
import { describeFindingPart } from '../words.ts';
import { type Block, makeFigures, makeForm, makeParagraph, type Pictures, type Section } from './blocks.ts';
import { describeCoverage } from './coverage.ts';
import { showCloseUp } from './photos.ts';
import { describePrices } from './price-scope.ts';
import { sortByPriority, writeRepair, writeToCheckTable } from './repair.ts';
import { describeLossWarning } from './value.ts';
import { titleVehicle, writeVehicles, writeVehicleTable } from './vehicles.ts';

const MAX_CROPS = { worst: 4, thumbnails: 8 } as const;

/**
 * Builds the first page below the title block: figures; the plan next to the repair or, without damages, the locations
 * to check; close-ups of the worst damages and of the top places to check; coverage and prices.
 */
export function writeFirstPage(input: Result, pictures: ReportPictures, say: Say): Section {
  const [rows, checks] = [listDamageRows(input), listToCheckRows(input)];
  const figures = listFigures(input, undefined, say);
  const isPriced = showsPrices(input.inspection);
  const table =
    rows.length > 0
      ? writeRepair(input, { showsPhotos: false }, say)
      : writeToCheckTable(input, { showsPhotos: false }, say);
  const plan = isPriced ? makePlan(input, [...rows, ...checks], say) : null;
  const crops = (size: 'worst' | 'thumbnails', title: string, findings: readonly DamageRow[]): Pictures => ({
    kind: 'pictures',
    size,
    title,
    pictures: findings
      .slice(0, MAX_CROPS[size])
      .map((row) =>
        showCloseUp(row, pictures, say, `${formatFindingNumber(row)} ${describeFindingPart(row, say)}`),
      ),
  });
  const hasPicture = ({ id }: DamageRow) => pictures.closeUps.has(id);
  const coverage = plan ? describeCoverage(input, say) : '';
  const notes = compact([
    coverage && `${coverage}.`,
    ...(plan ? explainPlan([...rows, ...checks], plan, say) : []),
    ...describePrices(input, say),
  ]);
  return {
    id: 'first',
    title: '',
    blocks: compact<Block>([
      figures.length > 0 && makeFigures(figures),
      {
        kind: 'beside_plan',
        blocks: [...writeVerdict(input, rows, checks, say), ...((isPriced && table?.blocks) || [])],
        plan,
      },
      ...showVehicles(input, pictures, say),
      ...[
        crops('worst', say`Most severe damage`, sortBySeverity(rows.filter(hasPicture))),
        crops(
          rows.length > 0 ? 'thumbnails' : 'worst',
          say`To check: damage or reflection?`,
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
  say: Say,
): readonly Block[] {
  const results = input.inspection?.data.results;
  if (results && hasSeveralVehicles(results))
    return [...writeVehicles(input, say).blocks, ...(writeVehicleTable(input, say)?.blocks ?? [])];
  return compact([
    describeMissingGrade(input.inspection?.data, say),
    describeLossWarning(input.assessment, say),
    results && rows.length === 0 ? (checks.length > 0 ? say`No damage confirmed.` : sayNoDamage(say)) : null,
  ]).map((text) => makeParagraph(text, 'warning'));
}

/** Shows each of several vehicles in the photo with the most of its parts. */
function showVehicles(input: Result, { photos }: ReportPictures, say: Say): readonly Pictures[] {
  const parts = splitVehicles(input);
  const pictures = parts.flatMap((part) => {
    const shown = part.inspection?.data.images
      .filter(({ index }) => photos.has(index))
      .toSorted((a, b) => (b.record?.parts.length ?? 0) - (a.record?.parts.length ?? 0))[0];
    const caption = titleVehicle(part, parts.length, say);
    return shown
      ? [{ picture: photos.get(shown.index), alt: caption, caption, missing: say`no picture` }]
      : [];
  });
  return pictures.length > 0 ? [{ kind: 'pictures', size: 'photos', pictures }] : [];
}

function makePlan(input: Result, rows: readonly DamageRow[], say: Say): Plan {
  const [marks, unseen] = [listPartMarks(rows), listUnseenParts(input.inspection?.data.results)];
  return { views: drawViews(say), marks, unseen, words: describePlan(marks, unseen, say) };
}

/** Sorts damages by score, highest first; the worst damage of each part precedes all second damages of a part. */
function sortBySeverity(rows: readonly DamageRow[]): readonly DamageRow[] {
  const sorted = rows.toSorted((a, b) => b.score - a.score || a.number - b.number);
  const ofParts = new Map(sorted.toReversed().map((row) => [row.part, row]));
  const isFirst = (row: DamageRow) => ofParts.get(row.part) === row;
  return [...sorted.filter(isFirst), ...sorted.filter((row) => !isFirst(row))];
}

/**
 * Builds the decision form. "As estimated" requires an estimate. After a failed inspection, or with several vehicles in
 * one result, the form offers no decision on the vehicle.
 */
export function writeDecision(input: Result, say: Say): Section {
  const boxes = [...listOutcomes(input, say), say`More photos needed`, say`Rejected`];
  return { id: 'decision', title: say`Decision`, blocks: [makeForm(boxes, say)] };
}

function listOutcomes({ inspection, assessment }: Result, say: Say): readonly string[] {
  const { results } = inspection?.data ?? {};
  if (results && hasSeveralVehicles(results)) return [];
  if (assessment || (results && results.repair_cost.items > 0))
    return [say`Repair as estimated`, say`Repair with changes`, say`Total loss`];
  return results ? [say`No repair`, say`Repair, see remarks`, say`Total loss`] : [];
}
