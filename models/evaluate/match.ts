import { area, type Box, intersection } from '../../src/domain/geometry.ts';

/** A ground-truth box. A crowd matches any number of findings, none of which count. */
export interface Truth {
  readonly box: Box;
  readonly crowd: boolean;
}

/** Outcome of a finding: true positive, false positive, or inside a crowd. */
export type Verdict = 'hit' | 'miss' | 'ignored';

/** COCO's maximum findings per image and class. */
export const MAX_FINDINGS = 100;

/**
 * Matches the findings of one image and class greedily according to COCO: each finding, best first, takes the free box
 * with the largest IoU of at least `leastIou`; a crowd only if no box fits. Returns one verdict per finding.
 */
export function match(found: readonly Box[], truths: readonly Truth[], minIou: number): Verdict[] {
  const ordered = [...truths.filter(({ crowd }) => !crowd), ...truths.filter(({ crowd }) => crowd)];
  const taken = new Set<Truth>();
  return found.map((box) => {
    let best: Truth | undefined;
    let highest = Math.min(minIou, 1 - 1e-10);
    for (const truth of ordered) {
      if (taken.has(truth) && !truth.crowd) continue;
      if (best !== undefined && !best.crowd && truth.crowd) break;
      const overlap = computeCocoIou(box, truth);
      if (overlap < highest) continue;
      highest = overlap;
      best = truth;
    }
    if (best === undefined) return 'miss';
    taken.add(best);
    return best.crowd ? 'ignored' : 'hit';
  });
}

/** Returns the intersection over union; for a crowd, the intersection over the finding's own area. */
function computeCocoIou(found: Box, { box, crowd }: Truth): number {
  const shared = intersection(found, box);
  const whole = crowd ? area(found) : area(found) + area(box) - shared;
  return whole > 0 ? shared / whole : 0;
}
