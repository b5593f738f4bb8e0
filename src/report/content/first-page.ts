import type { Result } from '../../contract/result.ts';
import type { PartName } from '../../domain/parts.ts';
import { describeVehicle, listClaimFacts } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import { describeFailure } from '../headline.ts';
import { checkRows, type DamageRow, isMixed, listDamageRows, readVehicleId, showsPrices } from '../input.ts';
import type { ReportPictures } from '../pictures.ts';
import {
  describePlan,
  drawViewsOf,
  listPartMarks,
  listUnseenParts,
  type PartMark,
  type PlanView,
} from '../plan/plan.ts';
import { describePart } from '../words.ts';
import { describeCoverage, describePrices, writeVehicles } from './answer.ts';
import { writeGlanceNotes } from './glance.ts';
import { sortByWorth } from './repair.ts';
import { describeReviewer } from './review.ts';
import { describeLossWarning } from './value.ts';

/** What a report is on, in words. */
interface Front {
  /** The vehicle, else the name it was given. */
  readonly title: string;
  /** Claim, plate, VIN and what else it is filed under; empty where nothing was given. */
  readonly filed: string;
  /** When it was inspected, and whether a person reviewed it. */
  readonly status: string;
}

/** Returns what a report is on, and whether a person reviewed it. */
export function writeFront(input: Result, generatedAt: Date): Front {
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
      ...facts.map(([label, value]) => `${label} ${value}`),
    ].join(' · '),
    status: [
      `${inspection ? 'Inspected' : 'Assessed'} ${formatDateTime(at)}`,
      ...(inspection ? [describeReviewer(input) ?? 'not reviewed'] : []),
    ].join(', '),
  };
}

/** A sentence that stands where the repair does, or above it. */
interface Sentence {
  readonly text: string;
  readonly bold: boolean;
}

/** Returns what must be said before the repair: several vehicles, a failure, a total loss, or that nothing is damaged. */
export function writeVerdict(input: Result): readonly Sentence[] {
  const results = input.inspection?.data.results;
  if (results && isMixed(results))
    return writeVehicles(input).blocks.flatMap((block) =>
      block.kind === 'paragraph' ? [{ text: block.text, bold: block.tone === 'warning' }] : [],
    );
  const failure = describeFailure(input.inspection?.data);
  const loss = describeLossWarning(input.assessment);
  const isClean = results && listDamageRows(input).length === 0;
  const open = checkRows(input).length > 0;
  return [
    ...(failure === null ? [] : [{ text: `No grade. ${failure}`, bold: true }]),
    ...(loss === null ? [] : [{ text: loss, bold: true }]),
    ...(isClean
      ? [{ text: open ? 'No damage confirmed.' : 'No damage found, nothing to check.', bold: true }]
      : []),
  ];
}

/** The plan of the vehicle with what is marked on it, and the same in words. */
export interface Plan {
  readonly views: readonly PlanView[];
  readonly marks: ReadonlyMap<PartName, PartMark>;
  readonly unseen: ReadonlySet<PartName>;
  readonly words: string;
}

/** What the first page shows below its figures, next to the repair and below it. */
interface FirstPage {
  /** Null where the photos show several vehicles, whose parts are not those of one. */
  readonly plan: Plan | null;
  /** The worst damages and the places most worth a look, as far as they have a picture. */
  readonly worst: readonly DamageRow[];
  readonly toCheck: readonly DamageRow[];
  /** What was seen, what the plan leaves out, and what the prices hold. */
  readonly seen: string;
}

export const CROP_TITLES = { worst: 'The worst places', toCheck: 'To check: damage or reflection?' } as const;
export const MOST_CROPS = { worst: 4, toCheck: 8 } as const;

/** Returns what stands on the first page of a report besides its head, figures, repair and decision. */
export function writeFirstPage(input: Result, pictures: Pick<ReportPictures, 'closeUps'>): FirstPage {
  const [rows, checks] = [listDamageRows(input), checkRows(input)];
  const hasPicture = ({ id }: DamageRow) => pictures.closeUps.has(id);
  const plan = showsPrices(input.inspection) ? makePlan(input, [...rows, ...checks]) : null;
  return {
    plan,
    worst: listWorst(rows.filter(hasPicture), MOST_CROPS.worst),
    toCheck: sortByWorth(checks).filter(hasPicture).slice(0, MOST_CROPS.toCheck),
    seen: [
      ...(plan ? [describeCoverage(input)].filter(Boolean).map((text) => `${text}.`) : []),
      ...(plan ? writeGlanceNotes(input, plan.marks, plan.unseen) : []),
      ...describePrices(input),
    ].join(' '),
  };
}

function makePlan(input: Result, rows: readonly DamageRow[]): Plan {
  const [marks, unseen] = [listPartMarks(rows), listUnseenParts(input)];
  return { views: drawViewsOf(input), marks, unseen, words: describePlan(marks, unseen, describePart) };
}

/** Returns the worst damages, the worst of each part before others of it. */
function listWorst(rows: readonly DamageRow[], most: number): readonly DamageRow[] {
  const sorted = rows.toSorted((a, b) => b.score - a.score || a.number - b.number);
  const ofParts = new Map(sorted.toReversed().map((row) => [row.part, row]));
  const isFirst = (row: DamageRow) => ofParts.get(row.part) === row;
  return [...sorted.filter(isFirst), ...sorted.filter((row) => !isFirst(row))].slice(0, most);
}
