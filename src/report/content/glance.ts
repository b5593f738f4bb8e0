import type { Result } from '../../contract/result.ts';
import type { PartName } from '../../domain/parts.ts';
import { checkRows, listDamageRows } from '../input.ts';
import { describeUnplaced, isPlaced, listNotDrawn, type PartMark } from '../plan/plan.ts';
import { describePart } from '../words.ts';

/** Returns what score, cost and drawing leave out, one sentence or two each. */
export function writeGlanceNotes(
  input: Result,
  marks: ReadonlyMap<PartName, PartMark>,
  unseen: ReadonlySet<PartName>,
): readonly string[] {
  const results = input.inspection?.data.results;
  const undrawn = listNotDrawn(marks).map((part) => {
    const { numbers, toCheck = [] } = marks.get(part) ?? { numbers: [] };
    return `${describePart(part)} (no. ${[...numbers, ...toCheck].join(', ')})`;
  });
  const unplaced = [...listDamageRows(input), ...checkRows(input)]
    .filter((row) => !isPlaced(row))
    .map(({ number, toCheck }) => `${number}${toCheck ? '?' : ''}`);
  return [
    ...(unseen.size > 0 ? ['Hatched on the plan: not seen well enough to judge.'] : []),
    ...(results && results.to_check.length > 0
      ? ['A number with a question mark is a place to check, not in the total.']
      : []),
    ...(unplaced.length > 0 ? [describeUnplaced(unplaced)] : []),
    ...(undrawn.length > 0 ? [`Damaged, but not on the plan: ${undrawn.join('; ')}.`] : []),
  ];
}
