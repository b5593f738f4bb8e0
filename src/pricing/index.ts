/**
 * Pricing: from damages to options, hours and money. Pure functions over tables that are data.
 *
 *   loadTables ─▶ createPricingContext (region, currency, class) ─▶ estimateRepair   one damage, for inspections
 *                                                               └▶ optionsFor       every way to repair one target
 */
export type { Department, FxUsed, Paint, PricingContext, Spread } from './context.ts';
export { checkCurrency, createPricingContext, DEPARTMENTS, exchangeRate } from './context.ts';
export type { PricingDamage } from './damage.ts';
export { estimateRepair, type RepairEstimate } from './estimate-repair.ts';
export type { RepairType } from './plan.ts';
export { optionsFor } from './recommend.ts';
export { gradeClaim } from './severity-floor.ts';
export { loadTables, type Tables } from './tables/load.ts';
export { findRegion, withRegions } from './tables/regions.ts';
export { targetOf } from './target.ts';
