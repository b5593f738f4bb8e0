import type { Damage } from '../../contract/inspection.ts';
import type { Change, DrawnBox } from '../../contract/review.ts';
import { type DamageSubtype, SEVERITIES, type Severity } from '../../domain/damage.ts';
import { gradeDamage } from '../../domain/judge/grade.ts';
import { readGradedSizeCm } from '../../domain/judge/graded-size.ts';
import { findFloorScore, rankSeverity, toSeverity } from '../../domain/judge/severity.ts';
import { findSide, type PartName } from '../../domain/parts.ts';
import { dropDoubt } from '../../domain/remarks.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { roundTo } from '../../lib/round.ts';
import { presentRepair, presentTrace } from '../inspect/present-find.ts';
import { describePricedDamage } from '../inspect/repair-cost.ts';
import type { Pricer } from '../ports.ts';

/**
 * Returns a finding with what a person changed: another box gives another size, another type or size another severity
 * unless the person names it, and all of it another price.
 * @throws VehiError input NOT_PRICEABLE for a finding that does not state its size
 */
export function applyChange(original: Damage, change: Change, pricer: Pricer): Damage {
  const type = change.type ?? (change.subtype === undefined ? original.type : 'panel_damage');
  const part = change.part ?? original.location.part;
  const found = original.subtype as DamageSubtype | undefined;
  const subtype =
    change.subtype ?? (type === original.type && part === original.location.part ? found : undefined);
  const boxed = change.box ? setBox(original, change.box, change.image_index) : original;
  const factor = computeSizeFactor(original, boxed);
  const judgedCm = roundTo(readSizeCm(original) * factor, 1);
  // A size that was assumed grades the finding, but no price is made by it, as in the inspection itself.
  const sizeCm = describePricedDamage(original).sizeCm === undefined ? undefined : judgedCm;
  const graded =
    type === original.type && subtype === found && factor === 1
      ? { score: original.severity_score, explain: [] }
      : gradeDamage({
          type,
          subtype,
          part,
          longSideCm: sizeCm ?? null,
          assumedCm: judgedCm,
          partShare: null,
        });
  const severity = change.severity ?? toSeverity(graded.score);
  const severityScore = scoreFor(severity, graded.score);
  const range = pricer.estimate({ type, subtype, part, severity, severityScore, sizeCm });
  const { subtype: _, detail, measurements, measurements_absent, ...rest } = boxed;
  // One rule alone gives the size: the one that graded the finding last.
  const seen = original.explain.filter((one) => isSeen(one) && !(graded.explain.length > 0 && isSized(one)));
  return {
    ...rest,
    ...defined({ subtype, detail: change.part === undefined ? detail : dropDoubt(detail) }),
    ...(type === original.type && factor === 1
      ? {
          ...defined({ measurements, measurements_absent }),
        }
      : {}),
    type,
    severity,
    severity_score: severityScore,
    location: change.part === undefined ? boxed.location : settlePart(boxed.location, change.part),
    estimated_repair: presentRepair(range),
    explain: [
      ...seen,
      ...graded.explain.map(presentTrace),
      {
        rule: 'review.changed',
        inputs: {
          type_before: original.type,
          severity_before: original.severity,
          part_before: original.location.part,
        },
      },
      ...range.explain.map(presentTrace),
    ],
  };
}

/** Returns where the finding is by the part that a person named, which leaves nothing open. */
function settlePart({ uncertain: _, ...location }: Damage['location'], part: PartName): Damage['location'] {
  return { ...location, part, side: findSide(part) };
}

/** Returns the finding with another box in one of its photos; the best photo's is also the damage's own. */
function setBox(damage: Damage, box: DrawnBox, imageIndex: number | undefined): Damage {
  const index = imageIndex ?? damage.evidence[0]?.image_index;
  const changed = damage.evidence.find((one) => one.image_index === index);
  const evidence = damage.evidence.map((one) =>
    one === changed ? { ...one, coordinates: { ...one.coordinates, ...box } } : one,
  );
  const coordinates = evidence[0]?.coordinates ?? damage.location.coordinates;
  return { ...damage, evidence, location: { ...damage.location, coordinates } };
}

/** Returns how much longer the damage is by its new box: the best photo's, from which its size was read. */
function computeSizeFactor(before: Damage, after: Damage): number {
  const longSide = ({ location: { coordinates: box } }: Damage) => Math.max(box.width, box.height);
  return longSide(after) / longSide(before);
}

/** Returns the score of a tier that a person chose: the nearest to the one by the rules. */
function scoreFor(severity: Severity, score: number): number {
  const byRule = toSeverity(score);
  if (severity === byRule) return score;
  if (rankSeverity(severity) > rankSeverity(byRule)) return findFloorScore(severity);
  const next = SEVERITIES[rankSeverity(severity) + 1];
  return next === undefined ? 10 : roundTo(findFloorScore(next) - 0.1, 1);
}

/**
 * Returns the longest extent of a finding, centimetres, by its rules or its measurements.
 * @throws VehiError input NOT_PRICEABLE
 */
export function readSizeCm(damage: Damage): number {
  const { length, diameter } = damage.measurements ?? {};
  // Where a photo has no scale, that of a usual close-up.
  const assumed = damage.explain.findLast(isSized)?.inputs.assumed_close_up_cm;
  const size = Number(readGradedSizeCm(damage.explain) ?? assumed ?? length ?? diameter);
  if (size > 0 && Number.isFinite(size)) return size;
  throw new VehiError(
    'input',
    'NOT_PRICEABLE',
    `${damage.damage_id} does not say its size, so a change of it cannot be priced.`,
    { hint: 'Inspect the photos again with vehi inspect --json, or accept or reject this finding.' },
  );
}

/** Returns whether a rule states what was seen and decided, not how the price was made. */
export function isSeen({ rule }: Damage['explain'][number]): boolean {
  return /^(locate|severity|review)\./.test(rule);
}

/** Returns whether a rule states how large the finding is. */
export function isSized({ inputs }: Damage['explain'][number]): boolean {
  return typeof inputs.long_side_cm === 'number' || typeof inputs.assumed_close_up_cm === 'number';
}
