import type { PartName } from '../../domain/parts.ts';
import type { ReportInput } from '../input.ts';
import { notDrawn, type PartMark } from '../plan/plan.ts';
import { lessCertainFinds, partWords } from '../words.ts';

/** Returns what score, cost and drawing leave out, one sentence or two each. */
export function glanceNotes(
  input: ReportInput,
  marks: ReadonlyMap<PartName, PartMark>,
  unseen: ReadonlySet<PartName>,
): readonly string[] {
  const results = input.inspection?.data.results;
  const uncertain = results?.dropped_detections.below_confidence ?? 0;
  const undrawn = notDrawn(marks).map((part) => {
    const { numbers, toCheck = [] } = marks.get(part) ?? { numbers: [] };
    return `${partWords(part)} (no. ${[...numbers, ...toCheck].join(', ')})`;
  });
  return [
    ...(unseen.size > 0 ? ['Hatched on the plan: not seen, or not well enough to judge it.'] : []),
    ...(results && results.to_check.length > 0
      ? ['A number with a question mark is a place to check: possible damage, in no sum and no grade.']
      : []),
    ...(uncertain > 0 ? [`${lessCertainFinds(uncertain)} listed nowhere: compare with the photos.`] : []),
    ...(undrawn.length > 0 ? [`Damaged, but not part of the drawing: ${undrawn.join('; ')}.`] : []),
  ];
}
