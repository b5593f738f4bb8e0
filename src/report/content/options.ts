import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessedDamage } from '../../contract/assessment/damage.ts';
import type { RepairOption } from '../../contract/assessment/option.ts';
import { compact } from '../../lib/lists.ts';
import { ABSENT, formatAssessedSize, formatMoneyRange, formatNumber, formatWholeMoney } from '../figures.ts';
import type { DamageRow } from '../finding-rows.ts';
import { english, type Say } from '../say.ts';
import { describePart, describeSevereDamage, humanize } from '../words.ts';
import {
  type Block,
  makeHeading,
  makeParagraph,
  numberColumn,
  type Section,
  tabulate,
  textColumn,
} from './blocks.ts';

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
    tabulate(
      options,
      [
        textColumn(
          say`Option`,
          36,
          ({ option, recommended }) => `${recommended ? '✓ ' : ''}${say.word(humanize(option))}`,
        ),
        numberColumn(say`Hours`, 8, ({ labor }) => say.figure(labor.hours.toFixed(1))),
        numberColumn(say`Labor`, 14, ({ total_cost: cost }) => whole(cost.labor, cost.currency, say)),
        numberColumn(say`Parts`, 14, ({ total_cost: cost }) => whole(cost.parts, cost.currency, say)),
        numberColumn(say`Total`, 14, ({ total_cost: cost }) => whole(cost.total, cost.currency, say)),
        numberColumn(say`Range`, 20, ({ cost_range: range }) =>
          say.figure(formatMoneyRange(range.min, range.max, range.currency)),
        ),
        numberColumn(say`Days`, 7, ({ timeline }) => (timeline ? String(timeline.estimated_days) : ABSENT)),
      ],
      (option) => ({ bold: option.recommended, note: describeOption(option, say) }),
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

const whole = (amount: number, currency: string, say: Say) => say.figure(formatWholeMoney(amount, currency));

function describeOption(option: RepairOption, say: Say): string {
  const parts = option.parts_required.map(({ part, oem_price: price, currency }) =>
    [say.inText(describePart(part, say)), ...(price === undefined ? [] : [whole(price, currency, say)])].join(
      ' ',
    ),
  );
  const against = option.not_recommended_reason?.message;
  return compact([
    say.stored(option.description),
    parts.length > 0 && `${say`Parts`}: ${parts.join('; ')}.`,
    against && `${say`Not chosen`}: ${say.stored(against)}`,
  ]).join(' ');
}
