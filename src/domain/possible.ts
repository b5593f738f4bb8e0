import { DAMAGE_TYPES, type DamageType } from './damage.ts';
import { findGroup, isLamp, type PartName } from './parts.ts';

/** What a damage lies on, as far as that says which damage can be there. */
type Surface = 'panel' | 'pane' | 'lamp';

/** Damage that a surface cannot have: glass has no paint, and panes and lamps break before they are dented. */
const IMPOSSIBLE: Readonly<Record<Surface, ReadonlySet<DamageType>>> = {
  panel: new Set(),
  pane: new Set(['dent', 'rust', 'paint_damage', 'panel_damage']),
  lamp: new Set(['dent', 'rust']),
};

/** Returns whether a surface can have damage of a type. */
export function canSurfaceHave(surface: Surface, type: DamageType): boolean {
  return !IMPOSSIBLE[surface].has(type);
}

/** Returns whether a part can have damage of a type. */
export function canPartHave(part: PartName, type: DamageType): boolean {
  return canSurfaceHave(findSurface(part), type);
}

/**
 * Returns the types that a finding may be called where it is: what its part can have, and what it is called now.
 */
export function listFittingTypes(part: PartName, now: DamageType): readonly DamageType[] {
  return DAMAGE_TYPES.filter((type) => type === now || canPartHave(part, type));
}

/** Returns what a find is called once it lies on a part: its type, or a broken pane or lamp where that cannot be. */
export function fitTypeToPart(type: DamageType, part: PartName): DamageType {
  return canPartHave(part, type) ? type : 'glass_damage';
}

/** Returns the types of damage that a part can have. */
export function listPossibleTypes(part: PartName): readonly DamageType[] {
  return DAMAGE_TYPES.filter((type) => canPartHave(part, type));
}

function findSurface(part: PartName): Surface {
  if (findGroup(part) !== 'glass_and_lights') return 'panel';
  return isLamp(part) ? 'lamp' : 'pane';
}
