import { listBoxes } from '../../contract/corrected-boxes.ts';
import type { Damage } from '../../contract/inspection.ts';
import type { Correction, DrawnBox } from '../../contract/review.ts';
import { type DamageSubtype, replaceBox } from '../../domain/damage.ts';
import { gradeDamage } from '../../domain/grading/grade.ts';
import { readGradedSizeCm } from '../../domain/grading/graded-size.ts';
import { findSide, type PartName } from '../../domain/parts.ts';
import { removeUncertainty } from '../../domain/remarks.ts';
import { VehiError } from '../../lib/errors.ts';
import { roundTo } from '../../lib/numbers.ts';
import { defined } from '../../lib/objects.ts';
import { gradeStated } from '../inspect/price-findings.ts';
import { presentEstimate } from '../present-repair.ts';
import { type Pricer, toPricingDamage } from '../pricer.ts';

/** Reason for missing measurements of a measured damage after a review. */
export const NOT_MEASURED = 'A reviewer corrected the damage, and its new extent was not measured.';

/**
 * Applies a reviewer's change: a new box changes the size; a new type, subtype or size changes the severity unless the
 * reviewer sets it, a new part alone does not; any change reprices the finding.
 * @throws VehiError input NOT_PRICEABLE for a finding without a size
 */
export function applyChange(original: Damage, change: Correction, pricer: Pricer): Damage {
  const type = change.type ?? (change.subtype === undefined ? original.type : 'panel_damage');
  const part = change.part ?? original.location.part;
  const found = original.subtype as DamageSubtype | undefined;
  // The others name a component next to the part, or a kind of lamp.
  const isOfPart = part === original.location.part || found === 'missing_part' || found === 'misaligned_part';
  const subtype = change.subtype ?? (type === original.type && isOfPart ? found : undefined);
  const evidence = listBoxes(change).reduce(
    (list, { box, image_index }) => replaceBox(list, box, image_index),
    original.evidence,
  );
  const { coordinates = original.location.coordinates } = evidence[0] ?? {};
  const factor = measureLongSide(coordinates) / measureLongSide(original.location.coordinates);
  const gradedCm = roundTo(readSizeCm(original) * factor, 1);
  // As in the inspection, an assumed size affects the grade but not the price.
  const sizeCm = toPricingDamage(original).sizeCm === undefined ? undefined : gradedCm;
  const graded =
    type === original.type && subtype === found && factor === 1
      ? { score: original.severity_score, explain: [] }
      : gradeDamage({
          type,
          subtype,
          part,
          longSideCm: sizeCm ?? null,
          assumedSizeCm: gradedCm,
          partShare: null,
        });
  const claim = { type, subtype, part, severityScore: graded.score, sizeCm };
  const { severity, severityScore, trace } = gradeStated(claim, change.severity);
  const { subtype: _, also = [], detail, measurements, measurements_absent, ...rest } = original;
  const further = also.filter((one) => one !== type);
  // Only the rules that last graded the finding may state its size and severity.
  const seen = original.explain.filter((one) => isSeen(one) && !(graded.explain.length > 0 && isGrade(one)));
  const changed = {
    ...rest,
    ...(further.length > 0 && { also: further }),
    ...defined({ subtype, detail: change.part === undefined ? detail : removeUncertainty(detail) }),
    ...defined(
      type === original.type && factor === 1
        ? { measurements, measurements_absent }
        : { measurements_absent: measurements_absent ?? (measurements && NOT_MEASURED) },
    ),
    type,
    severity,
    severity_score: severityScore,
    location: { ...(change.part === undefined ? original.location : placeOn(change.part)), coordinates },
    evidence,
    explain: [
      ...seen,
      ...graded.explain,
      ...trace,
      {
        rule: 'review.changed',
        inputs: {
          type_before: original.type,
          severity_before: original.severity,
          part_before: original.location.part,
        },
      },
    ],
  };
  return priceDamage(changed, sizeCm, pricer);
}

/** Prices a damage by its values and a size, and adds the pricing rules to its explanation. */
export function priceDamage(damage: Damage, sizeCm: number | undefined, pricer: Pricer): Damage {
  const range = pricer.estimate({ ...toPricingDamage(damage), sizeCm });
  const explain = [...damage.explain, ...range.explain];
  return { ...damage, estimated_repair: presentEstimate(range), explain };
}

/** Places a finding on the part that the reviewer names, which resolves any ambiguity. */
const placeOn = (part: PartName) => ({ part, side: findSide(part) });

const measureLongSide = ({ width, height }: DrawnBox): number => Math.max(width, height);

/**
 * Returns the longest extent of a finding in centimeters, from its rules or measurements.
 * @throws VehiError input NOT_PRICEABLE
 */
export function readSizeCm(damage: Damage): number {
  const { length, diameter } = damage.measurements ?? {};
  // Without a scale, the size assumes a typical close-up.
  const assumed = damage.explain.findLast(isSized)?.inputs.assumed_close_up_cm;
  const size = Number(readGradedSizeCm(damage.explain) ?? assumed ?? length ?? diameter);
  if (size > 0 && Number.isFinite(size)) return size;
  const message = `${damage.damage_id} does not say its size, so a change of it cannot be priced.`;
  throw new VehiError('input', 'NOT_PRICEABLE', message, {
    hint: 'Inspect the photos again with vehi inspect --json, or accept or reject this finding.',
  });
}

/** Returns whether a rule records an observation or decision rather than a price. */
export const isSeen = ({ rule }: Damage['explain'][number]): boolean =>
  /^(locate|severity|review)\./.test(rule);

/** Returns whether a rule states the severity or size of the finding. */
const isGrade = (one: Damage['explain'][number]): boolean => one.rule.startsWith('severity.') || isSized(one);

/** Returns whether a rule states the size of the finding. */
export const isSized = ({ inputs }: Damage['explain'][number]): boolean =>
  typeof inputs.long_side_cm === 'number' || typeof inputs.assumed_close_up_cm === 'number';
