import type { Box } from '../../domain/geometry.ts';
import type { Square } from './close-up.ts';
import type { Candidate, ClassifiedCandidate } from './evidence.ts';

/** Classifies a box of one photo in a close-up, by default the square around the box; pixels of the raster. */
export type Classify = (box: Box, closeUp?: Square) => Promise<ClassifiedCandidate>;

/** Classifies each candidate. */
export async function classifyCandidates<C extends Candidate>(
  candidates: readonly C[],
  classify: Classify,
): Promise<Map<Candidate, ClassifiedCandidate>> {
  return new Map(await Promise.all(candidates.map(async (one) => [one, await classify(one.box)] as const)));
}
