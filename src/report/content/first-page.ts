import type { Result } from '../../contract/result.ts';
import type { PartName } from '../../domain/parts.ts';
import { describeVehicle, listClaimFacts } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import {
  type DamageRow,
  listDamageRows,
  listToCheckRows,
  readVehicleId,
  showsPrices,
} from '../finding-rows.ts';
import { describeFailure, listFigures } from '../headline.ts';
import type { ReportPictures } from '../pictures.ts';
import {
  describePlan,
  describeUnplaced,
  drawViewsOf,
  isPlaced,
  listNotDrawn,
  listPartMarks,
  listUnseenParts,
  type PartMark,
  type Plan,
} from '../plan/plan.ts';
import { describeFindingPart, describePart, isMixed } from '../words.ts';
import { describeCoverage, describePrices, writeVehicles } from './answer.ts';
import { type Block, type Form, makeFigures, makeParagraph, type Pictures, type Section } from './blocks.ts';
import { chooseLanguage } from './language.ts';
import { showCloseUp } from './photos.ts';
import { sortByWorth, writeRepair, writeToCheckTable } from './repair.ts';
import { describeReviewer } from './review.ts';
import { translateFact } from './translate.ts';
import { describeLossWarning } from './value.ts';

/** Title block of a report. */
export interface Front {
  /** Vehicle description, or the vehicle id if there is none. */
  readonly title: string;
  /** Claim, plate, VIN and other references; empty if none were given. */
  readonly filed: string;
  /** Inspection date and review status. */
  readonly status: string;
}

/** Builds the title block in the region's language, including the review status. */
export function writeFront(input: Result, generatedAt: Date): Front {
  const { say } = chooseLanguage(input);
  const { inspection, assessment } = input;
  const vehicle = describeVehicle(input);
  const data = inspection?.data;
  const at =
    data?.completed_at ?? data?.created_at ?? assessment?.data.created_at ?? generatedAt.toISOString();
  const facts = listClaimFacts(input).filter(([label]) => label !== 'Vehicle');
  return {
    title: vehicle ?? readVehicleId(input),
    filed: [
      ...(vehicle === undefined ? [] : [readVehicleId(input)]),
      ...facts.map((fact) => translateFact(fact, say).join(' ')),
    ].join(' · '),
    status: [
      `${inspection ? 'Inspected' : 'Assessed'} ${formatDateTime(at)}`,
      ...(inspection ? [describeReviewer(input) ?? 'not reviewed'] : []),
    ]
      .map(say)
      .join(', '),
  };
}

const MAX_CROPS = { worst: 4, thumbnails: 8 } as const;

/**
 * Builds the first page below the title block: figures; the plan next to the repair or, without damages, the locations
 * to check; close-ups of the worst damages and of the top places to check; coverage and prices.
 */
export function writeFirstPage(input: Result, pictures: ReportPictures): Section {
  const [rows, checks] = [listDamageRows(input), listToCheckRows(input)];
  const figures = listFigures(input);
  const isPriced = showsPrices(input.inspection);
  const look = { photos: false };
  // Without damages, the places to check take the place of the repair.
  const table = rows.length > 0 ? writeRepair(input, look) : writeToCheckTable(input, look);
  const listed = isPriced ? (table?.blocks ?? []) : [];
  const plan = isPriced ? makePlan(input, [...rows, ...checks]) : null;
  const crops = (size: 'worst' | 'thumbnails', title: string, findings: readonly DamageRow[]): Pictures => ({
    kind: 'pictures',
    size,
    title,
    pictures: findings
      .slice(0, MAX_CROPS[size])
      .map((row) =>
        showCloseUp(row, pictures, `${row.number}${row.toCheck ? '?' : ''} ${describeFindingPart(row)}`),
      ),
  });
  const hasPicture = ({ id }: DamageRow) => pictures.closeUps.has(id);
  const seen = [
    ...(plan ? [describeCoverage(input)].filter(Boolean).map((text) => `${text}.`) : []),
    ...(plan ? explainPlan(input, plan.marks, plan.unseen) : []),
    ...describePrices(input),
  ];
  return {
    id: 'first',
    title: '',
    blocks: [
      ...(figures.length > 0 ? [makeFigures(figures)] : []),
      { kind: 'beside_plan', blocks: [...writeVerdict(input), ...listed], plan },
      ...[
        crops('worst', 'The worst places', sortWorst(rows.filter(hasPicture))),
        crops(
          rows.length > 0 ? 'thumbnails' : 'worst',
          'To check: damage or reflection?',
          sortByWorth(checks).filter(hasPicture),
        ),
      ].filter((one) => one.pictures.length > 0),
      makeParagraph(seen.join(' '), 'soft'),
    ],
  };
}

/** Lists the warnings shown before the repair: several vehicles, a failure, a total loss, or no damage. */
function writeVerdict(input: Result): readonly Block[] {
  const results = input.inspection?.data.results;
  if (results && isMixed(results)) return writeVehicles(input).blocks;
  const failure = describeFailure(input.inspection?.data);
  const loss = describeLossWarning(input.assessment);
  const isClean = results && listDamageRows(input).length === 0;
  const open = listToCheckRows(input).length > 0;
  return [
    ...(failure === null ? [] : [`No grade. ${failure}`]),
    ...(loss === null ? [] : [loss]),
    ...(isClean ? [open ? 'No damage confirmed.' : 'No damage found, nothing to check.'] : []),
  ].map((text) => makeParagraph(text, 'warning'));
}

function makePlan(input: Result, rows: readonly DamageRow[]): Plan {
  const [marks, unseen] = [listPartMarks(rows), listUnseenParts(input)];
  return { views: drawViewsOf(input), marks, unseen, words: describePlan(marks, unseen, describePart) };
}

/** Explains the plan's hatching and question marks, and lists damages that it does not show. */
export function explainPlan(
  input: Result,
  marks: ReadonlyMap<PartName, PartMark>,
  unseen: ReadonlySet<PartName>,
): readonly string[] {
  const checks = listToCheckRows(input);
  const undrawn = listNotDrawn(marks).map((part) => {
    const { numbers, toCheck = [] } = marks.get(part) ?? { numbers: [] };
    return `${describePart(part)} (no. ${[...numbers, ...toCheck.map((number) => `${number}?`)].join(', ')})`;
  });
  const unplaced = [...listDamageRows(input), ...checks]
    .filter((row) => !isPlaced(row))
    .map(({ number, toCheck }) => `${number}${toCheck ? '?' : ''}`);
  return [
    ...(unseen.size > 0 ? ['Hatched on the plan: not seen well enough to judge.'] : []),
    ...(checks.length > 0 ? ['A number with a question mark is a place to check, not in the total.'] : []),
    ...(unplaced.length > 0 ? [describeUnplaced(unplaced)] : []),
    ...(undrawn.length > 0 ? [`Not on the plan: ${undrawn.join('; ')}.`] : []),
  ];
}

/** Sorts damages by score, highest first; the worst damage of each part precedes all second damages of a part. */
function sortWorst(rows: readonly DamageRow[]): readonly DamageRow[] {
  const sorted = rows.toSorted((a, b) => b.score - a.score || a.number - b.number);
  const ofParts = new Map(sorted.toReversed().map((row) => [row.part, row]));
  const isFirst = (row: DamageRow) => ofParts.get(row.part) === row;
  return [...sorted.filter(isFirst), ...sorted.filter((row) => !isFirst(row))];
}

/**
 * Builds the decision form. "As estimated" requires an estimate. After a failed inspection, or with several vehicles in
 * one result, the form offers no decision on the vehicle.
 */
export function writeDecision(input: Result): Section & { readonly blocks: readonly [Form] } {
  const boxes = [...listOutcomes(input), 'More photos needed', 'Rejected'];
  return {
    id: 'decision',
    title: 'Decision',
    blocks: [{ kind: 'form', boxes, lines: ['Remarks', 'Name', 'Date', 'Signature'] }],
  };
}

function listOutcomes({ inspection, assessment }: Result): readonly string[] {
  const { results } = inspection?.data ?? {};
  if (results && isMixed(results)) return [];
  if (assessment || (results && results.repair_cost.items > 0))
    return ['Repair as estimated', 'Repair with changes', 'Total loss'];
  return results ? ['No repair', 'Repair, see remarks', 'Total loss'] : [];
}
