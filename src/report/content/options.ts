import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessedDamage } from '../../contract/assessment/damage.ts';
import type { RepairOption } from '../../contract/assessment/option.ts';
import { ABSENT, formatAssessedSize, formatMoneyRange, formatNumber, formatWholeMoney } from '../figures.ts';
import type { DamageRow } from '../finding-rows.ts';
import { english, type Say } from '../say.ts';
import { describePart, describeSevereDamage, humanise } from '../words.ts';
import {
  type Block,
  type Column,
  makeHeading,
  makeParagraph,
  makeTable,
  type Row,
  type Section,
} from './blocks.ts';

const listColumns = (say: Say): readonly Column[] => [
  { title: say`Option`, share: 36 },
  { title: say`Hours`, share: 8, align: 'right' },
  { title: say`Labor`, share: 14, align: 'right' },
  { title: say`Parts`, share: 14, align: 'right' },
  { title: say`Total`, share: 14, align: 'right' },
  { title: say`Range`, share: 20, align: 'right' },
  { title: say`Days`, share: 7, align: 'right' },
];

/** Builds impact and repair options of each damage, recommended first, with the reason against each alternative. */
export function writeOptions(
  rows: readonly DamageRow[],
  { data }: AssessmentEnvelope,
  detail: OptionDetail = {},
  say: Say = english,
): Section {
  const hasValueRule = data.summary.impact_on_vehicle_value.rule !== 'none';
  return {
    id: 'options',
    title: say`Repair options by damage`,
    blocks: rows.flatMap(({ number, assessed }) =>
      assessed ? writeDamageBlocks(number, assessed, hasValueRule, detail, say) : [],
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
  say: Say,
): Block[] {
  const what = describeSevereDamage({ ...assessed, part: assessed.location }, say);
  const options = assessed.repair_options
    .toSorted((a, b) => Number(b.recommended) - Number(a.recommended))
    .filter(({ recommended }) => recommended || !onlyRecommended);
  const size = formatAssessedSize(assessed);
  return [
    makeHeading(
      `${number}. ${describePart(assessed.location, say)}: ${what}${size === undefined ? '' : `, ${say.figure(size)}`} (${say`${say.figure(formatNumber(assessed.severity_score))} of 10`})`,
    ),
    makeParagraph(describeImpact(assessed, hasValueRule, say), 'soft'),
    ...describeOverrides(assessed, say).map((text) => makeParagraph(text, 'bold')),
    makeTable(
      listColumns(say),
      options.map((option) => makeOptionRow(option, say)),
    ),
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
  say: Say,
): string {
  const lost = impact.value_reduction_percentage;
  const effects = say`Impact: structure ${say.word(impact.structural)}, looks ${say.word(impact.cosmetic)}, safety ${say.word(impact.safety)}`;
  const value = lost === 0 ? say`value unchanged` : say`value −${say.figure(formatNumber(lost))} %`;
  return [
    `${effects}${hasValueRule ? `, ${value}` : ''}.`,
    ...(given === undefined ? [] : [say`Severity was given as ${say.word(given)} and raised by rule.`]),
  ].join(' ');
}

function describeOverrides({ overrides = [] }: AssessedDamage, say: Say): string[] {
  return overrides.map((one) => {
    const reason = one.reason ? ` (${one.reason})` : '';
    return `${say`Changed by the adjuster: ${one.field} ${one.computed} → ${one.value}`}${reason}`;
  });
}

function makeOptionRow(option: RepairOption, say: Say): Row {
  const whole = (amount: number, currency: string) => say.figure(formatWholeMoney(amount, currency));
  const { total_cost: cost, cost_range: range } = option;
  const parts = option.parts_required.map(
    (part) =>
      `${say.inText(describePart(part.part, say))}${part.oem_price === undefined ? '' : ` ${whole(part.oem_price, part.currency)}`}`,
  );
  const against = option.not_recommended_reason?.message;
  return {
    bold: option.recommended,
    cells: [
      `${option.recommended ? '✓ ' : ''}${say.word(humanise(option.option))}`,
      say.figure(option.labor.hours.toFixed(1)),
      whole(cost.labor, cost.currency),
      whole(cost.parts, cost.currency),
      whole(cost.total, cost.currency),
      say.figure(formatMoneyRange(range.min, range.max, range.currency)),
      option.timeline ? String(option.timeline.estimated_days) : ABSENT,
    ],
    note: [
      say.stored(option.description),
      parts.length > 0 ? `${say`Parts`}: ${parts.join('; ')}.` : '',
      against === undefined ? '' : `${say`Not chosen`}: ${say.stored(against)}`,
    ]
      .filter(Boolean)
      .join(' '),
  };
}
