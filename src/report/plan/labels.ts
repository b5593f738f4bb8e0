import { type Box, intersection } from '../../domain/geometry.ts';
import type { PartName } from '../../domain/parts.ts';
import { type PartMark, type PlanView, writeNumbersLabel } from './plan.ts';

/** The numbers of a part's damages on a view; the box in plan units of that view. */
export interface PlanLabel extends Box {
  readonly text: string;
}

/** How large the label of a text is drawn, plan units. */
interface LabelSize {
  readonly height: number;
  measureWidth(text: string): number;
}

/** Rows up or down in which a label looks for room, the nearest first. */
const STEPS = [0, 1, -1, 2, -2, 3, -3];

/**
 * Returns the labels of a view: each centred on its part, kept between the view's sides, moved up or down where one is
 * in the way.
 */
export function layLabels(
  view: PlanView,
  marks: ReadonlyMap<PartName, PartMark>,
  size: LabelSize,
): readonly PlanLabel[] {
  const labels: PlanLabel[] = [];
  for (const { part, at } of view.shapes) {
    const mark = part ? marks.get(part) : undefined;
    if (mark && at) labels.push(placeLabel(writeNumbersLabel(mark), at, view.size.width, size, labels));
  }
  return labels;
}

function placeLabel(
  text: string,
  [centreX, centreY]: readonly [number, number],
  viewWidth: number,
  { height, measureWidth }: LabelSize,
  others: readonly PlanLabel[],
): PlanLabel {
  const width = measureWidth(text);
  const x = Math.min(Math.max(0, centreX - width / 2), viewWidth - width);
  const at = (step: number) => ({ text, x, y: centreY - height / 2 + step * height * 1.1, width, height });
  return STEPS.map(at).find((one) => others.every((other) => intersection(one, other) === 0)) ?? at(0);
}
