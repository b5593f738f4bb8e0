import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Damage, ToCheck } from '../contract/inspection.ts';
import { readGradedSizeCm } from '../domain/judge/graded-size.ts';
import { toMajor } from '../domain/money.ts';
import type { IdentityFacts } from '../domain/vehicle/claim-file.ts';
import { EQUIPMENT_FACTS, type PRICING_FACTS } from '../domain/vehicle/vehicle.ts';
import { toReason, VehiError } from '../lib/errors.ts';
import { decodeText } from '../lib/files.ts';
import { hashJson } from '../lib/ids.ts';
import { parseJson } from '../lib/json.ts';
import { defined, pick } from '../lib/objects.ts';
import type { LineEdits } from '../pricing/lines/edit-lines.ts';
import type { PricingDamage } from '../pricing/option/damage.ts';
import { estimateRepair } from '../pricing/option/recommend.ts';
import { createPricingContext, type PricingContext } from '../pricing/pricing-context.ts';
import { loadTables, type Tables } from '../pricing/tables/load.ts';
import { withRegions } from '../pricing/tables/regions.ts';
import { priceInspectedDamages } from '../pricing/vehicle/price-inspected.ts';
import { findVehicleClass } from '../pricing/vehicle/vehicle-class.ts';

/** Maximum size of a regions file; a region that sets all its own prices and hours takes under 100 KB. */
export const MAX_REGIONS_BYTES = 8 * 1024 * 1024;

/**
 * Loads the bundled price tables, with the user's regions if a file is given.
 * @throws VehiError usage REGIONS_UNREADABLE, or INVALID_TABLE naming the row and the reason.
 */
export async function loadTablesWith(regionsFile: string | undefined): Promise<Tables> {
  const tables = loadTables();
  if (regionsFile === undefined) return tables;
  let custom: unknown;
  try {
    const { size } = statSync(regionsFile);
    if (size > MAX_REGIONS_BYTES) throw new Error(`it is larger than ${MAX_REGIONS_BYTES / 1024 / 1024} MB`);
    custom = parseJson(decodeText(readFileSync(regionsFile)));
  } catch (cause) {
    throw new VehiError(
      'usage',
      'REGIONS_UNREADABLE',
      `cannot read the regions of ${resolve(regionsFile)}: ${toReason(cause)}`,
      {
        hint: 'vehi regions validate FILE says what a regions file needs.',
        cause,
      },
    );
  }
  // Loaded lazily: only a user's file needs the schemas, and loading them is slow.
  const { checkRegions } = await import('../pricing/tables/check-regions.ts');
  return withRegions(tables, checkRegions(custom, regionsFile));
}

/** Vehicle facts that prices depend on; the make determines the class if none is stated. */
export type PricingFacts = Pick<IdentityFacts, (typeof PRICING_FACTS)[number]>;

/**
 * Creates the pricing context of a vehicle; its class is standard if neither class nor make is known.
 * @throws VehiError INVALID_REGION, INVALID_CURRENCY.
 */
export function createVehicleContext(
  tables: Tables,
  terms: Pick<Parameters<typeof createPricingContext>[1], 'region' | 'currency' | 'associated'>,
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
    region: {
      code: context.region.code,
      name: context.region.name,
      table_version: tables.regions.version,
      effective_date: context.region.date,
      source: context.region.source,
      tables_sha256: hashJson(tables),
    },
    currency: context.currency,
    /** Midpoint of the region's hourly rate, major units of `currency`. */
    laborRate: toMajor(context.laborRate.est, context.currency),
    /** Exchange rates to `currency`, from the region's and the price tables'; absent if they are the same. */
    ...defined({ fx: context.fx, partsFx: context.partsFx }),
    /** Meaning of the price range, and what teardown adds. */
    rangeMeaning: tables.spreads.meaning,
    /** Prices one damage as a repair of its own. */
    estimate: (damage: PricingDamage) => estimateRepair(damage, context),
    /** Prices the vehicle as one repair, minor units of `currency`; ids must be unique. */
    priceVehicle: (damages: readonly (PricingDamage & { readonly id: string })[], edits?: LineEdits) =>
      priceInspectedDamages(damages, context, edits),
  };
}

/** Prices damages by one region's table in one currency. */
export type Pricer = Readonly<ReturnType<typeof createPricer>>;

/** Converts a finding to pricing input, with its measured size or else the size from which it was graded. */
export function toPricingDamage(finding: Damage | ToCheck): PricingDamage {
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
