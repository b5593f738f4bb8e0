import type { AssessmentEnvelope } from '../contract/assessment/assessment.ts';
import { UNKNOWN_CLASS } from '../contract/earlier-results.ts';
import type { InspectionResults, VisualInspection } from '../contract/inspection.ts';
import { formatEstimateAndRange, formatPercent, formatWholeMoney } from './figures.ts';
import type { ReportInput } from './input.ts';
import { CONDITION_WORDS } from './words.ts';

/** The grade of a vehicle as every output says it. */
export interface Grade {
  /** With "at best" while places are to check, as each that is damage makes it worse. */
  readonly word: string;
  /** 0 to 10 */
  readonly score: number;
  /** The score if every place to check were damage, 0 to 10; null where there is none. */
  readonly confirmed: number | null;
}

/** Returns the grade; null where too little was seen for one. */
export function readGrade({
  overall_condition,
  condition_score,
  grade_basis,
  to_check,
}: InspectionResults): Grade | null {
  if (grade_basis.code === 'too_little_seen') return null;
  const word = CONDITION_WORDS[overall_condition];
  return {
    word: to_check.length > 0 ? `At best ${word.toLowerCase()}` : word,
    score: condition_score,
    confirmed: grade_basis.if_all_confirmed?.score ?? null,
  };
}

/** Returns whether the photos seem to show several vehicles, so that grade and price mix them. */
export function isMixed({ grade_basis: { vehicles = 1 } }: InspectionResults): boolean {
  return vehicles > 1;
}

/**
 * Returns the verdict in words: `at best good 8.9/10`, and over how many vehicles where the photos seem to show
 * several.
 */
export function describeVerdict(results: InspectionResults): string {
  const grade = readGrade(results);
  if (grade === null) return 'no grade';
  const { vehicles = 1 } = results.grade_basis;
  const mixed = vehicles > 1 ? `, ${vehicles} vehicles mixed` : '';
  return `${grade.word.toLowerCase()} ${grade.score.toFixed(1)}/10${mixed}`;
}

/** Returns the verdict as a title: `At best good 8.9/10`. */
export function writeVerdictTitle(results: InspectionResults): string {
  const words = describeVerdict(results);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/**
 * Returns the two ends of the grade, with none and with all of the places to check confirmed, as a sentence; null where
 * none is to check, or nothing is graded.
 */
export function describeGradeSpan({
  overall_condition,
  condition_score,
  grade_basis: { code, if_all_confirmed: all },
  to_check: { length: count },
}: InspectionResults): string | null {
  if (all === undefined || code === 'too_little_seen') return null;
  const best = `${CONDITION_WORDS[overall_condition]} ${condition_score.toFixed(1)}/10`;
  const worst = `${CONDITION_WORDS[all.condition].toLowerCase()} ${all.score.toFixed(1)}/10`;
  return count === 1
    ? `${best} if the one place to check is not confirmed, ${worst} if it is.`
    : `${best} if none of the ${count} places to check is confirmed, ${worst} if all are.`;
}

/** Returns how far the grade can be relied on: `Confidence 27 %`. */
export function describeConfidence({ confidence }: InspectionResults): string {
  return `Confidence ${formatPercent(confidence)}`;
}

/** Returns what was found on the parts seen, as a sentence. */
export function describeBasis({ grade_basis: { message } }: InspectionResults): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** A price with the words that belong to it. */
export interface PriceLine {
  readonly label: string;
  /** The estimate and its range: `$6,397 ($4,004–16,937)`. */
  readonly amount: string;
}

/**
 * Returns the one price of the vehicle: that of the assessment where there is one, else that of the inspection; null
 * where there is nothing to repair.
 */
export function describeRepairPrice({ inspection, assessment }: ReportInput): PriceLine | null {
  if (assessment) {
    const {
      adjusted_total,
      first_bill: total = adjusted_total,
      tax,
    } = assessment.data.summary.repair_cost_summary;
    return {
      label: `Repair as one job, ${describeClass(assessment.data.vehicle.class_used)}${tax ? ', net' : ''}`,
      amount: formatEstimateAndRange(total),
    };
  }
  const cost = inspection?.data.results?.repair_cost;
  return cost && cost.items > 0
    ? { label: `Repair ${describeJob(cost, true)}`, amount: formatEstimateAndRange(cost) }
    : null;
}

/**
 * Returns what the repair would cost if every place to check were damage; null where there is none. The class of the
 * vehicle is named where no other price names it.
 */
export function describePriceIfConfirmed(data: VisualInspection | undefined): PriceLine | null {
  const { results } = data ?? {};
  if (!results || results.to_check.length === 0) return null;
  const { repair_cost: certain, if_all_confirmed: all } = results;
  return {
    label: `If all to check is confirmed, repair ${describeJob(all, certain.items === 0)}`,
    amount: formatEstimateAndRange(all),
  };
}

function describeJob({ vehicle_class }: InspectionResults['repair_cost'], withClass: boolean): string {
  if (vehicle_class === UNKNOWN_CLASS) return 'damage by damage';
  return withClass ? `as one job, ${describeClass(vehicle_class)}` : 'as one job';
}

function describeClass(name: string): string {
  return `${name} car`;
}

/** Returns why an inspection has no results, as a sentence; null where it has them. */
export function describeFailure(data: VisualInspection | undefined): string | null {
  if (!data || data.results) return null;
  return data.failure?.message ?? `The inspection is ${data.status}.`;
}

/** Returns what an estimate includes, and what teardown adds; every output of an estimate says it. */
export function describeScope({ data }: AssessmentEnvelope): string {
  const { range_meaning = VISIBLE_ONLY, after_teardown: after } = data.summary.repair_cost_summary;
  if (after === undefined) return range_meaning;
  const up = `up to ${formatWholeMoney(after.max, after.currency)} net for the whole job`;
  return `${range_meaning} With what teardown usually finds ${up}: ${after.added_percentage} % on the first bill (${after.source}).`;
}

/** Returns what the inspection's own price includes, and what teardown adds; null where it has no price. */
export function describeInspectionScope(data: VisualInspection | undefined): string | null {
  const { results } = data ?? {};
  const priced = results && [results.repair_cost, results.if_all_confirmed].find(({ items }) => items > 0);
  if (!priced) return null;
  const asOneJob = priced.vehicle_class === UNKNOWN_CLASS ? '' : ` ${ONE_FIND}`;
  return `Without tax.${asOneJob} ${priced.range_meaning ?? VISIBLE_ONLY}`;
}

/** Returns what the amounts of a result include, and what teardown adds; null where it names none. */
export function describeAmountScope({ inspection, assessment }: ReportInput): string | null {
  return assessment ? describeScope(assessment) : describeInspectionScope(inspection?.data);
}

const ONE_FIND =
  'The price of one find is its own repair; the whole job also holds what usually comes with it (parts behind, access, scans), by share of jobs.';

/** What stands where a result does not say it itself. */
const VISIBLE_ONLY =
  'Visible damage only: after teardown the bills of four US claims were 1.7 to 2.4 times an estimate from outside.';
