import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessedDamage } from '../../contract/assessment/damage.ts';
import type { EstimateLine } from '../../contract/assessment/lines.ts';
import type { RawRequest } from '../../engine/assess/of-inspection.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { defined } from '../../lib/objects.ts';

/**
 * Builds the request that an estimate answers: damages, overrides, edits and options.
 * @throws VehiError input if `earlier` is not an estimate with lines
 */
export function makeRequestOfEstimate(document: unknown, file: string): RawRequest {
  const earlier = document as AssessmentEnvelope;
  const lines = isObject(document) && isObject(document.data) ? earlier.data.estimate?.lines : undefined;
  if (!Array.isArray(lines))
    throw new VehiError('input', 'NOT_AN_ESTIMATE', `${file} is not an estimate with lines.`, {
      hint: 'Give the JSON of vehi assess --json, or of vehi assess -o FILE.json.',
    });
  const { data, meta } = earlier;
  const { class_used: _class, vin_check_digit: _digit, ...vehicle } = data.vehicle;
  const { estimate } = data;
  const overrides = data.assessed_damages.flatMap(copyOverrides);
  const agreed = estimate.agreed_prices ?? [];
  const edits = [...lines.flatMap((line) => copyEdits(line, agreed)), ...agreed];
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
    },
    ...(overrides.length > 0 ? { overrides } : {}),
    ...(edits.length > 0 ? { line_edits: edits } : {}),
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

/** Returns the overrides not reflected in the damage itself: the option. */
function copyOverrides({ damage_id, overrides = [] }: AssessedDamage): RawRequest[] {
  const kept = overrides.filter(({ field }) => field === 'option');
  if (kept.length === 0) return [];
  const reason = kept.find((one) => one.reason !== undefined)?.reason;
  return [
    {
      damage_id,
      ...Object.fromEntries(kept.map(({ field, value }) => [field, value])),
      ...defined({ reason }),
    },
  ];
}

/** Converts a user's changes of a line to edits, except agreed prices, which apply again anyway. */
function copyEdits(line: EstimateLine, agreed: readonly { readonly part: string }[]): RawRequest[] {
  const { computed, hours, price, labor } = line;
  const reason = line.reason === undefined ? {} : { reason: line.reason };
  if (line.group === 'added') {
    const { operation, part, department, tax_class } = line;
    const figures = { hours, ...(price === null ? {} : { price, tax_class }) };
    return [{ add: { operation, part, department, ...figures }, ...reason }];
  }
  if (computed === undefined) return [];
  if (line.counted_in === 'none') return [{ line: line.line_id, action: 'remove', ...reason }];
  const isShared = line.group === 'refinish' && agreed.length > 0;
  const isAgreed = isShared || agreed.some(({ part }) => part === (line.because_of ?? line.part));
  const work = line.rate_per_hour === null && hours > 0 && price === null ? labor : price;
  const paid = isAgreed ? null : work;
  return [
    {
      line: line.line_id,
      ...(computed.hours === hours ? {} : { hours }),
      ...(paid === null || computed.price === paid ? {} : { price: paid }),
      ...(computed.counted_in === 'range' ? { action: 'accept' } : {}),
      ...reason,
    },
  ].filter((edit) => Object.keys(edit).some((key) => ['hours', 'price', 'action'].includes(key)));
}
