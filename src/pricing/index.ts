/**
 * Pricing: from damages to options, hours and money. Pure functions over tables that are data.
 *
 *   loadTables ─▶ createPricingContext (region, currency, class) ─▶ estimateRepair   one damage, for inspections
 *                                                               └▶ optionsFor       every way to repair one target
 */

export { gradeClaim } from '../domain/judge/severity-floor.ts';
export type { PricingContext, Spread } from './context.ts';
export { createPricingContext } from './context.ts';
export { checkCurrency, currenciesOf, exchangeRate, type FxUsed } from './currencies.ts';
export type { PricingDamage } from './option/damage.ts';
export { estimateRepair, type RepairEstimate } from './option/estimate-repair.ts';
export { optionsFor } from './option/recommend.ts';
export { targetOf } from './option/target.ts';
export { loadTables, type Tables } from './tables/load.ts';
export type { RegionRow } from './tables/region-schema.ts';
export { findRegion, withRegions } from './tables/regions.ts';
export {
  type InspectedDamage,
  type InspectedPrice,
  type InspectionPrice,
  priceInspectedDamages,
} from './vehicle/inspected.ts';
export { vehicleClassOf } from './vehicle/vehicle-class.ts';
