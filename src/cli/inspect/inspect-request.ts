import { readExplicit, readLimitOverrides, type Settings } from '../../config/settings.ts';
import { MAX_IMAGES } from '../../domain/photo-limits.ts';
import type { ClaimFile } from '../../domain/vehicle/claim-file.ts';
import type { InspectRequest } from '../../engine/request.ts';
import type { GatheredPhotos } from '../../images/find/gather-photos.ts';
import { VehiError } from '../../lib/errors.ts';
import { defined } from '../../lib/objects.ts';
import type { FlagsOf } from '../commands.ts';
import { checkVehicleId } from '../known-vehicle.ts';

export type InspectFlags = FlagsOf<'inspect'>;

/** Builds the request for the engine. @throws VehiError TOO_MANY_IMAGES, or INVALID_REQUEST for an unusable vehicle id */
export function makeInspectRequest(
  id: string,
  { photos, problems }: Pick<GatheredPhotos, 'photos' | 'problems'>,
  { claim, vehicle }: ClaimFile,
  flags: InspectFlags,
  settings: Settings,
): InspectRequest {
  if (photos.length > MAX_IMAGES) {
    const message = `${photos.length} photos; one inspection takes at most ${MAX_IMAGES}.`;
    throw new VehiError('input', 'TOO_MANY_IMAGES', message, {
      field: 'images',
      hint: 'Inspect one vehicle at a time, or leave out photos that show the same.',
    });
  }
  return {
    vehicleId: checkVehicleId(id),
    photos,
    rejected: problems,
    ...defined({ vehicle, claim }),
    options: {
      detailed: Boolean(flags.detailed),
      hiddenDamage: Boolean(flags.hiddenDamage),
      ...(flags.oneVehicle ? { oneVehicle: true } : {}),
      region: settings.region.value,
      currency: readExplicit(settings.currency),
      sensitivity: settings.sensitivity.value,
      minConfidence: settings.min_confidence.value,
      ...defined({ ownLimits: readLimitOverrides(settings) }),
    },
  };
}
