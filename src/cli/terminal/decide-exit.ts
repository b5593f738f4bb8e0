import type { FailConditions } from '../../config/fail-on.ts';
import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import type { VisualInspection } from '../../contract/inspection.ts';
import type { Change } from '../../domain/judge/changes.ts';
import { rankSeverity } from '../../domain/judge/severity.ts';
import { MIN_IMAGES } from '../../domain/photo-limits.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import { formatCount } from '../../lib/format-count.ts';
import { formatMoney } from '../../report/figures.ts';
import { describePartInText } from '../../report/words.ts';
import type { StopSignal } from './context.ts';
import { EXIT, EXIT_OF_SIGNAL, type ExitCode } from './exit-codes.ts';

/** Conditions for a nonzero exit code; omitted ones never apply. */
export interface ExitRules extends Partial<FailConditions> {
  readonly strict?: boolean | undefined;
  /** Signal that stopped the run early. */
  readonly stopped?: StopSignal | null | undefined;
}

/** An exit code, with its cause if that adds to the code's general meaning. */
export interface Verdict {
  readonly code: ExitCode;
  readonly message?: string;
}

/**
 * Decides the exit code of an inspection: a stop outranks rejected input, which outranks a threshold. Severity, cost
 * and score consider certain damages only.
 */
export function decideInspection(inspection: VisualInspection, rules: ExitRules): Verdict {
  if (rules.stopped) return { code: EXIT_OF_SIGNAL[rules.stopped] };
  const { failure, results } = inspection;
  if (!results)
    return {
      code: EXIT.inputRejected,
      ...(failure?.code === 'NO_VEHICLE' ? { message: failure.message } : {}),
    };
  const strict = rules.strict ? findStrictFault(inspection) : undefined;
  if (strict) return { code: EXIT.inputRejected, message: strict };
  return toVerdict(findThresholdHit(results, rules));
}

/** Decides the exit code of an assessment by severity and cost. */
export function decideAssessment(summary: AssessmentSummary, conditions: Partial<FailConditions>): Verdict {
  return toVerdict(findAssessmentHit(summary, conditions));
}

/** Decides the exit code of a comparison by its changes. */
export function decideChanges(
  comparison: Pick<Comparison, 'counts'>,
  conditions: Partial<FailConditions>,
): Verdict {
  return toVerdict(findChangeHit(comparison, conditions));
}

const toVerdict = (message: string | undefined): Verdict =>
  message === undefined ? { code: EXIT.done } : { code: EXIT.thresholdHit, message };

function findStrictFault({ rejected_images: rejected, images }: VisualInspection): string | undefined {
  if (rejected.length > 0)
    return `--strict: ${formatCount(rejected.length, 'photo was', 'photos were')} rejected.`;
  if (images.length < MIN_IMAGES)
    return `--strict: ${formatCount(images.length, 'photo')}; at least ${MIN_IMAGES} are needed.`;
  return undefined;
}

/** Describes all thresholds reached, on one line; undefined if none. */
function findThresholdHit(
  results: NonNullable<VisualInspection['results']>,
  { failOn = 'none', failOnCost, minScore, failOnToCheck }: ExitRules,
): string | undefined {
  const unchecked = results.to_check.length;
  const hits = [
    findSeverityHit(results, failOn),
    findCostHit(results.repair_cost, failOnCost),
    findScoreHit(results, minScore),
    failOnToCheck &&
      unchecked > 0 &&
      `--fail-on unchecked was hit: ${formatCount(unchecked, 'place is', 'places are')} to check.`,
  ];
  return joinHits(hits);
}

/** Joins the messages of the thresholds reached; undefined if none. */
function joinHits(hits: readonly (string | false | undefined)[]): string | undefined {
  return hits.filter((hit) => typeof hit === 'string').join(' ') || undefined;
}

/** Lists the damages at or above the severity threshold, by their numbers in the table. */
function findSeverityHit(
  { damages }: NonNullable<VisualInspection['results']>,
  failOn: FailConditions['failOn'],
): string | undefined {
  if (failOn === 'none') return undefined;
  const hits = damages.filter(({ severity }) => rankSeverity(severity) >= rankSeverity(failOn));
  const [first] = hits;
  if (!first) return undefined;
  const level = failOn === 'critical' ? failOn : `${failOn} or worse`;
  const count = `${hits.length} of ${damages.length} damages ${hits.length === 1 ? 'is' : 'are'} ${level}`;
  const part = hits.length === 1 ? `, ${describePartInText(first.location.part)}` : '';
  return `--fail-on ${failOn} was hit: ${count}: no. ${hits.map(({ number }) => number).join(', ')}${part}.`;
}

function findScoreHit(
  { grade_basis: basis, condition_score: score }: NonNullable<VisualInspection['results']>,
  least: number | undefined,
): string | undefined {
  if (least === undefined) return undefined;
  if (least > 0 && basis.code === 'too_little_seen')
    return `--fail-on score<${least} was hit: too little of the vehicle was seen for a grade.`;
  return score < least ? `--fail-on score<${least} was hit: the condition score is ${score}.` : undefined;
}

/** Describes a cost above the limit, for the vehicle as one job without tax; undefined if within. */
function findCostHit(
  { estimated, currency }: { readonly estimated: number; readonly currency: string },
  most: number | undefined,
): string | undefined {
  if (most === undefined || estimated <= most) return undefined;
  return `--fail-on cost>${most} was hit: the repair is estimated at ${formatMoney(estimated, currency)}.`;
}

function findAssessmentHit(
  { overall_severity: worst, repair_cost_summary: costs }: AssessmentSummary,
  { failOn = 'none', failOnCost }: Partial<FailConditions>,
): string | undefined {
  const hits = [
    failOn !== 'none' &&
      rankSeverity(worst) >= rankSeverity(failOn) &&
      `--fail-on ${failOn} was hit: the most severe damage is ${worst}.`,
    findCostHit(costs.first_bill, failOnCost),
  ];
  return joinHits(hits);
}

/** Changes matched by each value of --fail-on. */
const FAILING_CHANGES = { new: ['new'], worse: ['new', 'worse'] } as const satisfies Record<
  string,
  readonly Change[]
>;

function findChangeHit(
  { counts }: Pick<Comparison, 'counts'>,
  { failOnChange }: Partial<FailConditions>,
): string | undefined {
  if (failOnChange === undefined) return undefined;
  const hits = FAILING_CHANGES[failOnChange].filter((change) => counts[change] > 0);
  if (hits.length === 0) return undefined;
  return `--fail-on ${failOnChange} was hit: ${hits.map((change) => `${counts[change]} ${change}`).join(', ')}.`;
}
