import type { DamageSubtype } from './damage.ts';
import type { PartName } from './parts.ts';

const FENDERS_AND_QUARTERS = [
  'front_fender_left',
  'front_fender_right',
  'quarter_panel_left',
  'quarter_panel_right',
] as const satisfies readonly PartName[];
const DOORS = [
  'front_door_left',
  'front_door_right',
  'rear_door_left',
  'rear_door_right',
] as const satisfies readonly PartName[];

/**
 * Components without a contract part name: damage there is `panel_damage` on the nearest listed part, with the
 * component as subtype.
 */
const UNLISTED = {
  mirror_damage: ['front_door_left', 'front_door_right'],
  grille_damage: ['front_bumper'],
  wheel_damage: FENDERS_AND_QUARTERS,
  tyre_damage: FENDERS_AND_QUARTERS,
  liner_damage: FENDERS_AND_QUARTERS,
  rocker_damage: DOORS,
  trim_damage: ['front_bumper', 'rear_bumper', ...FENDERS_AND_QUARTERS, ...DOORS],
} as const satisfies Partial<Record<DamageSubtype, readonly PartName[]>>;
export type UnlistedSubtype = keyof typeof UNLISTED;

/** A component next to a listed part. */
export interface UnlistedPart {
  readonly part: PartName;
  readonly subtype: UnlistedSubtype;
}

export const UNLISTED_PARTS: readonly UnlistedPart[] = Object.entries(UNLISTED).flatMap(([subtype, parts]) =>
  parts.map((part) => ({ part, subtype: subtype as UnlistedSubtype })),
);

/** Returns whether a subtype names an adjacent component, which is repaired separately. */
export function isUnlisted(subtype: string | undefined): subtype is UnlistedSubtype {
  return subtype !== undefined && Object.hasOwn(UNLISTED, subtype);
}

/** Subtypes that a reviewer may state: the part is missing or displaced, or which adjacent component is damaged. */
export const STATED_SUBTYPES = [
  'missing_part',
  'misaligned_part',
  ...(Object.keys(UNLISTED) as UnlistedSubtype[]),
] as const;
