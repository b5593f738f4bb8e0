import { computeVehicleShare, type MeasuredParts } from './part-map.ts';
import type { Presence } from './sighting.ts';

/** Result of the vehicle check, with the measured value and its threshold. */
export interface VehicleCheck {
  readonly passed: boolean;
  /** Share of the picture or model confidence; 0 to 1, like `limit`. */
  readonly value: number;
  readonly limit: number;
}

/** Minimum share of the picture for a vehicle. */
const MIN_SHARE = 0.03;
/** Mean certainty below which a map is noise. */
const MIN_MAP_CERTAINTY = 0.25;
/**
 * Maps with at most this many parts need the given mean certainty: the segmenter sees walls and asphalt as one
 * uncertain part.
 */
const MAX_FEW_PARTS = 2;
const MIN_SURE_CERTAINTY = 0.7;
/** Added to the threshold of `presence` if only one or two unsure parts suggest a vehicle; loses 2 of 988 vehicles. */
const UNSURE_PARTS_MARGIN = 0.03;
/** Share, number and mean certainty of parts that suffice to show a vehicle; no photo without one reaches all three. */
const SURE_VEHICLE = { share: 0.1, parts: 3, certainty: 0.75 } as const;

/** Returns whether the parts leave open if the photo shows a vehicle. */
export function isVehicleUncertain({ mass, certainty, visibleParts }: MeasuredParts): boolean {
  return (
    certainty < SURE_VEHICLE.certainty ||
    visibleParts.length < SURE_VEHICLE.parts ||
    computeVehicleShare(mass) < SURE_VEHICLE.share
  );
}

/**
 * Returns whether there is a vehicle, by `presence` if available, else by the parts alone. The segmenter never saw
 * pictures without a vehicle in training, so its own uncertainty decides. Source of the limits: models/vehicle.md.
 */
export function checkVehicle(measured: MeasuredParts, presence?: Presence): VehicleCheck {
  const share = computeVehicleShare(measured.mass);
  if (share < MIN_SHARE) return { passed: false, value: share, limit: MIN_SHARE };
  const { certainty, visibleParts } = measured;
  const areFew = visibleParts.length <= MAX_FEW_PARTS;
  if (presence) {
    const limit = presence.limit + (areFew && certainty < MIN_SURE_CERTAINTY ? UNSURE_PARTS_MARGIN : 0);
    return { passed: presence.score >= limit, value: presence.score, limit };
  }
  const limit = areFew ? MIN_SURE_CERTAINTY : MIN_MAP_CERTAINTY;
  return { passed: certainty >= limit, value: certainty, limit };
}
