import type { DamageType, RuleTrace, Severity } from '../../domain/damage.ts';
import { toSeverity } from '../../domain/judge/severity.ts';
import { findMiddleScore, gradeClaim, type SeverityClaim } from '../../domain/judge/severity-floor.ts';
import { roundHalfAway, toMajor, toMinor } from '../../domain/money.ts';
import type { Operation } from '../../domain/repair.ts';
import { defined } from '../../lib/defined.ts';
import { makeFieldError, type VehiError } from '../../lib/errors.ts';
import type { PricingDamage } from '../option/damage.ts';
import { type PricedOption, priceLines } from '../option/price.ts';
import { type Options, priceOptions } from '../option/recommend.ts';
import { isBought, isPaint, type Line } from '../option/repair-plan.ts';
import { findTarget } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';

/** An adjuster's override of one damage; `field` is its location in the request, for errors. */
export interface DamageOverride {
  readonly field: string;
  readonly type?: DamageType | undefined;
  readonly subtype?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly option?: string | undefined;
  /** Hours of the main operation: replace, repair, pull, polish; paint is unaffected. */
  readonly hours?: number | undefined;
  /** Price of the purchased part in major units of the response currency; paint materials are unaffected. */
  readonly price?: number | undefined;
}

/** A value changed by an adjuster, and its line. */
interface OverrideChange {
  readonly field: 'type' | 'severity' | 'option' | 'hours' | 'price';
  readonly computed: string | number | null;
  readonly value: string | number;
  readonly operation?: Operation;
  readonly part?: string;
}

/** An option's overridden hours and price; price in minor units. */
export interface FigureOverride {
  readonly hoursTenths?: number | undefined;
  readonly priceMinor?: number | undefined;
}

/** A damage with its options, the chosen option and the adjuster's changes. */
export interface Item {
  readonly id: string;
  readonly damage: PricingDamage;
  readonly options: Options;
  readonly chosen: PricedOption;
  /** Name of the option chosen by an adjuster. */
  readonly preferredOption?: string | undefined;
  /** An adjuster's figures for the main line and part. */
  readonly figures?: FigureOverride | undefined;
  readonly changes: readonly OverrideChange[];
  readonly trace: readonly RuleTrace[];
}

/**
 * Grades and prices one damage of an assessment, applying an adjuster's override if given.
 * @throws VehiError INVALID_REQUEST if the override names an option or figure that the damage does not have.
 */
export function decideDamage(
  claim: SeverityClaim & { readonly id: string; readonly count?: number | undefined },
  override: DamageOverride | undefined,
  ctx: PricingContext,
): Item {
  const changes: OverrideChange[] = [];
  const { type = claim.type, subtype = claim.subtype } = override?.type === undefined ? {} : override;
  if (override?.type !== undefined) {
    const computed = claim.subtype ?? claim.type;
    changes.push({ field: 'type', computed, value: override.subtype ?? override.type });
  }
  const revised = { ...claim, type, subtype: override?.type === undefined ? subtype : override.subtype };
  const graded = gradeClaim(revised);
  let { severity, severityScore } = graded;
  if (override?.severity !== undefined) {
    changes.push({ field: 'severity', computed: severity, value: override.severity });
    severity = override.severity;
    if (toSeverity(severityScore) !== severity) severityScore = findMiddleScore(severity);
  }
  const damage: PricingDamage = {
    type,
    subtype: revised.subtype,
    part: claim.part,
    severity,
    severityScore,
    sizeCm: claim.sizeCm,
    count: claim.count,
  };
  const target = findTarget(damage, ctx);
  const options = priceOptions([damage], target, ctx, override?.option);
  const { recommended } = options;
  if (override?.option !== undefined) {
    if (recommended.plan.option !== override.option) throw makeUnknownOptionError(override, options.options);
    const computed = priceOptions([damage], target, ctx).recommended.plan.option;
    changes.push({ field: 'option', computed, value: override.option });
  }
  const figures = {
    hoursTenths: override?.hours === undefined ? undefined : roundHalfAway(override.hours * 10),
    priceMinor: override?.price === undefined ? undefined : toMinor(override.price, ctx.currency),
  };
  const hasFigures = figures.hoursTenths !== undefined || figures.priceMinor !== undefined;
  const chosen = hasFigures ? applyFigures(recommended, figures, ctx) : recommended;
  if (override !== undefined) changes.push(...listFigureChanges(recommended, figures, override, ctx));
  return {
    id: claim.id,
    damage,
    options,
    chosen,
    ...defined({ preferredOption: override?.option }),
    ...(hasFigures ? { figures } : {}),
    changes,
    trace: [...graded.trace, ...options.trace],
  };
}

/** Lists the changes made by the figures, each with its line or part. @throws VehiError INVALID_REQUEST. */
function listFigureChanges(
  option: PricedOption,
  { hoursTenths, priceMinor }: FigureOverride,
  override: DamageOverride,
  ctx: PricingContext,
): OverrideChange[] {
  const { main, bought, fixedPriceLine } = findFigures(option, ctx);
  const changes: OverrideChange[] = [];
  if (hoursTenths !== undefined) {
    if (main === undefined) throw makeNoFigureError(override, option, 'hours');
    const { operation, part, hoursTenths: computed } = main;
    changes.push({ field: 'hours', computed: computed / 10, value: hoursTenths / 10, operation, part });
  }
  if (priceMinor !== undefined) {
    const computed = bought?.priceMinor ?? fixedPriceLine?.fixed?.minor;
    if (computed === undefined) throw makeNoFigureError(override, option, 'price');
    const [was, value] = [computed, priceMinor].map((minor) => toMajor(minor, ctx.currency));
    changes.push({
      field: 'price',
      computed: was ?? 0,
      value: value ?? 0,
      part: bought?.part ?? fixedPriceLine?.part ?? '',
    });
  }
  return changes;
}

const NO_FIGURE = {
  price: ['the price of a part', 'buys none', 'Give hours, or an option that buys a part.'],
  hours: ['the time of work', 'has a flat price', 'Give its price.'],
} as const;

function makeNoFigureError(
  { field }: DamageOverride,
  { plan }: PricedOption,
  figure: keyof typeof NO_FIGURE,
): VehiError {
  const [what, why, hint] = NO_FIGURE[figure];
  const at = `${field}.${figure}`;
  return makeFieldError(at, `${at} is ${what}, and ${plan.option} ${why}.`, hint);
}

function makeUnknownOptionError(
  { field, option }: DamageOverride,
  options: readonly PricedOption[],
): VehiError {
  return makeFieldError(
    `${field}.option`,
    `${field}.option is "${option}", which is not an option of this damage.`,
    `One of ${options.map((one) => one.plan.option).join(', ')}.`,
  );
}

const AUXILIARY_OPERATIONS: readonly Operation[] = ['Setup', 'R&I', 'Algn'];

/** Returns the main line of the repair; set-up, R&I, alignment and paint only as a fallback. */
function findMainLine(option: PricedOption): Line | undefined {
  const body = option.lines.filter((line) => !isPaint(line));
  return body.find((line) => !AUXILIARY_OPERATIONS.includes(line.operation)) ?? body[0] ?? option.lines[0];
}

/**
 * Returns the targets of an adjuster's figures: the main line, the purchased part (a real part before a consumable,
 * never paint materials), and the fixed-price line.
 */
function findFigures(option: PricedOption, ctx: PricingContext) {
  const bought = option.parts.filter((part) => part.part !== ctx.tables.operations.materials.consumable);
  return {
    main: findMainLine(option),
    bought: bought.find(isBought) ?? bought[0],
    fixedPriceLine: option.lines.find((line) => line.fixed !== undefined),
  };
}

/** Applies an adjuster's figures to the option's main line and part. */
export function applyFigures(
  option: PricedOption,
  { hoursTenths, priceMinor }: FigureOverride,
  ctx: PricingContext,
): PricedOption {
  const { main, bought, fixedPriceLine } = findFigures(option, ctx);
  const lines = option.lines.map((line): Line => {
    const hours = line === main ? hoursTenths : undefined;
    const price = line === fixedPriceLine && bought === undefined ? priceMinor : undefined;
    if (hours === undefined && price === undefined) return line;
    return {
      ...line,
      ...defined({ hoursTenths: hours }),
      ...(price === undefined ? {} : { fixed: { minor: price, listMinor: price } }),
      basis: 'override',
      note: "adjuster's figure",
    };
  });
  const parts = option.parts.map((part) =>
    part === bought && priceMinor !== undefined ? { ...part, priceMinor } : part,
  );
  return priceLines(option.plan, lines, parts, ctx);
}

/** Merges the adjusters' figures for several damages of one panel: hours as summed differences, the highest price. */
export function joinFigures(items: readonly Item[], jointOption: PricedOption): FigureOverride | undefined {
  const prices = items.flatMap((item) => item.figures?.priceMinor ?? []);
  const differences = items.flatMap(({ figures, chosen, options }) =>
    figures?.hoursTenths === undefined ? [] : chosen.hoursTenths - options.recommended.hoursTenths,
  );
  if (prices.length === 0 && differences.length === 0) return undefined;
  const main = findMainLine(jointOption)?.hoursTenths ?? 0;
  const hours = differences.reduce((sum, one) => sum + one, main);
  return {
    ...(differences.length === 0 ? {} : { hoursTenths: Math.max(0, hours) }),
    ...(prices.length === 0 ? {} : { priceMinor: Math.max(...prices) }),
  };
}
