import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import { ABSENT, formatNumber, formatWholeMoney } from '../figures.ts';
import { english, type Say } from '../say.ts';
import { capitalise } from '../words.ts';
import { type Column, makeParagraph, makeTable, type Row, type Section } from './blocks.ts';

const listColumns = (say: Say): readonly Column[] => [
  { title: say`What`, share: 24 },
  { title: say`Value`, share: 20, align: 'right' },
  { title: say`How`, share: 56 },
];

/** Builds timeline, vehicle value and total loss, each with its calculation. */
export function writeValue(summary: AssessmentSummary, explain = false, say: Say = english): Section {
  const rows = [
    ...makeTimelineRows(summary, say),
    ...makeValueRows(summary, say),
    ...makeLossRows(summary, say),
  ];
  const { impact_on_vehicle_value: value, total_loss: loss } = summary;
  const formulas = explain
    ? [value.value_formula, loss.formula].map((text) => makeParagraph(text.replaceAll(' x ', ' × '), 'soft'))
    : [];
  return {
    id: 'value',
    title: say`Timeline and vehicle value`,
    blocks: [makeTable(listColumns(say), rows), ...formulas],
  };
}

function makeTimelineRows({ repair_timeline: timeline }: AssessmentSummary, say: Say): Row[] {
  if (!timeline) return [];
  const days = timeline.estimated_total_days;
  const parallel = timeline.can_repair_simultaneously
    ? say`Work on several parts runs in parallel.`
    : say`The work runs one after the other.`;
  return [
    {
      cells: [
        say`Repair time`,
        days === 1 ? say`1 working day` : say`${days} working days`,
        `${capitalise(say.stored(describeDays(timeline.formula)))}. ${parallel}`,
      ],
    },
  ];
}

function makeValueRows(
  { impact_on_vehicle_value: value, total_value_reduction_percentage: reduction }: AssessmentSummary,
  say: Say,
): Row[] {
  const basis =
    value.basis === 'request'
      ? say`As given with the request.`
      : say`Not given: estimated from the usual value in this region by class, age and mileage.`;
  const whole = (amount: number) => say.figure(formatWholeMoney(amount, value.currency));
  const formula = say.stored(`${capitalise(value.formula.replaceAll(' x ', ' × '))}.`);
  const before = { cells: [say`Market value before`, whole(value.estimated_market_value), basis] };
  if (value.rule === 'none') return [before, { cells: [say`Loss of value`, ABSENT, formula] }];
  return [
    before,
    {
      cells: [
        say`Loss of value`,
        `${whole(value.value_reduction)} (${say.figure(`${formatNumber(reduction)} %`)})`,
        formula,
      ],
    },
    {
      bold: true,
      cells: [say`Value after`, whole(value.adjusted_value), say`Market value less the loss.`],
    },
  ];
}

/** Formats the total-loss calculation as a sentence. */
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

function makeLossRows({ total_loss: loss }: AssessmentSummary, say: Say): Row[] {
  const verdict = say.word(LOSS_WORDS[loss.verdict]);
  if (loss.verdict === 'unknown')
    return [{ cells: [say`Total loss`, verdict, say`The market value of the vehicle decides.`] }];
  return [
    {
      bold: loss.is_total_loss,
      cells: [
        say`Total loss`,
        verdict,
        `${describeLoss(loss, say)} ${say`Source: ${say.stored(loss.source)}.`}`,
      ],
    },
    {
      cells: [say`Salvage value`, say.figure(formatWholeMoney(loss.salvage_value, loss.currency)), ''],
    },
  ];
}
