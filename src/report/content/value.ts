import type { AssessmentSummary } from '../../contract/assessment/summary.ts';
import { money, moneyRange, percent, plain } from '../figures.ts';
import { calibrationWords, partWords } from '../words.ts';
import { type Column, paragraph, type Row, type Section, table } from './blocks.ts';

const COLUMNS: readonly Column[] = [
  { title: 'What', share: 30 },
  { title: 'Value', share: 26, align: 'right' },
  { title: 'How', share: 44 },
];

/** Returns timeline, vehicle value, total loss, supplement risk and calibration notes, each with its formula. */
export function valueSection(summary: AssessmentSummary): Section {
  const rows = [...timelineRows(summary), ...valueRows(summary), ...lossRows(summary), ...riskRows(summary)];
  const notes = summary.adas_notes.map(({ part, sensor, note, amount, ...where }) =>
    paragraph(
      `Calibration, ${partWords(part)} (${sensor}): ${note} ${moneyRange(amount.min, amount.max, amount.currency)}; ${calibrationWords(where)}.`,
      'soft',
    ),
  );
  return { id: 'value', title: 'Timeline and vehicle value', blocks: [table(COLUMNS, rows), ...notes] };
}

function timelineRows({ repair_timeline: timeline }: AssessmentSummary): Row[] {
  if (!timeline) return [];
  const parallel = timeline.can_repair_simultaneously
    ? 'Work on several parts runs in parallel.'
    : 'The work runs one after the other.';
  return [
    {
      cells: [
        'Repair time',
        `${timeline.estimated_total_days} working days`,
        `${timeline.formula}. ${parallel}`,
      ],
    },
  ];
}

function valueRows({
  impact_on_vehicle_value: value,
  total_value_reduction_percentage: reduction,
}: AssessmentSummary): Row[] {
  const basis =
    value.basis === 'request'
      ? 'As given with the request.'
      : `No market value was given: ${value.value_formula}.`;
  return [
    { cells: ['Market value before', money(value.estimated_market_value, value.currency), basis] },
    {
      cells: [
        'Loss of value',
        `${money(value.value_reduction, value.currency)} (${plain(reduction)} %)`,
        value.formula,
      ],
    },
    {
      bold: true,
      cells: ['Value after', money(value.adjusted_value, value.currency), 'Market value less the loss.'],
    },
  ];
}

const LOSS_WORDS = {
  total_loss: 'TOTAL LOSS',
  near_threshold: 'No, but near the threshold',
  no_total_loss: 'No',
  unknown: 'Unknown: no market value was given',
} as const satisfies Record<AssessmentSummary['total_loss']['verdict'], string>;

function lossRows({ total_loss: loss }: AssessmentSummary): Row[] {
  const verdict = LOSS_WORDS[loss.verdict];
  return [
    {
      bold: loss.is_total_loss,
      cells: [
        'Total loss',
        verdict,
        `Repair ${money(loss.repair_cost, loss.currency)} is ${plain(loss.ratio_percentage)} % of ${money(loss.vehicle_value, loss.currency)}; threshold ${plain(loss.threshold_percentage)} %. ${loss.formula}. Source: ${loss.source}.`,
      ],
    },
    { cells: ['Salvage value', money(loss.salvage_value, loss.currency), ''] },
  ];
}

function riskRows({ supplement_risk: risk }: AssessmentSummary): Row[] {
  const { min, max, currency } = risk.additional_cost;
  return [
    {
      cells: [
        'Risk of a supplement',
        `${risk.level}, ${percent(risk.probability_min)} to ${percent(risk.probability_max)}`,
        `Additional cost ${moneyRange(min, max, currency)}${risk.adapted === undefined ? '' : ` (${risk.adapted})`}, in no total. ${risk.formula}. Source: ${risk.source}.`,
      ],
    },
  ];
}
