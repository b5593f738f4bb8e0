import type { Result } from '../../contract/result.ts';
import { describeVehicle, listClaimFacts } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import { describeFailure } from '../headline.ts';
import { checkRows, type DamageRow, isMixed, listDamageRows, readVehicleId, showsPrices } from '../input.ts';
import { listPartMarks, listUnseenParts } from '../plan/plan.ts';
import { describeCoverage, describePrices, writeVehicles } from './answer.ts';
import { writeGlanceNotes } from './glance.ts';
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

/** Returns the worst damages, the worst of each part before others of it. */
export function listWorst(rows: readonly DamageRow[], most: number): readonly DamageRow[] {
  const sorted = rows.toSorted((a, b) => b.score - a.score || a.number - b.number);
  const ofParts = new Map(sorted.toReversed().map((row) => [row.part, row]));
  const isFirst = (row: DamageRow) => ofParts.get(row.part) === row;
  return [...sorted.filter(isFirst), ...sorted.filter((row) => !isFirst(row))].slice(0, most);
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

/** Returns in one paragraph what was seen, what the plan leaves out, and what the prices hold. */
export function writeSeen(input: Result): string {
  const marks = listPartMarks([...listDamageRows(input), ...checkRows(input)]);
  // The parts of several vehicles are no parts seen of one.
  const coverage = showsPrices(input.inspection) ? describeCoverage(input) : '';
  return [
    ...(coverage === '' ? [] : [`${coverage}.`]),
    ...writeGlanceNotes(input, marks, listUnseenParts(input)),
    ...describePrices(input),
  ].join(' ');
}
