import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessedDamage } from '../../contract/assessment/damage.ts';
import type { RepairOption } from '../../contract/assessment/option.ts';
import { ABSENT, formatAssessedSize, formatMoneyRange, formatNumber, formatWholeMoney } from '../figures.ts';
import type { DamageRow } from '../finding-rows.ts';
import { describeDamage, describePart, humanise } from '../words.ts';
import {
  type Block,
  type Column,
  makeHeading,
  makeParagraph,
  makeTable,
  type Row,
  type Section,
} from './blocks.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Option', share: 36 },
  { title: 'Hours', share: 8, align: 'right' },
  { title: 'Labor', share: 14, align: 'right' },
  { title: 'Parts', share: 14, align: 'right' },
  { title: 'Total', share: 14, align: 'right' },
  { title: 'Range', share: 20, align: 'right' },
  { title: 'Days', share: 7, align: 'right' },
];

/** Builds impact and repair options of each damage, recommended first, with the reason against each alternative. */
export function writeOptions(
  rows: readonly DamageRow[],
  { data }: AssessmentEnvelope,
  detail: OptionDetail = {},
): Section {
  const hasValueRule = data.summary.impact_on_vehicle_value.rule !== 'none';
  return {
    id: 'options',
    title: 'Repair options by damage',
    blocks: rows.flatMap(({ number, assessed }) =>
      assessed ? writeDamageBlocks(number, assessed, hasValueRule, detail) : [],
    ),
  };
}

/** Level of detail of the repair options. */
interface OptionDetail {
  readonly onlyRecommended?: boolean;
  /** Adds the rules that fired for the recommended option. */
  readonly explain?: boolean;
}

function writeDamageBlocks(
  number: number,
  assessed: AssessedDamage,
  hasValueRule: boolean,
  { onlyRecommended = false, explain = false }: OptionDetail,
): Block[] {
  const what = describeDamage(assessed.type, assessed.subtype).toLowerCase();
  const options = assessed.repair_options
    .toSorted((a, b) => Number(b.recommended) - Number(a.recommended))
    .filter(({ recommended }) => recommended || !onlyRecommended);
  const size = formatAssessedSize(assessed);
  return [
    makeHeading(
      `${number}. ${describePart(assessed.location)}: ${assessed.severity} ${what}${size === undefined ? '' : `, ${size}`} (${formatNumber(assessed.severity_score)} of 10)`,
    ),
    makeParagraph(describeImpact(assessed, hasValueRule), 'soft'),
    ...describeOverrides(assessed).map((text) => makeParagraph(text, 'bold')),
    makeTable(COLUMNS, options.map(makeOptionRow)),
    ...(explain ? writeExplanation(assessed) : []),
  ];
}

/** Lists the rules that fired for the recommended repair, with their inputs. */
function writeExplanation({ explain, repair_options }: AssessedDamage): Block[] {
  const option = repair_options.find(({ recommended }) => recommended);
  if (option === undefined) return [];
  const rules = [...explain, ...option.explain].map(
    ({ rule, inputs }) =>
      `${rule} ${Object.entries(inputs)
        .map(([name, input]) => `${name}=${input}`)
        .join(' ')}`,
  );
  return rules.map((text) => makeParagraph(text, 'soft'));
}

/** @param hasValueRule true if the region has a rule for the diminished value of a repaired vehicle */
function describeImpact(
  { impact_assessment: impact, severity_given: given }: AssessedDamage,
  hasValueRule: boolean,
): string {
  const lost = impact.value_reduction_percentage;
  const value = lost === 0 ? 'value unchanged' : `value −${formatNumber(lost)} %`;
  const raised = given === undefined ? '' : ` Severity was given as ${given} and raised by rule.`;
  return `Impact: structure ${impact.structural}, looks ${impact.cosmetic}, safety ${impact.safety}${hasValueRule ? `, ${value}` : ''}.${raised}`;
}

function describeOverrides({ overrides = [] }: AssessedDamage): string[] {
  return overrides.map((one) => {
    const reason = one.reason ? ` (${one.reason})` : '';
    return `Changed by the adjuster: ${one.field} ${one.computed} → ${one.value}${reason}`;
  });
}

function makeOptionRow(option: RepairOption): Row {
  const { total_cost: cost, cost_range: range } = option;
  const parts = option.parts_required.map(
    (part) =>
      `${describePart(part.part).toLowerCase()}${part.oem_price === undefined ? '' : ` ${formatWholeMoney(part.oem_price, part.currency)}`}`,
  );
  const reason = option.not_recommended_reason ? `Not chosen: ${option.not_recommended_reason.message}` : '';
  return {
    bold: option.recommended,
    cells: [
      `${option.recommended ? '✓ ' : ''}${humanise(option.option)}`,
      option.labor.hours.toFixed(1),
      formatWholeMoney(cost.labor, cost.currency),
      formatWholeMoney(cost.parts, cost.currency),
      formatWholeMoney(cost.total, cost.currency),
      formatMoneyRange(range.min, range.max, range.currency),
      option.timeline ? String(option.timeline.estimated_days) : ABSENT,
    ],
    note: [option.description, parts.length > 0 ? `Parts: ${parts.join('; ')}.` : '', reason]
      .filter(Boolean)
      .join(' '),
  };
}
