import type { DamageType, RuleTrace, Severity } from '../../domain/damage.ts';
import { severityOf } from '../../domain/judge/severity.ts';
import { gradeClaim, middleScoreOf, type SeverityClaim } from '../../domain/judge/severity-floor.ts';
import { roundHalfUp, toMajor, toMinor } from '../../domain/money.ts';
import type { Operation } from '../../domain/repair.ts';
import { VehiError } from '../../lib/errors.ts';
import type { PricingDamage } from '../option/damage.ts';
import type { PricedOption } from '../option/price.ts';
import { optionsFor } from '../option/recommend.ts';
import { targetOf } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';
import { applyFigures, type FigureOverride, mainLine, mainPart } from './figures.ts';
import type { Item } from './panel-repair.ts';

/** An adjuster's correction of one damage; `field` is its place in the request, for errors. */
export interface DamageOverride {
  readonly field: string;
  readonly type?: DamageType | undefined;
  readonly subtype?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly option?: string | undefined;
  /** Hours of the line that does the repair: replace, repair, pull, polish; paint stays as it is. */
  readonly hours?: number | undefined;
  /** Price of the part the repair buys, major units of the response currency; paint materials stay as they are. */
  readonly price?: number | undefined;
}

/** A value an adjuster changed, and the line it stands on. */
export interface OverrideChange {
  readonly field: 'type' | 'severity' | 'option' | 'hours' | 'price';
  readonly computed: string | number | null;
  readonly value: string | number;
  readonly operation?: Operation;
  readonly part?: string;
}

/** A damage with its options, the option that counts, and what an adjuster changed. */
export interface DecidedDamage {
  readonly item: Item;
  readonly changes: readonly OverrideChange[];
  readonly trace: readonly RuleTrace[];
}

/**
 * Grades and prices one damage of an assessment, with an adjuster's corrections where there are some.
 * @throws VehiError INVALID_REQUEST where an override names an option or a figure that the damage does not have.
 */
export function decideDamage(
  claim: SeverityClaim & { readonly id: string; readonly count?: number | undefined },
  override: DamageOverride | undefined,
  ctx: PricingContext,
): DecidedDamage {
  const changes: OverrideChange[] = [];
  const { type = claim.type, subtype = claim.subtype } = override?.type === undefined ? {} : override;
  if (override?.type !== undefined) {
    const computed = claim.subtype ?? claim.type;
    changes.push({ field: 'type', computed, value: override.subtype ?? override.type });
  }
  const typed = { ...claim, type, subtype: override?.type === undefined ? subtype : override.subtype };
  const graded = gradeClaim(typed);
  let { severity, severityScore } = graded;
  if (override?.severity !== undefined) {
    changes.push({ field: 'severity', computed: severity, value: override.severity });
    severity = override.severity;
    if (severityOf(severityScore) !== severity) severityScore = middleScoreOf(severity);
  }
  const damage: PricingDamage = {
    type,
    subtype: typed.subtype,
    part: claim.part,
    severity,
    severityScore,
    sizeCm: claim.sizeCm,
    count: claim.count,
  };
  const target = targetOf(damage, ctx);
  const options = optionsFor([damage], target, ctx, override?.option);
  const { recommended } = options;
  if (override?.option !== undefined) {
    if (recommended.plan.option !== override.option) throw unknownOption(override, options.options);
    const computed = optionsFor([damage], target, ctx).recommended.plan.option;
    changes.push({ field: 'option', computed, value: override.option });
  }
  const figures = {
    hoursTenths: override?.hours === undefined ? undefined : roundHalfUp(override.hours * 10),
    priceMinor: override?.price === undefined ? undefined : toMinor(override.price, ctx.currency),
  };
  const changed = figures.hoursTenths !== undefined || figures.priceMinor !== undefined;
  const chosen = changed ? applyFigures(recommended, figures, ctx) : recommended;
  if (override !== undefined) changes.push(...figureChanges(recommended, figures, override, ctx));
  return {
    item: {
      id: claim.id,
      damage,
      options,
      chosen,
      ...(override?.option === undefined ? {} : { prefer: override.option }),
      ...(changed ? { figures } : {}),
    },
    changes,
    trace: [...graded.trace, ...options.trace],
  };
}

/** Returns what the figures change, each with the line or part it applies to. @throws VehiError INVALID_REQUEST. */
function figureChanges(
  option: PricedOption,
  figures: FigureOverride,
  override: DamageOverride,
  ctx: PricingContext,
): OverrideChange[] {
  const changes: OverrideChange[] = [];
  const main = mainLine(option);
  if (figures.hoursTenths !== undefined && main !== undefined) {
    const { operation, part, hoursTenths } = main;
    changes.push({
      field: 'hours',
      computed: hoursTenths / 10,
      value: figures.hoursTenths / 10,
      operation,
      part,
    });
  }
  if (figures.priceMinor !== undefined) {
    const bought = mainPart(option, ctx);
    const pushed = option.lines.find((line) => line.fixed !== undefined);
    const computed = bought?.priceMinor ?? pushed?.fixed?.minor;
    if (computed === undefined) throw nothingToPrice(override, option);
    changes.push({
      field: 'price',
      computed: toMajor(computed, ctx.currency),
      value: toMajor(figures.priceMinor, ctx.currency),
      part: bought?.part ?? pushed?.part ?? '',
    });
  }
  return changes;
}

function nothingToPrice({ field }: DamageOverride, option: PricedOption): VehiError {
  return new VehiError(
    'input',
    'INVALID_REQUEST',
    `${field}.price is the price of a part, and ${option.plan.option} buys none.`,
    { field: `${field}.price`, hint: 'Give hours, or an option that buys a part.' },
  );
}

function unknownOption({ field, option }: DamageOverride, options: readonly PricedOption[]): VehiError {
  return new VehiError(
    'input',
    'INVALID_REQUEST',
    `${field}.option is "${option}", which is not an option of this damage.`,
    { field: `${field}.option`, hint: `One of ${options.map((one) => one.plan.option).join(', ')}.` },
  );
}
