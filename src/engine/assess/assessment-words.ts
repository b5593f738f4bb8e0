import { toPercent } from '../../lib/numbers.ts';
import type { Approach, Reason, RepairMethod } from '../../pricing/option/repair-plan.ts';
import type { Tables } from '../../pricing/tables/load.ts';
import type { AdjustmentCode } from '../../pricing/vehicle/estimate-vehicle.ts';

const METHOD_WORDS: Readonly<Record<RepairMethod, string>> = {
  polish: 'Cut and polish the clear coat.',
  paint_touch_up: 'Touch up the spot by brush.',
  alignment: 'Loosen the part, align it and check the gaps.',
  wheel_refurbishment: 'Strip, fill and paint the wheel at a wheel shop.',
  spot_repair: 'Paint a part of the panel and blend within it.',
  pdr: 'Push the dents out without painting.',
  pdr_and_paint: 'Push the dents out, then refinish the panel.',
  panel_refinish: 'Feather the damage and refinish the panel.',
  panel_repair: 'Repair the panel and refinish it.',
  section_replacement: 'Replace a section of the panel and refinish it.',
  panel_replacement: 'Replace the panel and refinish it.',
  bumper_replacement: 'Replace the bumper cover and refinish it.',
  component_replacement: 'Replace the component.',
  glass_polish: 'Polish the glass.',
  glass_repair: 'Fill the chip with resin.',
  glass_replacement: 'Replace the glass.',
  lens_restoration: 'Sand, polish and seal the lens.',
  lamp_replacement: 'Replace the lamp and aim it.',
  mechanical_repair: 'Repair the part in place.',
  mechanical_replacement: 'Replace the part.',
  structural_repair: 'Set up, measure and pull the structure, then replace the panel and refinish it.',
};

const SOURCE_WORDS = { aftermarket: 'an aftermarket part', recycled: 'a recycled part' } as const;

/** Describes a repair option, a sentence for each of its methods. */
export function describeOption({ methods, source }: Approach): string {
  const words = methods.map((method) => METHOD_WORDS[method]).join(' ');
  return source === undefined ? words : `${words.slice(0, -1)}, with ${SOURCE_WORDS[source]}.`;
}

/** Writes the sentence of each reason against an option. */
export const listReasonWords = ({
  replace_rule,
}: Tables['operations']): Readonly<Record<Reason, string>> => ({
  through_clear_coat: 'The mark goes through the clear coat; polishing leaves it visible.',
  visible_after_touch_up: 'A touch-up stays visible at this severity.',
  too_large: 'The damage is too large for this repair method.',
  paint_likely_broken: 'At this severity the paint is likely broken.',
  critical_damage: 'Critical damage: the part is replaced.',
  crack_in_plastic: 'A crack of this size in plastic is not repaired.',
  crack_in_mechanical_part: 'A crack of this size in a mechanical part is not repaired.',
  broken_glass: 'Broken glass is replaced.',
  broken_lamp: 'A broken lamp is replaced.',
  safety_part: 'A safety part is replaced, not repaired.',
  not_repaired: 'A part of this kind is replaced, not repaired.',
  part_missing: 'The part is missing.',
  structure_affected: 'The structure is affected: a new panel alone does not restore it.',
  surface_only: 'Only the paint is damaged; a new panel is not needed.',
  beyond_section: 'The damage reaches beyond the section.',
  cheaper_way_exists: 'A cheaper method also restores the part.',
  repair_near_replacement_cost: `The repair costs ${toPercent(replace_rule.near_share)} % of this or more: ask whether a new part is worth the rest.`,
  oem_part_preferred: 'Only new manufacturer parts are recommended; this one costs less.',
  section_suffices: 'A section restores the panel for less.',
  dearer_in_the_job: 'It costs less on its own; with what the job shares, the chosen method does.',
  overridden_by_adjuster: 'The adjuster chose another option.',
});

export const ADJUSTMENT_WORDS = {
  one_repair_per_panel: 'Several damages on one panel are one repair of that panel, counted once',
  one_repair_per_vehicle: 'All panels are one repair: shared paint, set-up and visits, fees once',
  line_edits: 'Lines set, removed, accepted or added by a person',
} as const satisfies Record<AdjustmentCode, string>;
