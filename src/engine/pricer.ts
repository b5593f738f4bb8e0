import type { Damage } from '../contract/inspection.ts';
import { readGradedSizeCm } from '../domain/grading/graded-size.ts';
import { toMajor } from '../domain/money.ts';
import type { IdentityFacts } from '../domain/vehicle/claim-file.ts';
import { EQUIPMENT_FACTS, type PRICING_FACTS } from '../domain/vehicle/vehicle.ts';
import { hashJson } from '../lib/ids.ts';
import { defined, pick } from '../lib/objects.ts';
import type { LineEdits } from '../pricing/lines/edit-lines.ts';
import type { PricingDamage } from '../pricing/option/damage.ts';
import { estimateRepair } from '../pricing/option/recommend.ts';
import { createPricingContext, type PriceTerms, type PricingContext } from '../pricing/pricing-context.ts';
import type { Tables } from '../pricing/tables/load.ts';
import { priceInspectedDamages } from '../pricing/vehicle/price-inspected.ts';
import { findVehicleClass } from '../pricing/vehicle/vehicle-class.ts';

/** Vehicle facts that prices depend on; the make determines the class if none is stated. */
export type PricingFacts = Pick<IdentityFacts, (typeof PRICING_FACTS)[number]>;

/**
 * Creates the pricing context of a vehicle; its class is standard if neither class nor make is known.
 * @throws VehiError INVALID_REGION, INVALID_CURRENCY.
 */
export function createVehicleContext(
  tables: Tables,
  terms: Pick<PriceTerms, 'region' | 'currency' | 'associated'>,
  vehicle: PricingFacts,
): PricingContext {
  return createPricingContext(tables, {
    ...terms,
    vehicleClass: findVehicleClass(vehicle, tables),
    ...defined({ paint: vehicle.paint }),
    equipment: pick(vehicle, EQUIPMENT_FACTS),
    modelYear: vehicle.year,
  });
}

/** Presents the region that the prices apply to. */
export function presentRegion({ region: { code, name, date, source }, tables }: PricingContext) {
  return { code, name, table_version: tables.regions.version, effective_date: date, source };
}

/**
 * Creates a pricer for a region, currency and vehicle.
 * @throws VehiError INVALID_REGION, INVALID_CURRENCY.
 */
export function createPricer(
  tables: Tables,
  region: string,
  currency: string | undefined,
  vehicle: PricingFacts = {},
) {
  const context = createVehicleContext(tables, { region, currency }, vehicle);
  return {
    /** Vehicle class that the prices apply to. */
    vehicleClass: context.vehicleClass,
    region: { ...presentRegion(context), tables_sha256: hashJson(tables) },
    currency: context.currency,
    /** Midpoint of the region's hourly rate, major units of `currency`. */
    laborRate: toMajor(context.laborRate.est, context.currency),
    /** Exchange rates to `currency`, from the region's and the price tables'; absent if they are the same. */
    ...defined({ fx: context.fx, partsFx: context.partsFx }),
    /** Meaning of the price range, and what teardown adds. */
    rangeMeaning: tables.spreads.meaning,
    /** Prices one damage as a repair of its own. */
    estimate: (damage: PricingDamage) => estimateRepair(damage, context),
    /** Prices the vehicle as one repair at the severities given, minor units of `currency`; ids must be unique. */
    priceVehicle: (damages: readonly (PricingDamage & { readonly id: string })[], edits?: LineEdits) => {
      const stated = damages.map((one) => ({ ...one, override: { field: one.id, severity: one.severity } }));
      return priceInspectedDamages(stated, context, edits);
    },
  };
}

/** Prices damages by one region's table in one currency. */
export type Pricer = Readonly<ReturnType<typeof createPricer>>;

/** Converts a finding to pricing input, with its measured size or else the size from which it was graded. */
export function toPricingDamage(finding: Damage): PricingDamage {
  const { length, diameter } = finding.measurements ?? {};
  return {
    type: finding.type,
    subtype: finding.subtype,
    part: finding.location.part,
    severity: finding.severity,
    severityScore: finding.severity_score,
    sizeCm: length ?? diameter ?? readGradedSizeCm(finding.explain),
  };
}
