import type { PartName } from '../../domain/parts.ts';
import type { ReportInput } from '../input.ts';
import { notDrawn, type PartMark } from '../plan/plan.ts';
import { lessCertainFinds, partWords } from '../words.ts';

/** What score, cost and drawing leave out, one sentence or two each. */
export function glanceNotes(input: ReportInput, marks: ReadonlyMap<PartName, PartMark>): readonly string[] {
  const uncertain = input.inspection?.data.results?.dropped_detections.below_confidence ?? 0;
  const undrawn = notDrawn(marks).map(
    (part) => `${partWords(part)} (no. ${marks.get(part)?.numbers.join(', ')})`,
  );
  return [
    ...(uncertain > 0
      ? [
          `Score and cost count the damages listed. ${lessCertainFinds(uncertain)} not among them: compare with the photos.`,
        ]
      : []),
    ...(undrawn.length > 0 ? [`Damaged, but not part of the drawing: ${undrawn.join('; ')}.`] : []),
  ];
}
