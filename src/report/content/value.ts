import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import { ABSENT, formatNumber, formatWholeMoney } from '../figures.ts';
import { english, type Say } from '../say.ts';
import { capitalize } from '../words.ts';
import { makeParagraph, numberColumn, type Section, tabulate, textColumn } from './blocks.ts';

type Fact = readonly [what: string, value: string, how: string, isBold?: boolean];

/** Builds timeline, vehicle value and total loss, each with its calculation. */
export function writeValue(summary: AssessmentSummary, explain = false, say: Say = english): Section {
  const facts = [...listTimeline(summary, say), ...listValues(summary, say), ...listLoss(summary, say)];
  const { impact_on_vehicle_value: value, total_loss: loss } = summary;
  const formulas = explain
    ? [value.value_formula, loss.formula].map((text) => makeParagraph(text.replaceAll(' x ', ' × '), 'soft'))
    : [];
  return {
    id: 'value',
    title: say`Timeline and vehicle value`,
    blocks: [
      tabulate(
        facts,
        [
          textColumn(say`What`, 24, ([what]) => what),
          numberColumn(say`Value`, 20, ([, value]) => value),
          textColumn(say`How`, 56, ([, , how]) => how),
        ],
        ([, , , bold = false]) => ({ bold }),
      ),
      ...formulas,
    ],
  };
}

function listTimeline({ repair_timeline: timeline }: AssessmentSummary, say: Say): readonly Fact[] {
  if (!timeline) return [];
  const days = timeline.estimated_total_days;
  const time = days === 1 ? say`1 working day` : say`${days} working days`;
  const parallel = timeline.can_repair_simultaneously
    ? say`Work on several parts runs in parallel.`
    : say`The work runs one after the other.`;
  return [[say`Repair time`, time, `${capitalize(say.stored(describeDays(timeline.formula)))}. ${parallel}`]];
}

function listValues(
  { impact_on_vehicle_value: value, total_value_reduction_percentage: reduction }: AssessmentSummary,
  say: Say,
): readonly Fact[] {
  const basis =
    value.basis === 'request'
      ? say`As given with the request.`
      : say`Not given: estimated from the usual value in this region by class, age and mileage.`;
  const whole = (amount: number) => say.figure(formatWholeMoney(amount, value.currency));
  const formula = say.stored(`${capitalize(value.formula.replaceAll(' x ', ' × '))}.`);
  const before: Fact = [say`Market value before`, whole(value.estimated_market_value), basis];
  if (value.rule === 'none') return [before, [say`Loss of value`, ABSENT, formula]];
  const share = say.figure(`${formatNumber(reduction)} %`);
  return [
    before,
    [say`Loss of value`, `${whole(value.value_reduction)} (${share})`, formula],
    [say`Value after`, whole(value.adjusted_value), say`Market value less the loss.`, true],
  ];
}

function describeLoss(loss: AssessmentSummary['total_loss'], say: Say): string {
  const [repair, salvage, value] = [loss.repair_cost, loss.salvage_value, loss.vehicle_value].map((amount) =>
    say.figure(formatWholeMoney(amount, loss.currency)),
  ) as [string, string, string];
  const [share, limit] = [loss.ratio_percentage, loss.threshold_percentage].map((one) =>
    say.figure(formatNumber(one)),
  ) as [string, string];
  return loss.rule === 'total_loss_formula'
    ? say`Repair with tax, ${repair}, and salvage, ${salvage}, are ${share} % of ${value}; the limit is ${limit} %.`
    : say`Repair with tax, ${repair}, is ${share} % of ${value}; the limit is ${limit} %.`;
}

/** Formats the repair days as a readable calculation. */
function describeDays(formula: string): string {
  return formula.replace(/ceil\(([^)]*)\)/g, '$1, rounded up').replaceAll(' / ', ' ÷ ');
}

const LOSS_WORDS = {
  total_loss: 'TOTAL LOSS',
  near_threshold: 'No, but near the threshold',
  no_total_loss: 'No',
  unknown: 'Give the market value',
} as const satisfies Record<AssessmentSummary['total_loss']['verdict'], string>;

/** Formats the total-loss verdict as a sentence; null unless the vehicle is or may be a total loss. */
export function describeLossWarning(
  assessment: AssessmentEnvelope | null,
  say: Say = english,
): string | null {
  const loss = assessment?.data.summary.total_loss;
  if (loss?.verdict === 'total_loss') return `${say`TOTAL LOSS`}. ${describeLoss(loss, say)}`;
  return loss?.verdict === 'near_threshold'
    ? `${say`Near the total-loss threshold`}. ${describeLoss(loss, say)}`
    : null;
}

function listLoss({ total_loss: loss }: AssessmentSummary, say: Say): readonly Fact[] {
  const verdict = say.word(LOSS_WORDS[loss.verdict]);
  if (loss.verdict === 'unknown')
    return [[say`Total loss`, verdict, say`The market value of the vehicle decides.`]];
  const how = `${describeLoss(loss, say)} ${say`Source: ${say.stored(loss.source)}.`}`;
  return [
    [say`Total loss`, verdict, how, loss.is_total_loss],
    [say`Salvage value`, say.figure(formatWholeMoney(loss.salvage_value, loss.currency)), ''],
  ];
}
