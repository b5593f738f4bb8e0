import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessedDamage } from '../../contract/assessment/damage.ts';
import type { RepairOption } from '../../contract/assessment/option.ts';
import { compact } from '../../lib/lists.ts';
import { ABSENT, formatAssessedSize, formatMoneyRange, formatNumber, formatWholeMoney } from '../figures.ts';
import type { DamageRow } from '../finding-rows.ts';
import { english, joinItems, type Translator } from '../translator.ts';
import { describeDamageInText, describePart, describeSevereDamage, nameOption } from '../words.ts';
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
  t = english,
): Section {
  const hasValueRule = data.summary.impact_on_vehicle_value.rule !== 'none';
  return {
    id: 'options',
    title: t`Repair options by damage`,
    blocks: rows.flatMap(({ number, assessed }) =>
      assessed ? writeDamageBlocks(number, assessed, hasValueRule, detail, t) : [],
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
  t: Translator,
): Block[] {
  const what = describeSevereDamage({ ...assessed, part: assessed.location }, t);
  const options = assessed.repair_options
    .toSorted((a, b) => Number(b.recommended) - Number(a.recommended))
    .filter(({ recommended }) => recommended || !onlyRecommended);
  const size = formatAssessedSize(assessed);
  const damage = compact([what, size && t.figure(size)]).join(', ');
  const score = t`${t.figure(formatNumber(assessed.severity_score))} of 10`;
  return [
    makeHeading(t`${`${number}. ${describePart(assessed.location, t)}`}: ${`${damage} (${score})`}`),
    makeParagraph(describeImpact(assessed, hasValueRule, t), 'soft'),
    ...describeOverrides(assessed, t).map((text) => makeParagraph(text, 'bold')),
    tabulate(
      options,
      [
        textColumn(t`Option`, 36, (one) => `${one.recommended ? '✓ ' : ''}${nameOption(one.option, t)}`),
        numberColumn(t`Hours`, 8, ({ labor }) => t.figure(labor.hours.toFixed(1))),
        numberColumn(t`Labor`, 14, ({ total_cost: cost }) => whole(cost.labor, cost.currency, t)),
        numberColumn(t`Parts`, 14, ({ total_cost: cost }) => whole(cost.parts, cost.currency, t)),
        numberColumn(t`Total`, 14, ({ total_cost: cost }) => whole(cost.total, cost.currency, t)),
        numberColumn(t`Range`, 20, ({ cost_range: range }) =>
          t.figure(formatMoneyRange(range.min, range.max, range.currency)),
        ),
        numberColumn(t`Days`, 7, ({ timeline }) => (timeline ? String(timeline.estimated_days) : ABSENT)),
      ],
      (option) => ({ bold: option.recommended, note: describeOption(option, t) }),
    ),
    ...(explain ? writeExplanation(assessed) : []),
  ];
}

/** Lists the rules that fired for the recommended repair, with their inputs. */
function writeExplanation({ explain, repair_options }: AssessedDamage): Block[] {
  const option = repair_options.find(({ recommended }) => recommended);
  if (option === undefined) return [];
  return [...explain, ...option.explain].map(({ rule, inputs }) => {
    const values = Object.entries(inputs).map(([name, input]) => `${name}=${input}`);
    return makeParagraph([rule, ...values].join(' '), 'soft');
  });
}

/** @param hasValueRule true if the region has a rule for the diminished value of a repaired vehicle */
function describeImpact(
  { impact_assessment: impact, severity_given: given }: AssessedDamage,
  hasValueRule: boolean,
  t: Translator,
): string {
  const lost = impact.value_reduction_percentage;
  const effects = t`Impact: structure ${t.word(impact.structural)}, looks ${t.word(impact.cosmetic)}, safety ${t.word(impact.safety)}`;
  const value = lost === 0 ? t`value unchanged` : t`value −${t.figure(formatNumber(lost))} %`;
  return [
    `${effects}${hasValueRule ? `, ${value}` : ''}.`,
    ...(given === undefined ? [] : [t`Severity was given as ${t.word(given)} and raised by rule.`]),
  ].join(' ');
}

function describeOverrides({ overrides = [], location }: AssessedDamage, t: Translator): string[] {
  const words = {
    type: (code: string) => describeDamageInText(code, undefined, location, t),
    severity: t.word,
    option: (code: string) => t.inText(nameOption(code, t)),
  };
  return overrides.map(({ field, computed, value, reason }) => {
    const [what, name] = [t.word(field === 'type' ? 'damage' : field), words[field]];
    return `${t`Changed by the adjuster: ${what} ${name(computed)} → ${name(value)}`}${reason ? ` (${reason})` : ''}`;
  });
}

const whole = (amount: number, currency: string, t: Translator) =>
  t.figure(formatWholeMoney(amount, currency));

function describeOption(option: RepairOption, t: Translator): string {
  const parts = option.parts_required.map(({ part, oem_price: price, currency }) =>
    [t.inText(describePart(part, t)), ...(price === undefined ? [] : [whole(price, currency, t)])].join(' '),
  );
  const against = option.not_recommended_reason?.message;
  return compact([
    t.stored(option.description),
    parts.length > 0 && t`${t`Parts`}: ${joinItems(parts, t)}.`,
    against && t`${t`Not chosen`}: ${t.stored(against)}`,
  ]).join(' ');
}
