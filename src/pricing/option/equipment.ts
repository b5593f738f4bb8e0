import type { EquipmentFact } from '../../domain/vehicle/vehicle.ts';
import { pick } from '../../lib/objects.ts';
import { convertTablePrice, findClassRow, type PricingContext } from '../pricing-context.ts';
import type { EquipmentRow, PartFacts } from '../tables/parts-schema.ts';
import { findOwnPrice, findSubletLevel } from './region-prices.ts';
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

/** Figures of a part that an equipment row may replace. */
const FIGURES = [
  'oem',
  'replace_hours',
  'section_hours',
  'refinish_repair_hours',
  'refinish_new_hours',
] as const satisfies readonly (keyof EquipmentRow & keyof PartFacts)[];

/**
 * Replaces a part's price and hours by those of the vehicle's equipment; unknown equipment keeps the
 * figures of the median car. The source names each figure that does not come from the part's own row, and also the
 * region's own price, which `findTarget` applies.
 */
export function applyEquipment<F extends PartFacts>(facts: F, name: string, ctx: PricingContext): F {
  const rows = findRows(name, ctx);
  const price = findOwnPrice(name, ctx);
  const sources = [
    ...(price === undefined ? [] : [`own price: ${price.source}`]),
    ...rows.map((row) => {
      const fields = Object.keys(pick(row, FIGURES)).map((field) => field.replaceAll('_', ' '));
      return fields.length === 0 ? row.source : `${fields.join(', ')}: ${row.source}`;
    }),
  ];
  if (sources.length === 0) return facts;
  const source = [...sources.reverse(), `the rest: ${facts.source}`].join('; ');
  return Object.assign({ ...facts }, ...rows.map((row) => pick(row, FIGURES)), { source });
}

/** Lists the sublets that a new part needs on this equipment, such as a calibration, each at its own price. */
export function listSublets(name: string, ctx: PricingContext): PlanPart[] {
  const sublets = findRows(name, ctx).flatMap(({ sublet }) => sublet ?? []);
  return sublets.map(({ part, price }) => ({
    part,
    type: 'sublet',
    source: 'sublet',
    priceMinor: convertTablePrice(price * findSubletLevel(part, ctx), ctx),
  }));
}

/** Returns true if the panel is aluminium on this vehicle, as stated or by class, even if the table says steel. */
export function isAluminium(name: string, facts: PartFacts, ctx: PricingContext): boolean {
  if (facts.material !== 'steel') return facts.material === 'aluminium';
  if (facts.kind !== 'painted' || ctx.equipment.panels === 'steel') return false;
  if (ctx.equipment.panels === 'aluminium') return true;
  return findClassRow(ctx)?.aluminium.some((part) => part === name) ?? false;
}
