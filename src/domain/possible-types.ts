import { DAMAGE_TYPES, type DamageType } from './damage.ts';
import { findGroup, isLamp, type PartName } from './parts.ts';

/** Surface under a damage, which limits the possible damage types. */
type Surface = 'panel' | 'pane' | 'lamp';

/** Impossible damage types per surface: glass has no paint, and panes and lamps break before they dent. */
const IMPOSSIBLE: Readonly<Record<Surface, ReadonlySet<DamageType>>> = {
  panel: new Set(),
  pane: new Set(['dent', 'rust', 'paint_damage', 'panel_damage']),
  lamp: new Set(['dent', 'rust']),
};

export const canSurfaceHave = (surface: Surface, type: DamageType): boolean => !IMPOSSIBLE[surface].has(type);

/** Lists the types a finding may be changed to: those that fit its part, and its current type. */
export function listFittingTypes(part: PartName, current: DamageType): readonly DamageType[] {
  return DAMAGE_TYPES.filter((type) => type === current || fitsPart(type, part));
}

/** Returns whether a reviewer may state a type for a part: the part can have it, and broken glass needs glass. */
export function fitsPart(type: DamageType, part: PartName): boolean {
  return fitTypeToPart(type, part) === type;
}

/**
 * Converts a type to one that fits the part: a broken pane or lamp if the type is impossible there, a bent or torn panel
 * instead of broken glass on a panel. The roof may have a pane.
 */
export function fitTypeToPart(type: DamageType, part: PartName): DamageType {
  const surface = findSurface(part);
  if (!canSurfaceHave(surface, type)) return 'glass_damage';
  return surface === 'panel' && part !== 'roof' && type === 'glass_damage' ? 'panel_damage' : type;
}

/** Lists the damage types that a reviewer may state for a part. */
export function listPossibleTypes(part: PartName): readonly DamageType[] {
  return DAMAGE_TYPES.filter((type) => fitsPart(type, part));
}

export function findSurface(part: PartName): Surface {
  if (findGroup(part) !== 'glass_and_lights') return 'panel';
  return isLamp(part) ? 'lamp' : 'pane';
}
