import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import { ABSENT, formatNumber, formatWholeMoney } from '../figures.ts';
import { capitalize, english, type Translator } from '../translator.ts';
import { type Block, makeParagraph, numberColumn, type Section, tabulate, textColumn } from './blocks.ts';

type ValueRow = readonly [what: string, value: string, how: string, isBold?: boolean];

/** Builds timeline, vehicle value and total loss, each with its calculation. */
export function writeValue(summary: AssessmentSummary, t = english): Section {
  const facts = [...listTimeline(summary, t), ...listValues(summary, t), ...listLoss(summary, t)];
  const table = tabulate(
    facts,
    [
      textColumn(t`What`, 24, ([what]) => what),
      numberColumn(t`Value`, 20, ([, value]) => value),
      textColumn(t`How`, 56, ([, , how]) => how),
    ],
    ([, , , bold = false]) => ({ bold }),
  );
  return { id: 'value', title: t`Timeline and vehicle value`, blocks: [table] };
}

/** Lists the formulas of the vehicle's value and of its total loss. */
export const listFormulas = ({
  impact_on_vehicle_value: value,
  total_loss: loss,
}: AssessmentSummary): Block[] =>
  [value.value_formula, loss.formula].map((text) => makeParagraph(text.replaceAll(' x ', ' × '), 'soft'));

function listTimeline({ repair_timeline: timeline }: AssessmentSummary, t: Translator): readonly ValueRow[] {
  if (!timeline) return [];
  const days = timeline.estimated_total_days;
  const time = days === 1 ? t`1 working day` : t`${days} working days`;
  const parallel = timeline.can_repair_simultaneously
    ? t`Work on several parts runs in parallel.`
    : t`The work runs one after the other.`;
  const formula = timeline.formula.replace(/ceil\(([^)]*)\)/g, '$1, rounded up').replaceAll(' / ', ' ÷ ');
  return [[t`Repair time`, time, `${capitalize(t.stored(formula))}. ${parallel}`]];
}

function listValues(
  { impact_on_vehicle_value: value, total_value_reduction_percentage: reduction }: AssessmentSummary,
  t: Translator,
): readonly ValueRow[] {
  const basis =
    value.basis === 'request'
      ? t`As given with the request.`
      : t`Not given: estimated from the usual value in this region by class, age and mileage.`;
  const whole = (amount: number) => t.figure(formatWholeMoney(amount, value.currency));
  const formula = t.stored(`${capitalize(value.formula.replaceAll(' x ', ' × '))}.`);
  const before: ValueRow = [t`Market value before`, whole(value.estimated_market_value), basis];
  if (value.rule === 'none') return [before, [t`Loss of value`, ABSENT, formula]];
  const share = t.figure(`${formatNumber(reduction)} %`);
  return [
    before,
    [t`Loss of value`, `${whole(value.value_reduction)} (${share})`, formula],
    [t`Value after`, whole(value.adjusted_value), t`Market value less the loss.`, true],
  ];
}

function describeLoss(loss: AssessmentSummary['total_loss'], t: Translator): string {
  const money = (amount: number) => t.figure(formatWholeMoney(amount, loss.currency));
  const percent = (share: number) => t.figure(formatNumber(share, 2));
  const [repair, value] = [money(loss.repair_cost), money(loss.vehicle_value)];
  const [share, limit] = [percent(loss.ratio_percentage), percent(loss.threshold_percentage)];
  return loss.rule === 'total_loss_formula'
    ? t`Repair with tax, ${repair}, and salvage, ${money(loss.salvage_value)}, are ${share} % of ${value}; the limit is ${limit} %.`
    : t`Repair with tax, ${repair}, is ${share} % of ${value}; the limit is ${limit} %.`;
}

const LOSS_WORDS = {
  total_loss: 'TOTAL LOSS',
  near_threshold: 'No, but near the threshold',
  no_total_loss: 'No',
  unknown: 'Give the market value',
} as const satisfies Record<AssessmentSummary['total_loss']['verdict'], string>;

/** Formats the total-loss verdict as a sentence; null unless the vehicle is or may be a total loss. */
export function describeLossWarning(assessment: AssessmentEnvelope | null, t = english): string | null {
  const loss = assessment?.data.summary.total_loss;
  if (loss?.verdict === 'total_loss') return `${t`TOTAL LOSS`}. ${describeLoss(loss, t)}`;
  return loss?.verdict === 'near_threshold'
    ? `${t`Near the total-loss threshold`}. ${describeLoss(loss, t)}`
    : null;
}

function listLoss({ total_loss: loss }: AssessmentSummary, t: Translator): readonly ValueRow[] {
  const verdict = t.word(LOSS_WORDS[loss.verdict]);
  if (loss.verdict === 'unknown')
    return [[t`Total loss`, verdict, t`The market value of the vehicle decides.`]];
  const how = `${describeLoss(loss, t)} ${t`Source: ${t.stored(loss.source)}.`}`;
  return [
    [t`Total loss`, verdict, how, loss.is_total_loss],
    [t`Salvage value`, t.figure(formatWholeMoney(loss.salvage_value, loss.currency)), ''],
  ];
}
