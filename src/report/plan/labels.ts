import { type Box, intersection, type Size } from '../../domain/geometry.ts';
import type { PartName } from '../../domain/parts.ts';
import type { PartMark, PlanView } from './plan.ts';
import { writeNumbersLabel } from './plan-words.ts';

/** Finding numbers of a part on a view; the rectangle is in plan units of the view. */
export interface PlanLabel extends Box {
  readonly text: string;
}

/** Rendered size of a label in plan units. */
interface LabelSize {
  readonly height: number;
  measureWidth(text: string): number;
}

/** Vertical offsets tried for a label in label rows, nearest first. */
const OFFSETS = [0, 1, -1, 2, -2, 3, -3];

/** Places the labels of a view within it, each centered on its part, or above or below where that avoids overlap. */
export function placeLabels(
  view: PlanView,
  marks: ReadonlyMap<PartName, PartMark>,
  size: LabelSize,
): readonly PlanLabel[] {
  const labels: PlanLabel[] = [];
  for (const { part, at } of view.shapes) {
    const mark = part ? marks.get(part) : undefined;
    if (mark && at) labels.push(placeLabel(writeNumbersLabel(mark), at, view.size, size, labels));
  }
  return labels;
}

function placeLabel(
  text: string,
  [centerX, centerY]: readonly [number, number],
  view: Size,
  { height, measureWidth }: LabelSize,
  others: readonly PlanLabel[],
): PlanLabel {
  const width = measureWidth(text);
  const x = Math.max(0, Math.min(centerX - width / 2, view.width - width));
  const at = (step: number) => ({ text, x, y: centerY - height / 2 + step * height * 1.1, width, height });
  const inView = OFFSETS.map(at).filter(({ y }) => y >= 0 && y + height <= view.height);
  return inView.find((one) => others.every((other) => intersection(one, other) === 0)) ?? at(0);
}
