import type { DamageType } from './damage.ts';

/** Aliases accepted for `type` in an assessment request; the alias is echoed in `subtype`. */
export const TYPE_ALIASES = {
  oxidation: 'paint_damage',
  stone_chip: 'paint_damage',
  corrosion: 'rust',
  hail: 'dent',
  frame_damage: 'panel_damage',
  trim_damage: 'panel_damage',
  mirror_damage: 'panel_damage',
  wheel_damage: 'panel_damage',
  rocker_damage: 'panel_damage',
  missing_part: 'panel_damage',
  misaligned_part: 'panel_damage',
  headlight_damage: 'glass_damage',
  taillight_damage: 'glass_damage',
  fog_light_damage: 'glass_damage',
  shattered_glass: 'glass_damage',
} as const satisfies Record<string, DamageType>;
type TypeAlias = keyof typeof TYPE_ALIASES;
export const TYPE_ALIAS_NAMES = Object.keys(TYPE_ALIASES) as readonly TypeAlias[];

/** Returns whether a word is an alias of a contract type. */
export function isTypeAlias(word: string): word is TypeAlias {
  return Object.hasOwn(TYPE_ALIASES, word);
}
