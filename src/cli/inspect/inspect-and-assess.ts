import type { Settings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { ManifestVehicle } from '../../images/find/manifest-file.ts';
import { contentId } from '../../lib/ids.ts';
import { requestOf } from '../assess/assess-input.ts';
import { assessLocally } from '../backend/assess-locally.ts';

/** Prices what an inspection found, as `vehi assess` would; null where nothing was found. */
export async function assessInspection(
  inspection: InspectionEnvelope,
  vehicle: ManifestVehicle | undefined,
  settings: Settings,
  now: () => Date,
): Promise<AssessmentEnvelope | null> {
  if (!inspection.data.results?.damages.length) return null;
  const { make, model, year, mileageKm, marketValue, currency } = vehicle ?? {};
  const known = {
    make,
    model,
    year,
    mileage_km: mileageKm,
    market_value: marketValue,
    currency,
    class: vehicle?.class,
  };
  const stated = Object.entries(known).filter(([, value]) => value !== undefined);
  const request = {
    ...requestOf(inspection),
    ...(stated.length > 0 ? { vehicle: Object.fromEntries(stated) } : {}),
  };
  return assessLocally(request, settings, now, {
    requestId: contentId('req', [inspection.data.inspection_id, now().toISOString()]),
  });
}
