import type { EquipmentFact } from '../../domain/vehicle.ts';
import { type PricingContext, tablePriceMinor } from '../context.ts';
import { isMeant } from '../part-names.ts';
import type { EquipmentRow } from '../tables/extra-schema.ts';
import type { PartFacts } from '../tables/schema.ts';
import type { PlanPart } from './plan.ts';

/** Facts of a vehicle with the values meant, as a row of a table names them. */
type Facts = Readonly<Partial<Record<EquipmentFact, readonly string[]>>>;

/** Returns whether each fact named is known of the vehicle, with one of its values. */
export function hasFacts(facts: Facts, ctx: PricingContext): boolean {
  return Object.entries(facts).every(([fact, values]) =>
    values?.includes(ctx.equipment[fact as EquipmentFact] ?? 'unknown'),
  );
}

function rowsOf(name: string, ctx: PricingContext): readonly EquipmentRow[] {
  return ctx.tables.parts.equipment.filter(
    (row) => row.parts.includes(name) && hasFacts({ [row.fact]: row.values }, ctx),
  );
}

/**
 * Returns price and hours of a part on a vehicle of this equipment; those of the median car where nothing is known of
 * it.
 */
export function equipped<F extends PartFacts>(facts: F, name: string, ctx: PricingContext): F {
  const changes = rowsOf(name, ctx).map(({ oem, replace_hours, section_hours }) => ({
    ...(oem === undefined ? {} : { oem }),
    ...(replace_hours === undefined ? {} : { replace_hours }),
    ...(section_hours === undefined ? {} : { section_hours }),
  }));
  return Object.assign({ ...facts }, ...changes, ownHours(name, ctx));
}

/** Returns the hours of a part that the region sets itself. */
function ownHours(name: string, { region }: PricingContext): Partial<PartFacts> {
  const own = region.hours?.find((row) => isMeant(row.part, name));
  if (own === undefined) return {};
  const named: Partial<Record<keyof PartFacts, number | undefined>> = {
    replace_hours: own.replace,
    remove_install_hours: own.remove_install,
    repair_hours: own.repair,
    refinish_repair_hours: own.refinish_repair,
    refinish_new_hours: own.refinish_new,
    section_hours: own.section,
    aim_hours: own.aim,
  };
  return Object.fromEntries(Object.entries(named).filter(([, hours]) => hours !== undefined));
}

/** Returns whether the equipment named decides the price of a part. */
export function isPriceKnown(name: string, ctx: PricingContext): boolean {
  return rowsOf(name, ctx).some((row) => row.oem !== undefined);
}

/** Returns the sublet work on a new part of this equipment, such as a calibration, each at a price of its own. */
export function subletsOf(name: string, ctx: PricingContext): PlanPart[] {
  return rowsOf(name, ctx).flatMap(({ sublet }) =>
    sublet === undefined
      ? []
      : [
          {
            part: sublet.part,
            type: 'sublet' as const,
            source: 'sublet' as const,
            priceMinor: tablePriceMinor(sublet.price, ctx),
          },
        ],
  );
}

/** Returns whether a panel of steel in the table is of aluminium on this vehicle: as stated, else by its class. */
export function isAluminium(name: string, facts: PartFacts, ctx: PricingContext): boolean {
  if (facts.material !== 'steel') return facts.material === 'aluminium';
  if (facts.kind !== 'painted' || ctx.equipment.panels === 'steel') return false;
  if (ctx.equipment.panels === 'aluminium') return true;
  const row = ctx.tables.parts.classes.find((one) => one.class === ctx.vehicleClass);
  return row?.aluminium.some((part) => part === name) ?? false;
}
