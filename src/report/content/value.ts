import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import { formatCount } from '../../lib/format-count.ts';
import { ABSENT, formatNumber, formatWholeMoney } from '../figures.ts';
import { capitalise, describeLossOfValue } from '../words.ts';
import { type Column, makeParagraph, makeTable, type Row, type Section } from './blocks.ts';

const COLUMNS: readonly Column[] = [
  { title: 'What', share: 24 },
  { title: 'Value', share: 20, align: 'right' },
  { title: 'How', share: 56 },
];

/** Builds timeline, vehicle value and total loss, each with its calculation. */
export function writeValue(summary: AssessmentSummary, explain = false): Section {
  const rows = [...makeTimelineRows(summary), ...makeValueRows(summary), ...makeLossRows(summary)];
  const { impact_on_vehicle_value: value, total_loss: loss } = summary;
  const formulas = explain
    ? [value.value_formula, loss.formula].map((text) => makeParagraph(text.replaceAll(' x ', ' × '), 'soft'))
    : [];
  return {
    id: 'value',
    title: 'Timeline and vehicle value',
    blocks: [makeTable(COLUMNS, rows), ...formulas],
  };
}

function makeTimelineRows({ repair_timeline: timeline }: AssessmentSummary): Row[] {
  if (!timeline) return [];
  const parallel = timeline.can_repair_simultaneously
    ? 'Work on several parts runs in parallel.'
    : 'The work runs one after the other.';
  return [
    {
      cells: [
        'Repair time',
        formatCount(timeline.estimated_total_days, 'working day'),
        `${capitalise(describeDays(timeline.formula))}. ${parallel}`,
      ],
    },
  ];
}

function makeValueRows({
  impact_on_vehicle_value: value,
  total_value_reduction_percentage: reduction,
}: AssessmentSummary): Row[] {
  const basis =
    value.basis === 'request'
      ? 'As given with the request.'
      : 'Not given: estimated from the usual value in this region by class, age and mileage.';
  const before = {
    cells: ['Market value before', formatWholeMoney(value.estimated_market_value, value.currency), basis],
  };
  if (value.rule === 'none')
    return [before, { cells: ['Loss of value', ABSENT, describeLossOfValue(value.formula)] }];
  return [
    before,
    {
      cells: [
        'Loss of value',
        `${formatWholeMoney(value.value_reduction, value.currency)} (${formatNumber(reduction)} %)`,
        describeLossOfValue(value.formula),
      ],
    },
    {
      bold: true,
      cells: [
        'Value after',
        formatWholeMoney(value.adjusted_value, value.currency),
        'Market value less the loss.',
      ],
    },
  ];
}

/** Formats the total-loss calculation as a sentence. */
function describeLoss(loss: AssessmentSummary['total_loss']): string {
  const { currency } = loss;
  const repair = `Repair with tax, ${formatWholeMoney(loss.repair_cost, currency)},`;
  const salvage =
    loss.rule === 'total_loss_formula'
      ? ` and salvage, ${formatWholeMoney(loss.salvage_value, currency)}, are`
      : ' is';
  const limit = `the limit is ${formatNumber(loss.threshold_percentage)} %`;
  return `${repair}${salvage} ${formatNumber(loss.ratio_percentage)} % of ${formatWholeMoney(loss.vehicle_value, currency)}; ${limit}.`;
}

/** Formats the repair days as a readable calculation. */
function describeDays(formula: string): string {
  return formula.replace(/ceil\(([^)]*)\)/g, '$1, rounded up').replaceAll(' / ', ' ÷ ');
}

const LOSS_WORDS = {
  total_loss: 'TOTAL LOSS',
  near_threshold: 'No, but near the threshold',
  no_total_loss: 'No',
  unknown: 'Unknown: no market value was given',
} as const satisfies Record<AssessmentSummary['total_loss']['verdict'], string>;

/** Formats the total-loss verdict as a sentence; null unless the vehicle is or may be a total loss. */
export function describeLossWarning(assessment: AssessmentEnvelope | null): string | null {
  const loss = assessment?.data.summary.total_loss;
  if (loss?.verdict === 'total_loss') return `TOTAL LOSS. ${describeLoss(loss)}`;
  return loss?.verdict === 'near_threshold' ? `Near the total-loss threshold. ${describeLoss(loss)}` : null;
}

function makeLossRows({ total_loss: loss }: AssessmentSummary): Row[] {
  const verdict = LOSS_WORDS[loss.verdict];
  return [
    {
      bold: loss.is_total_loss,
      cells: ['Total loss', verdict, `${describeLoss(loss)} Source: ${loss.source}.`],
    },
    { cells: ['Salvage value', formatWholeMoney(loss.salvage_value, loss.currency), ''] },
  ];
}
