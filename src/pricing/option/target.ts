import { toMinor } from '../../domain/money.ts';
import { findGroup, type PartName } from '../../domain/parts.ts';
import { convertTablePrice, type PricingContext } from '../pricing-context.ts';
import type { PartFacts } from '../tables/schema.ts';
import type { PricingDamage } from './damage.ts';
import { applyEquipment, findOwnPrice, isAluminium } from './equipment.ts';

/** What is repaired: a part of the contract, or a component next to it that has no part name of its own. */
export interface Target {
  /** One repair per key: damages of one key are repaired together. */
  readonly key: string;
  /** The contract's part the damage is reported on. */
  readonly part: PartName;
  /** Name on the estimate: the part's or the component's. */
  readonly name: string;
  readonly component: string | undefined;
  readonly facts: PartFacts;
  readonly material: PartFacts['material'];
  /** New OEM price, minor units of the response currency, for class and market. */
  readonly oemMinor: number;
}

/** Returns the row of prices and hours of a contract part. */
export function findFacts(part: PartName, ctx: PricingContext): PartFacts {
  const row = ctx.tables.parts.rows.find((candidate) => candidate.parts.includes(part));
  if (row === undefined) throw new Error(`no parts row for ${part}`);
  return applyEquipment(row, part, ctx);
}

const LAMP_OF_SUBTYPE: ReadonlyMap<string, string> = new Map([
  ['headlight_damage', 'headlight'],
  ['taillight_damage', 'taillight'],
  ['fog_light_damage', 'fog_light'],
]);

/** Glass and lamps reported on the panel next to them are repaired as glass and lamps. */
function findRepairedPart(damage: PricingDamage, ctx: PricingContext): PartName {
  const { part, subtype, type } = damage;
  if (findGroup(part) !== 'exterior' || subtype === 'frame_damage') return part;
  const lamp = subtype === undefined ? undefined : LAMP_OF_SUBTYPE.get(subtype);
  if (lamp !== undefined) return `${lamp}_${part.endsWith('_right') ? 'right' : 'left'}` as PartName;
  if (type === 'glass_damage') return ctx.tables.parts.nearest_glass[part] ?? part;
  return part;
}

/** Returns the kind of part a class's price factor is given for. */
function choosePricedAs(name: string, facts: PartFacts): 'panel' | 'cover' | 'lamp' | 'glass' | 'other' {
  if (facts.kind === 'laminated_glass' || facts.kind === 'tempered_glass') return 'glass';
  if (facts.kind === 'lamp') return 'lamp';
  if (facts.kind !== 'painted') return 'other';
  return name.endsWith('bumper') ? 'cover' : 'panel';
}

/**
 * Returns the price of a new OEM part, minor units: the region's own where it names one, else the table's at the
 * market's level; by class.
 */
function priceOemPart(name: string, facts: PartFacts, ctx: PricingContext): number {
  const row = ctx.tables.parts.classes.find((one) => one.class === ctx.vehicleClass);
  const kind = choosePricedAs(name, facts);
  const factor = row?.price_factors[kind] ?? 1;
  const { price_level: level } = ctx.region;
  const own = findOwnPrice(name, ctx);
  if (own !== undefined) {
    const price = own.oem * (own.class === undefined ? factor : 1);
    return toMinor(price * (ctx.fx?.rate ?? 1), ctx.currency);
  }
  const market = (kind === 'glass' ? level?.glass : level?.parts) ?? 1;
  return convertTablePrice(facts.oem * factor * market * ctx.yearLevel, ctx);
}

/** Returns the target that a damage belongs to: what is repaired as one. */
export function findTarget(damage: PricingDamage, ctx: PricingContext): Target {
  const { parts } = ctx.tables;
  const component =
    damage.subtype === undefined || findGroup(damage.part) === 'mechanical'
      ? undefined
      : parts.components.find((row) => row.subtypes.includes(damage.subtype ?? ''));
  if (component !== undefined) {
    const facts = applyEquipment(component, component.component, ctx);
    return makeTarget(damage.part, facts, component.material, ctx, component.component);
  }
  const part = findRepairedPart(damage, ctx);
  const facts = findFacts(part, ctx);
  return makeTarget(part, facts, isAluminium(part, facts, ctx) ? 'aluminium' : facts.material, ctx);
}

function makeTarget(
  part: PartName,
  facts: PartFacts,
  material: PartFacts['material'],
  ctx: PricingContext,
  component?: string,
): Target {
  const name = component ?? part;
  const key = component === undefined ? part : `${part}/${component}`;
  return { key, part, name, component, facts, material, oemMinor: priceOemPart(name, facts, ctx) };
}
