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

/** Subtypes that refine the type but never replace it (contract decisions, "Extra categories"). */
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

/** Values of `overall_condition` and `parts_affected[].condition`, best first. */
export const CONDITIONS = ['excellent', 'good', 'fair', 'poor', 'critical'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Ambiguities of a finding's part: this one or an adjacent one, left or right. */
export const UNCERTAINTY = ['part', 'side'] as const;
export type PartUncertainty = (typeof UNCERTAINTY)[number];

/** Makes the id of a finding, `dmg_hood_001`, or `chk_hood_001` for a place to check; `ordinal` counts from 1 per part. */
export const makeFindingId = (kind: 'dmg' | 'chk', part: string, ordinal: number): string =>
  `${kind}_${part}_${String(ordinal).padStart(3, '0')}`;

export const isPlaceToCheckId = (id: string): boolean => id.startsWith('chk_');

/** An applied rule with its inputs, for review of the decision. */
export interface RuleTrace {
  readonly rule: string;
  readonly inputs: Record<string, string | number | boolean | null>;
}

/** Returns the first box of each photo; further ones show the same location. @param evidence best box first */
export function keepBestOfPhoto<T extends { readonly image_index: number }>(
  evidence: readonly T[],
): readonly T[] {
  return evidence.filter(
    (one, i) => evidence.findIndex((other) => other.image_index === one.image_index) === i,
  );
}

/** Returns evidence whose first box in a photo is replaced. @param photo its index; default: that of the best box */
export function replaceBox<E extends { readonly image_index: number; readonly coordinates: object }>(
  evidence: readonly E[],
  box: object,
  photo = evidence[0]?.image_index,
): E[] {
  const replaced = evidence.find((one) => one.image_index === photo);
  return evidence.map((one) =>
    one === replaced ? { ...one, coordinates: { ...one.coordinates, ...box } } : one,
  );
}
