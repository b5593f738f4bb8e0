import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import { type DamageSubtype, SEVERITIES, type Severity } from '../../domain/damage.ts';
import { floorScoreOf, rankOf } from '../../domain/judge/severity.ts';
import { sideOf } from '../../domain/parts.ts';
import { VehiError } from '../../lib/errors.ts';
import { repairOf, traceOf } from '../inspect/present.ts';
import { presentResults } from '../inspect/present-results.ts';
import type { Pricer } from '../ports.ts';
import type { Decision } from './decisions.ts';

/** What was reviewed, beside the corrected result: for each decision the finding before and after (null: rejected). */
export interface Review {
  readonly reviewed_at: string;
  readonly decisions: readonly {
    readonly damage_id: string;
    readonly decision: Decision['decision'];
    readonly original: Damage;
    readonly corrected: Damage | null;
  }[];
  /** Ids of findings nobody decided on; they stay as they were. */
  readonly not_reviewed: readonly string[];
}

export type ReviewedEnvelope = InspectionEnvelope & { readonly review: Review };

/**
 * The result with the decisions applied, changed findings priced anew, sums and condition made anew. Ids and numbers
 * of findings stay, so that both results and the annotated photos can be held against each other.
 * @throws VehiError input NOT_PRICEABLE for a changed finding that does not say its size
 */
export function applyDecisions(
  envelope: InspectionEnvelope,
  decisions: readonly Decision[],
  pricer: Pricer,
  reviewedAt: Date,
): ReviewedEnvelope {
  const { data } = envelope;
  const { results } = data;
  if (!results)
    throw new VehiError('input', 'NOTHING_TO_REVIEW', 'the result has no findings: its inspection failed.');
  const byId = new Map(decisions.map((decision) => [decision.damageId, decision]));
  const reviewed = results.damages.map((original) => {
    const decision = byId.get(original.damage_id);
    return { original, decision, corrected: corrected(original, decision, pricer) };
  });
  const damages = reviewed.flatMap((one) => (one.corrected ? [one.corrected] : []));
  return {
    ...envelope,
    data: {
      ...data,
      results: presentResults(damages, results.to_check, {
        coverage: results.coverage,
        nextPhotos: results.next_photos,
        currency: results.damage_summary.total_estimated_repair.currency,
        hiddenDamage: results.hidden_damage_risks !== undefined,
        notAssessed: results.not_assessed,
        dropped: results.dropped_detections,
      }),
    },
    review: {
      reviewed_at: reviewedAt.toISOString(),
      decisions: reviewed.flatMap(({ original, decision, corrected: after }) =>
        decision
          ? [
              {
                damage_id: original.damage_id,
                decision: decision.decision,
                original,
                corrected: after,
              },
            ]
          : [],
      ),
      not_reviewed: reviewed.flatMap(({ original, decision }) => (decision ? [] : [original.damage_id])),
    },
  };
}

function corrected(original: Damage, decision: Decision | undefined, pricer: Pricer): Damage | null {
  if (decision?.decision === 'reject') return null;
  if (decision?.decision !== 'change') return original;
  const type = decision.type ?? original.type;
  const severity = decision.severity ?? original.severity;
  const part = decision.part ?? original.location.part;
  const severityScore = scoreFor(severity, original);
  const sized = original.explain.findLastIndex(({ inputs }) => typeof inputs.long_side_cm === 'number');
  const range = pricer.estimate({
    type,
    subtype: type === original.type ? (original.subtype as DamageSubtype | undefined) : undefined,
    part,
    severity,
    severityScore,
    sizeCm: sizeOf(original, sized),
  });
  const { subtype, measurements, measurements_absent, ...rest } = original;
  const sameType = type === original.type && {
    ...(subtype === undefined ? {} : { subtype }),
    ...(measurements === undefined ? {} : { measurements }),
    ...(measurements_absent === undefined ? {} : { measurements_absent }),
  };
  return {
    ...rest,
    ...sameType,
    type,
    severity,
    severity_score: severityScore,
    location: { ...original.location, part, side: sideOf(part) },
    estimated_repair: repairOf(range),
    explain: [
      ...original.explain.slice(0, sized + 1),
      {
        rule: 'review.changed',
        inputs: {
          type_before: original.type,
          severity_before: original.severity,
          part_before: original.location.part,
        },
      },
      ...range.explain.map(traceOf),
    ],
  };
}

/** The score of a tier that a person chose: the nearest to the one before. */
function scoreFor(severity: Severity, original: Damage): number {
  if (severity === original.severity) return original.severity_score;
  if (rankOf(severity) > rankOf(original.severity)) return floorScoreOf(severity);
  const next = SEVERITIES[rankOf(severity) + 1];
  return next === undefined ? 10 : Math.round((floorScoreOf(next) - 0.1) * 10) / 10;
}

function sizeOf(damage: Damage, sized: number): number {
  const { length, diameter } = damage.measurements ?? {};
  const size = Number(damage.explain[sized]?.inputs.long_side_cm ?? length ?? diameter);
  if (size > 0 && Number.isFinite(size)) return size;
  throw new VehiError(
    'input',
    'NOT_PRICEABLE',
    `${damage.damage_id} does not say its size, so a change of it cannot be priced.`,
    { hint: 'Inspect the photos again with vehi inspect --json, or accept or reject this finding.' },
  );
}
