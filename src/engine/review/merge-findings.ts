import type { Damage } from '../../contract/inspection.ts';
import type { DamageSubtype } from '../../domain/damage.ts';
import { toSeverity } from '../../domain/judge/severity.ts';
import { presentRepair, presentTrace } from '../inspect/present-find.ts';
import type { Pricer } from '../ports.ts';
import { isSeen, isSized, readSizeCm } from './corrected.ts';

/**
 * Merges findings that a person calls one damage: the first one's type and part, the evidence of all (most certain
 * first), the highest severity score, priced by the longest size.
 */
export function mergeDamages(into: Damage, others: readonly Damage[], pricer: Pricer): Damage {
  if (others.length === 0) return into;
  const all = [into, ...others].flatMap((one) => one.evidence);
  const evidence = [...all].sort((a, b) => b.confidence - a.confidence);
  const [best] = evidence;
  if (!best) throw new Error('a damage without evidence');
  const severityScore = Math.max(into.severity_score, ...others.map((one) => one.severity_score));
  const severity = toSeverity(severityScore);
  const sizeCm = Math.max(readSizeCm(into), ...others.map(readSizeCm));
  const range = pricer.estimate({
    type: into.type,
    subtype: into.subtype as DamageSubtype | undefined,
    part: into.location.part,
    severity,
    severityScore,
    sizeCm,
  });
  const longest = others.find(
    (one) => readSizeCm(one) === sizeCm && one.type === into.type && one.measurements,
  );
  const { measurements, ...rest } = into;
  const measured = sizeCm > readSizeCm(into) ? longest?.measurements : measurements;
  return {
    ...rest,
    ...(measured ? { measurements: measured } : {}),
    severity,
    severity_score: severityScore,
    location: { ...into.location, coordinates: best.coordinates },
    confidence: best.confidence,
    image_url: best.image_url,
    evidence,
    estimated_repair: presentRepair(range),
    explain: [
      ...into.explain.filter((one) => isSeen(one) && !isSized(one)),
      {
        rule: 'review.merged',
        inputs: {
          merged: others.map((one) => one.damage_id).join(', '),
          long_side_cm: sizeCm,
          severity_score: severityScore,
        },
      },
      ...range.explain.map(presentTrace),
    ],
  };
}
