import { type Currency, roundHalfAway, toMinor } from '../domain/money.ts';
import type { AssociatedMode, Department } from '../domain/repair.ts';
import type { Equipment, Paint, VehicleClass } from '../domain/vehicle/vehicle.ts';
import { checkCurrency, chooseDefaultCurrency, type FxUsed, findFx } from './currencies.ts';
import type { Tables } from './tables/load.ts';
import type { RegionRow } from './tables/region-schema.ts';
import { findRegion } from './tables/regions.ts';

/** Low end, midpoint and high end in minor units of the response currency. */
export interface Spread {
  readonly min: number;
  readonly est: number;
  readonly max: number;
}

/** Creates a spread by computing each end the same way. */
export const makeSpread = (of: (end: keyof Spread) => number): Spread => ({
  min: of('min'),
  est: of('est'),
  max: of('max'),
});

/** Everything that determines a price except the damage itself. */
export interface PricingContext {
  readonly tables: Tables;
  readonly region: RegionRow;
  readonly currency: Currency;
  readonly vehicleClass: VehicleClass;
  readonly paint: Paint;
  /** Known body style, lamps, glass, material and drive. */
  readonly equipment: Equipment;
  /** Price of parts for this model year relative to the table's year; 1 if unknown. */
  readonly yearLevel: number;
  /** Handling of expected operations. */
  readonly associated: AssociatedMode;
  /** Hourly labor rates. */
  readonly rates: Readonly<Record<Department, Spread>>;
  /** Paint materials per refinish hour. */
  readonly materials: Spread;
  /** Hourly rate of departments without one of their own (`meta.labor_rate_used` is its `est`). */
  readonly laborRate: Spread;
  /** Region's currency to response currency; undefined if they are the same. */
  readonly fx: FxUsed | undefined;
  /** Currency of the price tables to response currency; undefined if they are the same. */
  readonly partsFx: FxUsed | undefined;
}

function convertRange(range: readonly number[], fx: FxUsed | undefined, currency: Currency): Spread {
  const [low = 0, high = 0] = range;
  const rate = fx?.rate ?? 1;
  return {
    min: toMinor(low * rate, currency),
    est: toMinor(((low + high) / 2) * rate, currency),
    max: toMinor(high * rate, currency),
  };
}

/** Computes the hourly rates of all departments and of paint materials. */
function convertRates(
  region: RegionRow,
  convert: (range: readonly number[]) => Spread,
  { operations }: Tables,
): Pick<PricingContext, 'rates' | 'materials' | 'laborRate'> {
  const { body, refinish, mechanical, structural, aluminium, glass, pdr, materials } = region.departments;
  const times = (rate: Spread, factor: number) => makeSpread((end) => roundHalfAway(rate[end] * factor));
  const usual = convert(region.rate_per_hour);
  const department = (range: readonly number[] | undefined, otherwise: Spread = usual) =>
    range === undefined ? otherwise : convert(range);
  const bodyRate = department(body);
  return {
    laborRate: usual,
    rates: {
      body: bodyRate,
      refinish: department(refinish),
      mechanical: department(mechanical),
      structural: department(structural),
      aluminium: department(aluminium, times(bodyRate, operations.aluminium.rate_factor)),
      glass: department(glass, bodyRate),
      pdr: department(pdr, bodyRate),
    },
    materials: department(materials, times(usual, operations.materials.share_of_labour_rate)),
  };
}

/** What a caller chooses of a price; the rest is in the tables. */
export interface PriceTerms {
  readonly region: string;
  /** Default: the currency of a user's own region, else USD. */
  readonly currency: string | undefined;
  /** Default: standard. */
  readonly vehicleClass?: VehicleClass | undefined;
  readonly paint?: Paint;
  /** Default: the year of the table's prices. */
  readonly modelYear?: number | undefined;
  readonly equipment?: Equipment;
  readonly associated?: AssociatedMode;
}

/**
 * Creates a pricing context. Rates are converted to the response currency once, so every later price is a product of
 * whole minor units.
 * @throws VehiError INVALID_REGION, INVALID_CURRENCY.
 */
export function createPricingContext(tables: Tables, choice: PriceTerms): PricingContext {
  const region = findRegion(tables, choice.region);
  const currency = checkCurrency(choice.currency ?? chooseDefaultCurrency(tables, region), tables);
  const fx = findFx(tables, region.currency, currency);
  return {
    tables,
    region,
    currency,
    vehicleClass: choice.vehicleClass ?? 'standard',
    paint: choice.paint ?? 'unknown',
    equipment: choice.equipment ?? {},
    associated: choice.associated ?? 'likely',
    ...convertRates(region, (range) => convertRange(range, fx, currency), tables),
    yearLevel: findYearLevel(choice.modelYear, tables),
    fx,
    partsFx: findFx(tables, tables.parts.currency, currency),
  };
}

/** Returns the price of a model year's parts relative to the table's year; clamps years out of range. */
function findYearLevel(year: number | undefined, { parts }: Tables): number {
  const { table_year, from, to, each_year } = parts.model_year;
  return year === undefined ? 1 : each_year ** (Math.min(to, Math.max(from, year)) - table_year);
}

/** Returns the parts table's factors for the vehicle's class. */
export const findClassRow = ({ tables, vehicleClass }: PricingContext) =>
  tables.parts.classes.find((one) => one.class === vehicleClass);

/** Returns the market's level of a part's price for the vehicle's class, relative to the table's. */
export function findPartLevel(kind: 'glass' | 'parts', { region, vehicleClass }: PricingContext): number {
  const { price_level: level } = region;
  return (level?.[kind] ?? 1) * (level?.by_class?.[vehicleClass] ?? 1);
}

/** Converts a table price (major units) to minor units of the response currency. */
export const convertTablePrice = (amount: number, ctx: PricingContext): number =>
  toMinor(amount * (ctx.partsFx?.rate ?? 1), ctx.currency);
