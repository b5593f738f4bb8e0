/**
 * Pricing: from damages to options, hours and money. Pure functions over data tables.
 *
 *   loadTables ─▶ createPricingContext (region, currency, class) ─▶ estimateRepair          one damage
 *                                                               └▶ priceInspectedDamages   the damages of an inspection
 */

export { findExchangeRate, listCurrencies } from './currencies.ts';
export type { RepairLine } from './lines/repair-lines.ts';
export { estimateRepair } from './option/recommend.ts';
export { createPricingContext } from './pricing-context.ts';
export { loadTables, type Tables } from './tables/load.ts';
export type { RegionRow } from './tables/region-schema.ts';
export { findRegion, withRegions } from './tables/regions.ts';
export { priceInspectedDamages } from './vehicle/inspected.ts';
export { findVehicleClass } from './vehicle/vehicle-class.ts';
