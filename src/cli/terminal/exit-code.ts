import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import type { VisualInspection } from '../../contract/inspection.ts';
import { IMAGES_MIN } from '../../domain/choices.ts';
import type { Severity } from '../../domain/damage.ts';
import { rankOf } from '../../domain/judge/severity.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

export interface ExitRules {
  readonly failOn: Severity | 'none';
  /** Highest estimated repair cost that still passes, in the result's currency. */
  readonly failOnCost?: number | undefined;
  /** Lowest condition score that still passes. */
  readonly minScore?: number | undefined;
  /** Whether any place to check stops the vehicle. */
  readonly failOnUnchecked?: boolean | undefined;
  readonly strict: boolean;
  readonly stopped: 'SIGINT' | 'SIGTERM' | null;
}

/**
 * Returns the exit code of an inspection and the condition that gave it: an interrupt outranks rejected input, which
 * outranks a threshold. Severity, cost and score are those of the certain damages.
 */
export function verdict(
  inspection: VisualInspection,
  rules: ExitRules,
): { readonly code: ExitCode; readonly because?: string } {
  if (rules.stopped) return { code: rules.stopped === 'SIGINT' ? EXIT.interrupted : EXIT.terminated };
  const { failure } = inspection;
  if (!inspection.results)
    return {
      code: EXIT.inputRejected,
      ...(failure?.code === 'NO_VEHICLE' ? { because: failure.message } : {}),
    };
  const strict = rules.strict ? strictFault(inspection) : undefined;
  if (strict) return { code: EXIT.inputRejected, because: strict };
  const hit = thresholdHit(inspection.results, rules);
  return hit ? { code: EXIT.thresholdHit, because: hit } : { code: EXIT.done };
}

function strictFault({ rejected_images: rejected, images }: VisualInspection): string | undefined {
  if (rejected.length > 0)
    return `--strict: ${rejected.length} photo${rejected.length === 1 ? ' was' : 's were'} rejected.`;
  if (images.length < IMAGES_MIN)
    return `--strict: ${images.length} photos; at least ${IMAGES_MIN} are needed.`;
  return undefined;
}

function thresholdHit(
  results: NonNullable<VisualInspection['results']>,
  { failOn, failOnCost, minScore, failOnUnchecked }: ExitRules,
): string | undefined {
  const worst = results.damages.find(
    (damage) => failOn !== 'none' && rankOf(damage.severity) >= rankOf(failOn),
  );
  if (worst) return `--fail-on ${failOn} was hit: ${worst.damage_id} is ${worst.severity}.`;
  const cost = costHit(results.repair_cost, failOnCost);
  if (cost) return cost;
  if (minScore !== undefined && minScore > 0 && results.grade_basis.code === 'too_little_seen') {
    return `--min-score ${minScore} was missed: too little of the vehicle was seen for a grade.`;
  }
  if (minScore !== undefined && results.condition_score < minScore) {
    return `--min-score ${minScore} was missed: the condition score is ${results.condition_score}.`;
  }
  const unchecked = results.to_check.length;
  if (failOnUnchecked && unchecked > 0)
    return `--fail-on-unchecked was hit: ${unchecked} place${unchecked === 1 ? ' is' : 's are'} to check.`;
  return undefined;
}

/** Most severe first. */
const GRAVITY = [
  EXIT.terminated,
  EXIT.interrupted,
  EXIT.engine,
  EXIT.inputRejected,
  EXIT.thresholdHit,
] as const;

/**
 * Returns the exit code of a run over many vehicles: an interrupt first, then models, then rejected input, then
 * thresholds.
 */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return GRAVITY.find((code) => codes.includes(code)) ?? EXIT.done;
}

/**
 * Returns why `--fail-on-cost` is exceeded, by the figure that every command uses: the repair of the vehicle as one
 * job, without tax.
 */
function costHit(
  { estimated, currency }: { readonly estimated: number; readonly currency: string },
  most: number | undefined,
): string | undefined {
  if (most === undefined || estimated <= most) return undefined;
  return `--fail-on-cost ${most} was hit: the repair is estimated at ${estimated} ${currency}.`;
}

/** Returns the exit code of an assessment and the condition that gave it, by the rules of an inspection. */
export function assessmentVerdict(
  { overall_severity: worst, repair_cost_summary: costs }: AssessmentSummary,
  { failOn, failOnCost }: Pick<ExitRules, 'failOn' | 'failOnCost'>,
): { readonly code: ExitCode; readonly because?: string } {
  const severe =
    failOn !== 'none' && rankOf(worst) >= rankOf(failOn)
      ? `--fail-on ${failOn} was hit: the most severe damage is ${worst}.`
      : undefined;
  const because = severe ?? costHit(costs.adjusted_total, failOnCost);
  return because === undefined ? { code: EXIT.done } : { code: EXIT.thresholdHit, because };
}
