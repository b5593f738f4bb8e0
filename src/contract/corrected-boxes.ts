import type { Correction } from './review.ts';

/**
 * Lists the corrected boxes of a decision; one without a photo is in the best photo of its finding. `at` is the suffix of
 * its path in the decision: empty for `box`, else such as `.boxes[1]`.
 */
export function listBoxes({ box, image_index, boxes = [] }: Correction) {
  const further = boxes.map((one, i) => ({ ...one, at: `.boxes[${i}]` }));
  return box ? [...further, { box, image_index, at: '' }] : further;
}
