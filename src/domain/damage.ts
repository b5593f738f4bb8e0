/** Damage types of the contract ("Damage object"). */
export const DAMAGE_TYPES = [
  'scratch',
  'dent',
  'rust',
  'crack',
  'paint_damage',
  'glass_damage',
  'panel_damage',
] as const;
export type DamageType = (typeof DAMAGE_TYPES)[number];

/** Finer names that accompany the type, never instead of it (contract decisions, "Extra categories"). */
export const DAMAGE_SUBTYPES = [
  'headlight_damage',
  'taillight_damage',
  'fog_light_damage',
  'mirror_damage',
  'trim_damage',
  'frame_damage',
  'missing_part',
  'misaligned_part',
  'oxidation',
  'wheel_damage',
  'rocker_damage',
  'grille_damage',
  'tyre_damage',
  'liner_damage',
] as const;
export type DamageSubtype = (typeof DAMAGE_SUBTYPES)[number];

/** Severity tiers of the contract, in increasing order. */
export const SEVERITIES = ['minor', 'moderate', 'severe', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Words of `overall_condition` and of `parts_affected[].condition`, best first. */
export const CONDITIONS = ['excellent', 'good', 'fair', 'poor', 'critical'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Photo angles of the contract (`images[].angle`). */
export const ANGLES = [
  'front',
  'rear',
  'left_side',
  'right_side',
  'front_left',
  'front_right',
  'rear_left',
  'rear_right',
  'top',
  'interior',
  'dashboard',
  'engine',
  'trunk',
  'undercarriage',
] as const;
export type Angle = (typeof ANGLES)[number];

/** Photo types of the contract (`images[].type`). */
export const PHOTO_TYPES = ['exterior', 'interior', 'mechanical'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

/** Returns whether the id of a finding is that of a place to check, not of a damage yet. */
export const isPlaceToCheckId = (id: string): boolean => id.startsWith('chk_');

/** A rule that fired: its id and the values it looked at, so that a person can check the decision. */
export interface RuleTrace {
  readonly rule: string;
  readonly inputs: Readonly<Record<string, string | number | boolean | null>>;
}

/** Returns the evidence of a damage with one box a photo, the best: further boxes there are of the same place. */
export function keepBestOfPhoto<T extends { readonly image_index: number }>(
  evidence: readonly T[],
): readonly T[] {
  return evidence.filter(
    (one, i) => evidence.findIndex((other) => other.image_index === one.image_index) === i,
  );
}
