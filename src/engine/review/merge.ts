import { listBoxes } from '../../contract/corrected-boxes.ts';
import type { Damage, Evidence } from '../../contract/inspection.ts';
import type { Correction } from '../../contract/review.ts';
import { fitScore, toSeverity } from '../../domain/grading/severity.ts';
import { defined } from '../../lib/objects.ts';
import { type Pricer, toPricingDamage } from '../pricer.ts';
import { isSeen, isSized, NOT_MEASURED, priceDamage, readSizeCm } from './change.ts';

/**
 * Merges findings of the same damage: type and part of the first, evidence of all (the most confident photo first, in
 * each photo the largest box first), the highest severity score, and the price of the largest size that is known.
 * @param stated the reviewer's correction of `into`: its severity replaces that of the others, and its boxes stay first
 */
export function mergeDamages(
  into: Damage,
  others: readonly Damage[],
  stated: Correction,
  pricer: Pricer,
): Damage {
  if (others.length === 0) return into;
  const all = [into, ...others];
  const drawnIn = listBoxes(stated).map(({ image_index: index }) => index ?? into.evidence[0]?.image_index);
  const evidence = orderMerged(
    all.map((one) => one.evidence),
    new Set(drawnIn),
  );
  const [best] = evidence;
  if (!best) throw new Error('a damage without evidence');
  const highestScore = Math.max(...all.map((one) => one.severity_score));
  const severity = stated.severity ?? toSeverity(highestScore);
  const severityScore = fitScore(severity, highestScore);
  // As in the inspection, an assumed size affects the grade but not the price.
  const [sizeCm] = all.flatMap((one) => toPricingDamage(one).sizeCm ?? []).sort((a, b) => b - a);
  const longest = all.find((one) => toPricingDamage(one).sizeCm === sizeCm && one.type === into.type);
  const { measurements: own, measurements_absent: reason = own && NOT_MEASURED, ...rest } = into;
  const { measurements } = longest ?? {};
  const size =
    sizeCm === undefined
      ? { assumed_close_up_cm: Math.max(...all.map(readSizeCm)) }
      : { long_side_cm: sizeCm };
  const merged = {
    ...rest,
    ...defined(measurements ? { measurements } : { measurements_absent: reason }),
    severity,
    severity_score: severityScore,
    location: { ...into.location, coordinates: best.coordinates },
    confidence: Math.max(...evidence.map((one) => one.confidence)),
    image_url: best.image_url,
    evidence: [...evidence],
    explain: [
      ...into.explain.filter((one) => isSeen(one) && !isSized(one)),
      {
        rule: 'review.merged',
        inputs: {
          merged: others.map((one) => one.damage_id).join(', '),
          ...size,
          severity_score: severityScore,
        },
      },
    ],
  };
  return priceDamage(merged, sizeCm, pricer);
}

/** Orders the evidence of merged findings by photo, then by size. @param drawnIn photos of which the first box leads */
function orderMerged(
  [own = [], ...others]: readonly (readonly Evidence[])[],
  drawnIn: ReadonlySet<number | undefined>,
): readonly Evidence[] {
  const all = [own, ...others].flat();
  const trust = (index: number) =>
    Math.max(...all.flatMap((one) => (one.image_index === index ? [one.confidence] : [])));
  const isDrawn = (one: Evidence) => drawnIn.has(one.image_index) && own.includes(one);
  const area = ({ coordinates: { width, height } }: Evidence) => width * height;
  return [...all].sort(
    (a, b) =>
      trust(b.image_index) - trust(a.image_index) ||
      a.image_index - b.image_index ||
      Number(isDrawn(b)) - Number(isDrawn(a)) ||
      area(b) - area(a),
  );
}
