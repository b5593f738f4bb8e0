import type { Settings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { toKilometres } from '../../domain/claim-file.ts';
import { pickEquipment } from '../../domain/vehicle.ts';
import type { ManifestVehicle } from '../../images/find/manifest-file.ts';
import { makeContentId } from '../../lib/ids.ts';
import { readAssessmentRequest } from '../assess/assess-input.ts';
import { assessLocally } from '../backend/assess-locally.ts';
import type { KnownVehicle } from '../outputs/claim-file.ts';

/** Prices what an inspection found, as `vehi assess` would; null where nothing was found. */
export async function assessInspection(
  inspection: InspectionEnvelope,
  { vehicle, settlement, edits }: KnownVehicle,
  settings: Settings,
  now: () => Date,
): Promise<AssessmentEnvelope | null> {
  if (!inspection.data.results?.damages.length) return null;
  const { make, model, year, market_value, currency } = vehicle;
  const known = {
    make,
    model,
    year,
    mileage_km: vehicle.mileage_km ?? readMileage(vehicle),
    market_value,
    currency,
    class: vehicle.class,
    paint: vehicle.paint,
    ...pickEquipment(vehicle),
  };
  const stated = Object.entries(known).filter(([, value]) => value !== undefined);
  const request = readAssessmentRequest(inspection);
  // What the inspection itself says of the vehicle (VIN, plate, paint code) stays with the estimate.
  if (stated.length > 0) request.vehicle = { ...Object(request.vehicle), ...Object.fromEntries(stated) };
  if (settlement !== undefined) request.settlement = settlement;
  if (edits !== undefined) request.line_edits = edits;
  return assessLocally(request, settings, now, {
    requestId: makeContentId('req', [inspection.data.inspection_id, now().toISOString()]),
  });
}

/** Returns the mileage that prices depend on; undefined for a reading without a unit, which may be either. */
function readMileage({ odometer }: ManifestVehicle): number | undefined {
  const { value, unit } = odometer ?? {};
  return value === undefined || unit === undefined ? undefined : toKilometres({ value, unit });
}
