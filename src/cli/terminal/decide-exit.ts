import type { FailConditions } from '../../config/fail-on.ts';
import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import type { InspectionResults, VisualInspection } from '../../contract/inspection.ts';
import { rankSeverity } from '../../domain/grading/severity.ts';
import { MIN_IMAGES } from '../../domain/photo-limits.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import { formatCount } from '../../lib/format-count.ts';
import { defined } from '../../lib/objects.ts';
import { formatMoney } from '../../report/figures.ts';
import { describePartInText } from '../../report/words.ts';
import type { StopSignal } from './context.ts';
import { EXIT, EXIT_OF_SIGNAL, type ExitCode } from './exit-codes.ts';

/** Conditions for a nonzero exit code; omitted ones never apply. */
export interface ExitRules extends Partial<FailConditions> {
  readonly strict?: boolean | undefined;
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
export function decideInspection(
  { failure, results, rejected_images, images }: VisualInspection,
  rules: ExitRules,
): Verdict {
  if (rules.stopped) return { code: EXIT_OF_SIGNAL[rules.stopped] };
  if (!results) return reject(failure?.code === 'NO_VEHICLE' ? failure.message : undefined);
  if (rules.strict && rejected_images.length > 0)
    return reject(`--strict: ${formatCount(rejected_images.length, 'photo was', 'photos were')} rejected.`);
  if (rules.strict && images.length < MIN_IMAGES)
    return reject(`--strict: ${formatCount(images.length, 'photo')}; at least ${MIN_IMAGES} are needed.`);
  const { length: toCheck } = results.to_check;
  return judge(
    describeSevere(results.damages, rules.failOn),
    describeExcessCost(findHighestCost(results), rules.failOnCost),
    describeMissedScore(results, rules.minScore),
    rules.failOnUnchecked &&
      toCheck > 0 &&
      `unchecked was hit: ${formatCount(toCheck, 'place is', 'places are')} to check.`,
  );
}

const reject = (message: string | undefined): Verdict => ({
  code: EXIT.inputRejected,
  ...defined({ message }),
});

/** Describes the damages at or above the failing severity; `none` never fails. */
function describeSevere(damages: InspectionResults['damages'], failOn: FailConditions['failOn'] = 'none') {
  if (failOn === 'none') return false;
  const severe = damages.filter(({ severity }) => rankSeverity(severity) >= rankSeverity(failOn));
  const [first, ...others] = severe;
  if (first === undefined) return false;
  const level = failOn === 'critical' ? failOn : `${failOn} or worse`;
  const numbers = severe.map(({ number }) => number).join(', ');
  const part = others.length === 0 ? `, ${describePartInText(first.location.part)}` : '';
  return `${failOn} was hit: ${severe.length} of ${damages.length} damages ${others.length === 0 ? 'is' : 'are'} ${level}: no. ${numbers}${part}.`;
}

/** Describes a condition score below the limit, or missing because too little of the vehicle was seen. */
function describeMissedScore({ condition_score: score, grade_basis }: InspectionResults, least = 0) {
  if (grade_basis.code === 'too_little_seen' && least > 0)
    return `score<${least} was hit: too little of the vehicle was seen for a grade.`;
  return score < least && `score<${least} was hit: the condition score is ${score}.`;
}

export const decideAssessment = (
  { overall_severity: worst, repair_cost_summary: costs }: AssessmentSummary,
  { failOn = 'none', failOnCost }: Partial<FailConditions>,
): Verdict =>
  judge(
    failOn !== 'none' &&
      rankSeverity(worst) >= rankSeverity(failOn) &&
      `${failOn} was hit: the most severe damage is ${worst}.`,
    describeExcessCost(costs.first_bill, failOnCost),
  );

export function decideChanges(
  { counts }: Pick<Comparison, 'counts'>,
  { failOnChange }: Partial<FailConditions>,
): Verdict {
  const failing =
    failOnChange === 'changed' ? (['new', 'changed'] as const) : failOnChange ? (['new'] as const) : [];
  const hits = failing.filter((change) => counts[change] > 0).map((change) => `${counts[change]} ${change}`);
  return judge(hits.length > 0 && `${failOnChange} was hit: ${hits.join(', ')}.`);
}

const findHighestCost = ({ repair_cost, vehicles = [] }: InspectionResults) =>
  vehicles.map((one) => one.repair_cost).toSorted((a, b) => b.estimated - a.estimated)[0] ?? repair_cost;

/** Describes a cost above the limit, for the vehicle as one job without tax. */
const describeExcessCost = (
  { estimated, currency }: { readonly estimated: number; readonly currency: string },
  most = Infinity,
) =>
  estimated > most && `cost>${most} was hit: the repair is estimated at ${formatMoney(estimated, currency)}.`;

function judge(...hits: readonly (string | false | undefined)[]): Verdict {
  const message = hits.flatMap((hit) => (hit ? [`--fail-on ${hit}`] : [])).join(' ');
  return message === '' ? { code: EXIT.done } : { code: EXIT.thresholdHit, message };
}
