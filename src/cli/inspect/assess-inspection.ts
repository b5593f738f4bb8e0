import type { Settings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { makeContentId } from '../../lib/ids.ts';
import { defined } from '../../lib/objects.ts';
import { readAssessmentRequest } from '../assess/assess-input.ts';
import { assessLocally } from '../local-engine.ts';
import type { KnownVehicle } from '../outputs/known-vehicle.ts';

/** Prices the damages of an inspection as `vehi assess` would; null without damages and of several vehicles. */
export async function assessInspection(
  inspection: InspectionEnvelope,
  { vehicle }: KnownVehicle,
  settings: Settings,
  now: () => Date,
): Promise<AssessmentEnvelope | null> {
  const { results } = inspection.data;
  if (!results?.damages.length || results.mixed_vehicles) return null;
  const { mileage_km, market_value, currency } = vehicle;
  // Values that an inspection does not contain; all others are in its `vehicle`.
  const stated = defined({ mileage_km, market_value, currency });
  const request = readAssessmentRequest(inspection);
  if (Object.keys(stated).length > 0) request.vehicle = { ...Object(request.vehicle), ...stated };
  return assessLocally(request, settings, now, {
    requestId: makeContentId('req', [inspection.data.inspection_id, now().toISOString()]),
  });
}
