import { findGroup } from '../../domain/parts.ts';
import type { PricingDamage } from '../option/damage.ts';
import type { PricedOption } from '../option/price.ts';
import type { Line } from '../option/repair-plan.ts';
import type { Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { Item } from './override.ts';

/** A damage and what is repaired for it. */
interface Hit {
  readonly damage: PricingDamage;
  readonly target: Target;
}

type Ramp = PricingContext['tables']['operations']['first_bill']['alone'];

const readRamp = (score: number, { from_score: from, full_score: full }: Ramp) =>
  Math.min(1, Math.max(0, (score - from) / (full - from)));

/** Returns whether a damage comes from a hit: the part is out of shape, or its lamp is broken. */
export function isHit({ damage, target }: Hit, { tables }: PricingContext): boolean {
  const { types, whole } = tables.operations.first_bill;
  const lamp = damage.type === 'glass_damage' && target.facts.kind === 'lamp';
  return lamp || types.includes(damage.type) || whole.includes(damage.subtype ?? '');
}

/** Which share of the operations expected with the repair of a part the first bill holds, 0 to 1. */
export interface ExpectedWeight {
  /** The largest, which holds for operations of the whole vehicle and for parts of no zone. */
  readonly vehicle: number;
  /** Of the parts of each zone, in the order of the table. */
  readonly zones: readonly { readonly parts: readonly string[]; readonly weight: number }[];
}

/** Returns the weight of what a part's repair brings: that of its zones, else of the vehicle. */
export function readWeight(weight: ExpectedWeight, part: string | undefined): number {
  const own = weight.zones.filter(({ parts }) => part !== undefined && parts.includes(part));
  return own.length === 0 ? weight.vehicle : Math.max(...own.map((zone) => zone.weight));
}

/**
 * Returns which share of the operations expected with a repair its first bill holds, per zone of the vehicle. One part
 * with damage to its paint, its glass or its lamp says nothing of what lies behind; parts hit next to each other do, and
 * so does a part that is crushed, missing or bent with the structure; none says anything of the other end of the vehicle.
 * Rises with severity, and with each further damage.
 */
export function weighExpected(hits: readonly Hit[], ctx: PricingContext): ExpectedWeight {
  const { alone, together, zones, whole } = ctx.tables.operations.first_bill;
  const shaped = hits.filter((hit) => isHit(hit, ctx));
  const weighSingle = ({ damage, target }: Hit) => {
    if (damage.subtype !== undefined && whole.includes(damage.subtype)) return 1;
    const body = target.facts.kind === 'painted' || findGroup(target.part) === 'mechanical';
    return body ? readRamp(damage.severityScore, alone) : 0;
  };
  const weighed = zones.map((parts) => {
    const inside = shaped.filter(({ target }) => parts.includes(target.part));
    const worst = new Map<string, number>();
    for (const { damage, target } of inside) {
      if (target.facts.kind.endsWith('_glass')) continue;
      worst.set(target.key, Math.max(worst.get(target.key) ?? 0, readRamp(damage.severityScore, together)));
    }
    const [, second = 0] = [...worst.values()].sort((a, b) => b - a);
    return { parts, weight: Math.max(second, ...inside.map(weighSingle)) };
  });
  const vehicle = Math.max(0, ...shaped.map(weighSingle), ...weighed.map(({ weight }) => weight));
  return { vehicle, zones: weighed };
}

/** Work behind which there is something to find; glass is fitted from outside. */
const BEHIND: readonly Line['operation'][] = ['Rpr', 'R&R', 'Sect', 'Setup', 'Pull'];
const isBehind = ({ lines, plan }: PricedOption) =>
  plan.repairType !== 'cosmetic' &&
  lines.some(({ operation, department }) => department !== 'glass' && BEHIND.includes(operation));

/**
 * Returns whether something is taken apart: no adequate way to repair the damage, or the adjuster's, leaves the part as it
 * is. Whichever way costs least, the answer is the same.
 */
export const isTakenApart = ({ options: { options }, chosen, prefer }: Item) =>
  prefer === undefined
    ? options.filter(({ plan }) => plan.inadequate === undefined).every(isBehind)
    : isBehind(chosen);
