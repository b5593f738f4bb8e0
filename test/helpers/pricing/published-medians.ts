import type { PartName } from '../../../src/domain/parts.ts';
import { choosePart } from '../../../src/pricing/option/plans/new-part.ts';
import { timeRepair } from '../../../src/pricing/option/repair-time.ts';
import { findTarget } from '../../../src/pricing/option/target.ts';
import type { PricingContext } from '../../../src/pricing/pricing-context.ts';

/**
 * Medians of about 110 real shop estimates (public, anonymised), typed in by hand to hold our tables against; only
 * figures with at least three estimates behind them. Refinish includes clear coat. Prices in USD, times in hours.
 */
export const MEDIANS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  front_bumper: {
    repair: 5.4,
    repair_refinish: 4.4,
    replace: 2.9,
    replace_refinish: 4.2,
    remove_install: 2.1,
    oem: 670,
    aftermarket: 315,
  },
  rear_bumper: {
    repair: 4.1,
    repair_refinish: 3.6,
    replace: 2.0,
    replace_refinish: 4.2,
    remove_install: 1.6,
    oem: 594,
    aftermarket: 243,
    recycled: 297,
  },
  headlight_left: { replace: 0.6, oem: 1376, aftermarket: 410, recycled: 888 },
  fog_light_left: { replace: 0.3, oem: 77, aftermarket: 46, recycled: 38 },
  hood: { repair: 4.0, repair_refinish: 4.2, replace: 1.5, replace_refinish: 5.6, aftermarket: 537 },
  front_fender_left: {
    repair: 2.0,
    repair_refinish: 2.5,
    replace: 2.0,
    replace_refinish: 3.1,
    oem: 556,
    aftermarket: 244,
  },
  front_door_left: {
    repair: 1.5,
    repair_refinish: 2.6,
    replace: 5.5,
    replace_refinish: 3.1,
    oem: 1329,
    recycled: 636,
  },
  rear_door_left: { repair: 2.0, repair_refinish: 2.6, replace: 4.8, replace_refinish: 3.0, oem: 1075 },
  quarter_panel_left: { repair: 3.7, repair_refinish: 2.8, replace: 11.8, replace_refinish: 4.8, oem: 1172 },
  trunk_lid: { replace: 3.7, replace_refinish: 4.0, remove_install: 0.4, oem: 1054, recycled: 686 },
  taillight_left: { replace: 0.3, remove_install: 0.4, oem: 311, aftermarket: 154, recycled: 156 },
  windshield: { replace: 3.9, oem: 659 },
  suspension_fl: { replace: 3.5, oem: 786, aftermarket: 142 },
};

/** Our hours or price of a measure for a moderate dent; refinish is the base with its own clear coat. */
export function lookUpFigure(part: PartName, measure: string, ctx: PricingContext): number {
  const damage = { type: 'dent', part, severity: 'moderate', severityScore: 3.75 } as const;
  const target = findTarget(damage, ctx);
  const { facts } = target;
  const { operations, refinish } = ctx.tables;
  const tenth = (hours: number) => Math.round(hours * 10) / 10;
  const price = (source: 'oem' | 'aftermarket' | 'recycled') =>
    (choosePart(source, target)?.priceMinor ?? Number.NaN) / 100;
  const values: Readonly<Record<string, () => number>> = {
    replace: () => facts.replace_hours,
    remove_install: () => facts.remove_install_hours,
    repair: () => timeRepair(damage, facts.repair_hours, operations).tenths / 10,
    repair_refinish: () => tenth(facts.refinish_repair_hours * (1 + refinish.clear_first)),
    replace_refinish: () => tenth(facts.refinish_new_hours * (1 + refinish.clear_first)),
    oem: () => price('oem'),
    aftermarket: () => price('aftermarket'),
    recycled: () => price('recycled'),
  };
  return values[measure]?.() ?? Number.NaN;
}
