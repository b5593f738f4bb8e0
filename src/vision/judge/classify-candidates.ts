import type { RgbImage } from '../../domain/photo.ts';
import type { ModelCalls } from '../model-calls.ts';
import type { ClassifyModel } from '../models/manifest.ts';
import type { Candidate, ClassifiedCandidate } from './evidence.ts';

/** Classifies each candidate; boxes in pixels of the raster. */
export async function classifyCandidates(
  candidates: readonly Candidate[],
  model: ClassifyModel,
  raster: RgbImage,
  classify: ModelCalls['classify'],
): Promise<Map<Candidate, ClassifiedCandidate>> {
  const entries = candidates.map(async (candidate) => {
    const { damage, kinds } = await classify(model, raster, candidate.box);
    const byLabel = Object.fromEntries(model.labels.map((label, at) => [label, kinds[at] ?? 0]));
    return [candidate, { damage, kinds: byLabel }] as const;
  });
  return new Map(await Promise.all(entries));
}
