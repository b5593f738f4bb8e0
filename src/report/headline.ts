import type { InspectionResults, VisualInspection } from '../contract/inspection.ts';
import type { Result } from '../contract/result.ts';
import type { Figure } from './content/blocks.ts';
import { formatNumber, formatRoundMoney } from './figures.ts';
import { findWorseCondition, type Graded, hasSeveralVehicles, isGraded } from './grade.ts';
import { capitalize, english, type Translator } from './translator.ts';

/** Formats the verdict: `good 8.9/10`, the number of vehicles if the photos appear to show several, or `no grade`. */
export function describeVerdict(results: Graded, t = english): string {
  if (hasSeveralVehicles(results)) return t`${results.grade_basis.vehicles ?? 0} vehicles`;
  if (!isGraded(results)) return t`no grade`;
  return `${t.word(results.overall_condition)} ${t.figure(results.condition_score.toFixed(1))}/10`;
}

export const describeSeveralVehicles = ({ grade_basis }: Graded, t = english): string =>
  t`at least ${grade_basis.vehicles ?? 0} vehicles in these photos, each with its own grade and price`;

/** Formats the verdict as a title: `Good 8.9/10`. */
export const writeVerdictTitle = (results: Graded): string => capitalize(describeVerdict(results));

/** Commands suggested as the next step for a result. */
export interface NextCommands {
  readonly review: string;
  readonly report: string;
}

/** Lists the headline figures: repair, damage, places to check, an assessment's total loss; none for several vehicles. */
export function listFigures(input: Result, next?: NextCommands, t = english): readonly Figure[] {
  const results = input.inspection?.data.results;
  if (results && hasSeveralVehicles(results)) return [];
  return [
    ...writeRepairFigure(input, t),
    ...writeDamageFigure(input, t),
    ...(input.inspection === null ? writeLossFigure(input, t) : []),
    ...(results ? writeCheckFigure(results, next, t) : []),
  ];
}

/** Formats the cost of the repair and its upper end; empty if there is none. */
export function writeRepairFigure({ inspection, assessment }: Result, t = english): readonly Figure[] {
  const cost = inspection?.data.results?.repair_cost;
  const costs = assessment?.data.summary.repair_cost_summary;
  const total = costs?.first_bill ?? (cost && cost.items > 0 ? cost : undefined);
  if (total === undefined) return [];
  const { currency } = total;
  const upper = costs?.after_teardown?.max;
  const money = (amount: number) => t.figure(formatRoundMoney(amount, currency));
  const most =
    upper === undefined
      ? t`up to ${money(total.max)}`
      : t`up to ${money(upper)} once the parts behind are open`;
  const gross = inspection === null && costs?.tax ? costs.first_bill_gross : undefined;
  const note = gross === undefined ? most : `${t`${money(gross)} with tax`}; ${most}`;
  return [{ label: t`Repair`, value: t`about ${money(total.estimated)}`, note }];
}

/** Value of the total-loss figure if the market value needed for a decision is missing. */
export const GIVE_VALUE = 'give the value';

/** Formats whether the vehicle is a total loss; without its market value, no share is stated. */
function writeLossFigure({ assessment }: Result, t: Translator): readonly Figure[] {
  const loss = assessment?.data.summary.total_loss;
  if (loss === undefined) return [];
  if (loss.verdict === 'unknown') {
    const note = t`the market value of the vehicle decides`;
    return [{ label: t`Total loss`, value: t.word(GIVE_VALUE), note }];
  }
  const show = (percent: number) => t.figure(formatNumber(percent, 2));
  const note = t`${show(loss.ratio_percentage)} % of the value, the limit is ${show(loss.threshold_percentage)} %`;
  return [{ label: t`Total loss`, value: loss.is_total_loss ? t`yes` : t`no`, note }];
}

function writeDamageFigure({ inspection, assessment }: Result, t: Translator): readonly Figure[] {
  const results = inspection?.data.results;
  const damages = results?.damages.map(({ location }) => location.part);
  const parts = damages ?? assessment?.data.assessed_damages.map(({ location }) => location) ?? [];
  const affected = new Set<string>(parts).size;
  const label = t`Damage`;
  const value = describeExtent(parts.length, affected, (results?.to_check.length ?? 0) > 0, t);
  if (results) return [{ label, value, note: describeGrade(results, t), tone: chooseTone(results) }];
  const worst = assessment?.data.summary.overall_severity;
  return worst === undefined ? [] : [{ label, value, note: t`the worst is ${t.word(worst)}` }];
}

/** Formats the number of damages and of damaged parts: `5 on 3 parts`. */
function describeExtent(damages: number, parts: number, hasToCheck: boolean, t: Translator): string {
  if (damages > 0) return parts === 1 ? t`${damages} on 1 part` : t`${damages} on ${parts} parts`;
  return hasToCheck ? t`none confirmed` : t`none found`;
}

/** Formats the grade: `grade 7.5 of 10, good`, or `grade 7.5, good; poor if all to check is real`. */
function describeGrade(results: InspectionResults, t: Translator): string {
  if (!isGraded(results)) return t`no grade: too little of the vehicle is seen`;
  const worse = findWorseCondition(results);
  const [score, word] = [t.figure(formatNumber(results.condition_score)), t.word(results.overall_condition)];
  return worse === null
    ? t`grade ${score} of 10, ${word}`
    : t`grade ${score}, ${word}; ${t.word(worse)} if all to check is real`;
}

/** Returns the tone of a grade: bad by its condition, else open or good by the condition if all to check is real. */
function chooseTone(results: InspectionResults): NonNullable<Figure['tone']> {
  if (!isGraded(results) || ['poor', 'critical'].includes(results.overall_condition)) return 'bad';
  const worst = results.grade_basis.if_all_confirmed?.condition ?? results.overall_condition;
  return ['excellent', 'good'].includes(worst) ? 'good' : 'open';
}

function writeCheckFigure(results: InspectionResults, next: NextCommands | undefined, t: Translator) {
  const { length: count } = results.to_check;
  if (count === 0 && results.damages.length === 0) return [];
  const nothing = isGraded(results) ? t`nothing` : t`what no photo shows`;
  const value = count === 0 ? nothing : describeToCheck(results, t);
  return [{ label: t`Check`, value, note: (count === 0 ? next?.report : next?.review) ?? '' }];
}

/** Formats the number of places to check and the cost of the job if all prove real: `6 places, then $8,300`. */
function describeToCheck(
  { to_check, repair_cost, if_all_confirmed: all }: InspectionResults,
  t: Translator,
): string {
  const places = to_check.length === 1 ? t`1 place` : t`${to_check.length} places`;
  const then = formatRoundMoney(all.estimated, all.currency);
  const isMore =
    all.estimated > repair_cost.estimated &&
    then !== formatRoundMoney(repair_cost.estimated, repair_cost.currency);
  return isMore ? `${places}, ${t`then ${t.figure(then)}`}` : places;
}

/** Sentence for an inspection without damages and places to check. */
export const sayNoDamage = (t = english): string => t`No damage found, nothing to check.`;

/** Formats the reason an inspection has no results; null if it has some, graded or not. */
export function describeMissingGrade(data: VisualInspection | undefined, t = english): string | null {
  if (!data || data.results) return null;
  const reason = data.failure ? t.stored(data.failure.message) : t`The inspection is ${t.word(data.status)}.`;
  return `${t`No grade.`} ${reason}`;
}
