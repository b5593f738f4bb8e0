import type { Box } from '../../domain/geometry.ts';
import type { DetectorLabel } from '../../domain/sight/detection.ts';
import type { Classified } from '../run/protocol.ts';
import type { Candidate, ClassifiedCandidate } from './evidence.ts';

/** What the classifier says of each candidate. `labels`: of its kinds, in their order; boxes in the frame of `classify`. */
export async function classifyCandidates(
  candidates: readonly Candidate[],
  labels: readonly DetectorLabel[],
  classify: (box: Box) => Promise<Classified>,
): Promise<Map<Candidate, ClassifiedCandidate>> {
  const said = candidates.map(async (candidate) => {
    const { damage, kinds } = await classify(candidate.box);
    const byLabel = Object.fromEntries(labels.map((label, at) => [label, kinds[at] ?? 0]));
    return [candidate, { damage, kinds: byLabel }] as const;
  });
  return new Map(await Promise.all(said));
}
