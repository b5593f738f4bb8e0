import { toMinor } from '../../domain/money.ts';
import { findGroup, type PartName, splitSide } from '../../domain/parts.ts';
import { convertTablePrice, findClassRow, findPartLevel, type PricingContext } from '../pricing-context.ts';
import type { PartFacts } from '../tables/parts-schema.ts';
import type { PricingDamage } from './damage.ts';
import { applyEquipment, isAluminium } from './equipment.ts';
import { findOwnPrice } from './region-prices.ts';

/** The unit of repair: a part of the contract, or an adjacent component without a part name. */
export interface Target {
  /** Damages with the same key are repaired together. */
  readonly key: string;
  /** Contract part that is repaired; for a component, the part on which the damage is reported. */
  readonly part: PartName;
  /** Name of the part or component on the estimate. */
  readonly name: string;
  readonly component: string | undefined;
  readonly facts: PartFacts;
  readonly material: PartFacts['material'];
  /** Price of a new OEM part for the vehicle's class and market, in minor units of the response currency. */
  readonly oemMinor: number;
}

export const isGlass = ({ facts }: Pick<Target, 'facts'>) => facts.kind.endsWith('_glass');

/** Returns true for a painted panel of steel or aluminium. */
export const isMetalPanel = ({ facts, material }: Target) =>
  facts.kind === 'painted' && material !== 'plastic';

/** Returns the prices and hours of a contract part, with the vehicle's equipment applied. */
export function findFacts(part: PartName, ctx: PricingContext): PartFacts {
  const row = ctx.tables.parts.rows.find((candidate) => candidate.parts.includes(part));
  if (row === undefined) throw new Error(`no parts row for ${part}`);
  return applyEquipment(row, part, ctx);
}

const LAMP_DAMAGE = /^(headlight|taillight|fog_light)_damage$/;

/** Returns the part to repair: glass and lamps reported on an adjacent panel map to the glass or lamp. */
function findRepairedPart(damage: PricingDamage, ctx: PricingContext): PartName {
  const { part, subtype, type } = damage;
  if (findGroup(part) !== 'exterior' || subtype === 'frame_damage') return part;
  const [, lamp] = LAMP_DAMAGE.exec(subtype ?? '') ?? [];
  if (lamp !== undefined) return `${lamp}_${splitSide(part).side ?? 'left'}` as PartName;
  if (type === 'glass_damage') return ctx.tables.parts.nearest_glass[part] ?? part;
  return part;
}

/** Returns the category that selects the vehicle class's price factor. */
function choosePricedAs(name: string, facts: PartFacts): 'panel' | 'cover' | 'lamp' | 'glass' | 'other' {
  if (isGlass({ facts })) return 'glass';
  if (facts.kind === 'lamp') return 'lamp';
  if (facts.kind !== 'painted') return 'other';
  return name.endsWith('bumper') ? 'cover' : 'panel';
}

/**
 * Computes the price of a new OEM part in minor units: the region's own price if it has one, scaled by vehicle class
 * unless it is of one class; else the table's price at the level of market, class and model year.
 */
function priceOemPart(name: string, facts: PartFacts, ctx: PricingContext): number {
  const kind = choosePricedAs(name, facts);
  const factor = findClassRow(ctx)?.price_factors[kind] ?? 1;
  const ownPrice = findOwnPrice(name, ctx);
  if (ownPrice !== undefined) {
    const price = ownPrice.oem * (ownPrice.class === undefined ? factor : 1);
    return toMinor(price * (ctx.fx?.rate ?? 1), ctx.currency);
  }
  const level = findPartLevel(kind === 'glass' ? kind : 'parts', ctx);
  return convertTablePrice(facts.oem * factor * level * ctx.yearLevel, ctx);
}

/** Returns the target to which a damage belongs. */
export function findTarget(damage: PricingDamage, ctx: PricingContext): Target {
  const row =
    findGroup(damage.part) === 'mechanical'
      ? undefined
      : ctx.tables.parts.components.find(({ subtypes }) => subtypes.includes(damage.subtype ?? ''));
  const component = row?.component;
  const part = row === undefined ? findRepairedPart(damage, ctx) : damage.part;
  const name = component ?? part;
  const facts = row === undefined ? findFacts(part, ctx) : applyEquipment(row, name, ctx);
  return {
    key: component === undefined ? part : `${part}/${component}`,
    part,
    name,
    component,
    facts,
    material: row === undefined && isAluminium(part, facts, ctx) ? 'aluminium' : facts.material,
    oemMinor: priceOemPart(name, facts, ctx),
  };
}
