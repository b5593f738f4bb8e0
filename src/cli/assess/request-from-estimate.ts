import { type AssessmentEnvelope, AssessmentEnvelopeSchema } from '../../contract/assessment/assessment.ts';
import type { AssessedDamage } from '../../contract/assessment/damage.ts';
import type { RawRequest } from '../../engine/assess/request-from-inspection.ts';
import { findFaults } from '../../lib/check.ts';
import { VehiError } from '../../lib/errors.ts';
import { defined } from '../../lib/objects.ts';

type EstimateRequest = RawRequest & { readonly overrides: readonly RawRequest[] };

/**
 * Rebuilds the request behind an estimate, without line edits: damages, overrides and options.
 * @throws VehiError input that names the first field in which `document` is not an estimate
 */
export function makeRequestFromEstimate(document: unknown, file: string): EstimateRequest {
  const code = 'NOT_AN_ESTIMATE';
  const [fault] = findFaults(AssessmentEnvelopeSchema, document, { chooseCode: () => code });
  if (fault)
    throw new VehiError('input', code, `${file} is not an estimate: ${fault.message}`, {
      hint: 'Give the JSON of vehi assess --json, or of vehi assess -o FILE.json.',
    });
  const { data, meta } = document as AssessmentEnvelope;
  const { class_used: _class, vin_check_digit: _digit, ...vehicle } = data.vehicle;
  const { estimate } = data;
  const parts = data.assessed_damages.flatMap(({ repair_options: options }) =>
    options.flatMap((one) => one.parts_required),
  );
  return {
    vehicle_id: data.vehicle_id,
    ...defined({ inspection_id: data.inspection_id }),
    damages: data.assessed_damages.map(copyDamage),
    vehicle,
    ...defined({ claim: data.claim }),
    assessment_options: {
      labor_rate_region: meta.region,
      currency: meta.currency,
      associated_operations: estimate.associated_operations,
      // An estimate that buys no part does not say whether it would show prices.
      include_part_prices: parts.length === 0 || parts.some((one) => one.oem_price !== undefined),
      include_repair_timeline: data.summary.repair_timeline !== undefined,
    },
    overrides: data.assessed_damages.flatMap(copyOverrides),
  };
}

function copyDamage(damage: AssessedDamage): RawRequest {
  const { damage_id, type, subtype, location, severity, severity_score, count } = damage;
  const { size_cm: length, size_uncertainty_cm: uncertainty_cm } = damage;
  return {
    damage_id,
    type,
    ...defined({ subtype }),
    location,
    severity,
    severity_score,
    ...defined({ count }),
    ...(length === undefined ? {} : { measurements: { length, unit: 'cm', ...defined({ uncertainty_cm }) } }),
  };
}

/** Returns the override that the damage itself does not reflect, that of the option. */
function copyOverrides({ damage_id, overrides = [] }: AssessedDamage): RawRequest[] {
  const chosen = overrides.find(({ field }) => field === 'option');
  return chosen ? [{ damage_id, option: chosen.value, ...defined({ reason: chosen.reason }) }] : [];
}
