import type { RgbImage } from '../domain/photo.ts';
import type { Presence } from '../domain/sight/sighting.ts';
import type { ModelCalls } from './model-calls.ts';
import type { RunnableModel } from './run/protocol.ts';

/** Added to the vehicle check's score, so that zero is no veto; the classifier's log odds are fitted with it. */
const SCORE_FLOOR = 0.01;

/**
 * Returns the probability that a photo shows a vehicle. Combines the vehicle check, trained on whole cars
 * among other objects, with the classifier, trained on car surfaces; undefined if the classifier lacks that output.
 * Source: models/vehicle.md.
 */
export async function checkPresence(
  classifier: RunnableModel<'classifier'>,
  check: RunnableModel<'vehicle'>,
  calls: Pick<ModelCalls, 'readVehicleLogOdds' | 'readVehicleConfidence'>,
  raster: RgbImage,
): Promise<Presence | undefined> {
  const [logOdds, score] = await Promise.all([
    calls.readVehicleLogOdds(classifier, raster),
    calls.readVehicleConfidence(check, raster),
  ]);
  if (logOdds === undefined) return undefined;
  return { score: 1 / (1 + Math.exp(-logOdds) / (score + SCORE_FLOOR)), limit: check.model.threshold };
}
