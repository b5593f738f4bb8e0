import type { EquipmentFact } from '../../domain/vehicle.ts';
import { matchesPart } from '../part-names.ts';
import { convertTablePrice, type PricingContext } from '../pricing-context.ts';
import type { EquipmentRow, PartFacts } from '../tables/schema.ts';
import type { PlanPart } from './repair-plan.ts';

/** Equipment facts and their accepted values, as in a table row. */
type Facts = Readonly<Partial<Record<EquipmentFact, readonly string[]>>>;

/** Returns true if every fact is known of the vehicle and has one of the accepted values. */
export function hasFacts(facts: Facts, ctx: PricingContext): boolean {
  return Object.entries(facts).every(([fact, values]) =>
    values?.includes(ctx.equipment[fact as EquipmentFact] ?? 'unknown'),
  );
}

function findRows(name: string, ctx: PricingContext): readonly EquipmentRow[] {
  return ctx.tables.parts.equipment.filter(
    (row) => row.parts.includes(name) && hasFacts({ [row.fact]: row.values }, ctx),
  );
}

/**
 * Applies the vehicle's equipment and the region's own figures to a part's prices and hours; unknown equipment keeps
 * the figures of the median car. The source names each figure that does not come from the part's own row.
 */
export function applyEquipment<F extends PartFacts>(facts: F, name: string, ctx: PricingContext): F {
  const changes = findRows(name, ctx).map(
    ({ fact: _fact, values: _values, parts: _parts, sublet: _sublet, source, ...figures }) => ({
      figures,
      source,
    }),
  );
  const price = findOwnPrice(name, ctx);
  const sources = [
    ...(price === undefined ? [] : [`own price: ${price.source}`]),
    ...changes.map(({ figures, source }) => {
      const fields = Object.keys(figures).map((field) => field.replaceAll('_', ' '));
      return fields.length === 0 ? source : `${fields.join(', ')}: ${source}`;
    }),
  ];
  if (sources.length === 0) return facts;
  const source = [...sources.reverse(), `the rest: ${facts.source}`].join('; ');
  return Object.assign({ ...facts }, ...changes.map(({ figures }) => figures), { source });
}

/**
 * Returns the region's own price of a new part: a row for the vehicle's class takes precedence over a row for all
 * classes, then a row for one side over a row for both.
 */
export function findOwnPrice(name: string, { region, vehicleClass }: PricingContext) {
  const matches = selectRows(name, region.prices);
  return matches.find((one) => one.class === vehicleClass) ?? matches.find((one) => one.class === undefined);
}

/** Selects the rows that match a part, rows that name its side first. */
function selectRows<T extends { readonly part: string }>(
  name: string,
  rows: readonly T[] = [],
): readonly T[] {
  const matches = rows.filter((row) => matchesPart(row.part, name));
  return matches.toSorted((a, b) => Number(b.part === name) - Number(a.part === name));
}

/** Lists the sublets that a new part needs on this equipment, such as a calibration, each at its own price. */
export function listSublets(name: string, ctx: PricingContext): PlanPart[] {
  return findRows(name, ctx).flatMap(({ sublet }) =>
    sublet === undefined
      ? []
      : [
          {
            part: sublet.part,
            type: 'sublet' as const,
            source: 'sublet' as const,
            priceMinor: convertTablePrice(sublet.price * findSubletLevel(sublet.part, ctx), ctx),
          },
        ],
  );
}

/** Returns the region's price of a sublet relative to the US price; only scans and calibrations have a level. */
export function findSubletLevel(part: string, { region }: PricingContext): number {
  const { scan = 1, calibration = 1 } = region.price_level ?? {};
  if (part.endsWith('_calibration')) return calibration;
  return part.startsWith('scan_') ? scan : 1;
}

/** Returns true if the panel is aluminium on this vehicle, as stated or by class, even if the table says steel. */
export function isAluminium(name: string, facts: PartFacts, ctx: PricingContext): boolean {
  if (facts.material !== 'steel') return facts.material === 'aluminium';
  if (facts.kind !== 'painted' || ctx.equipment.panels === 'steel') return false;
  if (ctx.equipment.panels === 'aluminium') return true;
  const row = ctx.tables.parts.classes.find((one) => one.class === ctx.vehicleClass);
  return row?.aluminium.some((part) => part === name) ?? false;
}
