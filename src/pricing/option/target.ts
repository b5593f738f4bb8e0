import { groupOf, type PartName } from '../../domain/parts.ts';
import type { PricingContext } from '../context.ts';
import type { PartFacts } from '../tables/schema.ts';
import type { PricingDamage } from './damage.ts';

/** What is repaired: a part of the contract, or a component beside it that has no part name of its own. */
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
  readonly priceFactor: number;
  readonly hoursFactor: number;
}

/** Price and hours row of a contract part. */
export function factsOf(part: PartName, ctx: PricingContext): PartFacts {
  const row = ctx.tables.parts.rows.find((candidate) => candidate.parts.includes(part));
  if (row === undefined) throw new Error(`no parts row for ${part}`);
  return row;
}

const LAMP_OF_SUBTYPE: ReadonlyMap<string, string> = new Map([
  ['headlight_damage', 'headlight'],
  ['taillight_damage', 'taillight'],
  ['fog_light_damage', 'fog_light'],
]);

/** Glass and lamps reported on the panel beside them are repaired as glass and lamps. */
function repairedPart(damage: PricingDamage, ctx: PricingContext): PartName {
  const { part, subtype, type } = damage;
  if (groupOf(part) !== 'exterior' || subtype === 'frame_damage') return part;
  const lamp = subtype === undefined ? undefined : LAMP_OF_SUBTYPE.get(subtype);
  if (lamp !== undefined) return `${lamp}_${part.endsWith('_right') ? 'right' : 'left'}` as PartName;
  if (type === 'glass_damage') return ctx.tables.parts.nearest_glass[part] ?? part;
  return part;
}

/** What a damage makes one repair. */
export function targetOf(damage: PricingDamage, ctx: PricingContext): Target {
  const { parts } = ctx.tables;
  const vehicle = parts.classes.find((row) => row.class === ctx.vehicleClass);
  const factors = { priceFactor: vehicle?.price_factor ?? 1, hoursFactor: vehicle?.hours_factor ?? 1 };
  const component =
    damage.subtype === undefined || groupOf(damage.part) === 'mechanical'
      ? undefined
      : parts.components.find((row) => row.subtypes.includes(damage.subtype ?? ''));
  if (component !== undefined) {
    const name = component.component;
    const key = `${damage.part}/${name}`;
    return {
      key,
      part: damage.part,
      name,
      component: name,
      facts: component,
      material: component.material,
      ...factors,
    };
  }
  const part = repairedPart(damage, ctx);
  const facts = factsOf(part, ctx);
  const material =
    vehicle?.aluminium.includes(part) && facts.material === 'steel' ? 'aluminium' : facts.material;
  return { key: part, part, name: part, component: undefined, facts, material, ...factors };
}

/** Table hours of a part in whole tenths of an hour, for the vehicle's class. */
export function tenths(hours: number, hoursFactor: number): number {
  return Math.round(hours * hoursFactor * 10);
}
