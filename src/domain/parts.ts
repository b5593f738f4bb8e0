export const PART_GROUPS = ['exterior', 'glass_and_lights', 'mechanical'] as const;
type PartGroup = (typeof PART_GROUPS)[number];

const SIDES = ['front', 'rear', 'left', 'right', 'top', 'underneath'] as const;
export type Side = (typeof SIDES)[number];

interface PartFacts {
  readonly group: PartGroup;
  readonly side: Side;
}

/**
 * Part names of the service contract ("Vehicle parts reference"), with group and vehicle side (left and right as seen
 * from the driver's seat).
 */
export const PARTS = {
  front_bumper: { group: 'exterior', side: 'front' },
  rear_bumper: { group: 'exterior', side: 'rear' },
  hood: { group: 'exterior', side: 'front' },
  roof: { group: 'exterior', side: 'top' },
  trunk_lid: { group: 'exterior', side: 'rear' },
  front_fender_left: { group: 'exterior', side: 'left' },
  front_fender_right: { group: 'exterior', side: 'right' },
  front_door_left: { group: 'exterior', side: 'left' },
  front_door_right: { group: 'exterior', side: 'right' },
  rear_door_left: { group: 'exterior', side: 'left' },
  rear_door_right: { group: 'exterior', side: 'right' },
  quarter_panel_left: { group: 'exterior', side: 'left' },
  quarter_panel_right: { group: 'exterior', side: 'right' },
  windshield: { group: 'glass_and_lights', side: 'front' },
  rear_window: { group: 'glass_and_lights', side: 'rear' },
  side_window_fl: { group: 'glass_and_lights', side: 'left' },
  side_window_fr: { group: 'glass_and_lights', side: 'right' },
  side_window_rl: { group: 'glass_and_lights', side: 'left' },
  side_window_rr: { group: 'glass_and_lights', side: 'right' },
  headlight_left: { group: 'glass_and_lights', side: 'left' },
  headlight_right: { group: 'glass_and_lights', side: 'right' },
  taillight_left: { group: 'glass_and_lights', side: 'left' },
  taillight_right: { group: 'glass_and_lights', side: 'right' },
  fog_light_left: { group: 'glass_and_lights', side: 'left' },
  fog_light_right: { group: 'glass_and_lights', side: 'right' },
  engine: { group: 'mechanical', side: 'front' },
  transmission: { group: 'mechanical', side: 'underneath' },
  suspension_fl: { group: 'mechanical', side: 'left' },
  suspension_fr: { group: 'mechanical', side: 'right' },
  suspension_rl: { group: 'mechanical', side: 'left' },
  suspension_rr: { group: 'mechanical', side: 'right' },
  exhaust_system: { group: 'mechanical', side: 'underneath' },
  fuel_system: { group: 'mechanical', side: 'underneath' },
  cooling_system: { group: 'mechanical', side: 'front' },
  brake_system: { group: 'mechanical', side: 'underneath' },
} as const satisfies Record<string, PartFacts>;

export type PartName = keyof typeof PARTS;

/** Words for the corner suffix of a window or suspension name. */
export const CORNER_WORDS = {
  fl: 'front left',
  fr: 'front right',
  rl: 'rear left',
  rr: 'rear right',
} as const;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

/** Parts visible from outside: all but the mechanical ones. */
export const OUTSIDE_PARTS: readonly PartName[] = PART_NAMES.filter(
  (part) => PARTS[part].group !== 'mechanical',
);

/** Returns whether `name` is one of the contract's part names (own keys only: `constructor` is not a part). */
export function isPartName(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

/** Splits the side off a name: `front_door_left` is `front_door` and `left`; a name without one stays whole. */
export function splitSide(name: string): { readonly base: string; readonly side?: 'left' | 'right' } {
  const [, base, side] = /^(.+)_(left|right)$/.exec(name) ?? [];
  return base === undefined ? { base: name } : { base, side: side as 'left' | 'right' };
}

/** Replaces the side in a name; a name without a side stays as it is, as does any name if `side` is null. */
export function replaceSide(name: string, side: 'left' | 'right' | null): string {
  return side === null ? name : name.replace(/_(left|right)$/, `_${side}`);
}

/** Returns true for headlights, taillights and fog lights. */
export const isLamp = (part: string) => /light/.test(part);

/** Returns true for a safety-critical part, which is replaced, never repaired. */
export const isSafetyPart = (part: string): boolean => /^(suspension_|brake_system$|fuel_system$)/.test(part);

export const findSide = (part: PartName): Side => PARTS[part].side;

/** Returns the contract's group of a part. */
export const findGroup = (part: PartName): PartGroup => PARTS[part].group;
