import { compact } from '../lib/lists.ts';
import file from './parts.json' with { type: 'json' };

export const PART_GROUPS = ['exterior', 'glass_and_lights', 'mechanical'] as const;
type PartGroup = (typeof PART_GROUPS)[number];

/** Left or right, as seen from the driver's seat. */
export type VehicleSide = 'left' | 'right';
export type Side = VehicleSide | 'front' | 'rear' | 'top' | 'underneath';

interface PartFacts {
  readonly group: PartGroup;
  readonly side: Side;
}

/** Name of a part in the service contract ("Vehicle parts reference"). */
export type PartName = keyof typeof file.parts;
export const PARTS = file.parts as Readonly<Record<PartName, PartFacts>>;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

/** Parts visible from outside: all but the mechanical ones. */
export const OUTSIDE_PARTS: readonly PartName[] = PART_NAMES.filter(
  (part) => PARTS[part].group !== 'mechanical',
);

/** Returns whether `name` is one of the contract's part names (own keys only: `constructor` is not a part). */
export const isPartName = (name: string): name is PartName => Object.hasOwn(PARTS, name);

/** Splits the side off a name: `front_door_left` is `front_door` and `left`; a name without one stays whole. */
export function splitSide(name: string): { readonly base: string; readonly side?: VehicleSide } {
  const [, base, side] = /^(.+)_(left|right)$/.exec(name) ?? [];
  return base === undefined ? { base: name } : { base, side: side as VehicleSide };
}

/** Removes side or corner from a part name: `side_window_fl` becomes `side_window`. */
export const removePosition = (part: string): string => part.replace(/_(left|right|[fr][lr])$/, '');

/** Words for the suffix of a part name that gives its position on the vehicle. */
const POSITIONS = new Map([
  ['left', 'left'],
  ['right', 'right'],
  ['fl', 'front left'],
  ['fr', 'front right'],
  ['rl', 'rear left'],
  ['rr', 'rear right'],
]);

/** Splits a part into words: `side_window_fl` is `side window` and `front left`; `hood` has no position. */
export function splitPosition(part: string) {
  const base = removePosition(part);
  const suffix = part.slice(base.length + 1);
  const name = part === 'trunk_lid' ? 'trunk lid / tailgate' : base.replaceAll('_', ' ');
  return { name, position: POSITIONS.get(suffix) };
}

/** Returns the name of a part within a sentence: `left front door`, `front left side window`. */
export function namePartInText(part: string): string {
  const { name, position } = splitPosition(part);
  return compact([position, name]).join(' ');
}

/** Replaces the side in a name; a name without a side stays as it is, as does any name if `side` is null. */
export const replaceSide = (name: string, side: VehicleSide | null): string =>
  side === null ? name : name.replace(/_(left|right)$/, `_${side}`);

/** Returns true for headlights, taillights and fog lights. */
export const isLamp = (part: string) => /light/.test(part);

/** Returns true for a safety-critical part, which is replaced, never repaired. */
export const isSafetyPart = (part: string): boolean => /^(suspension_|brake_system$|fuel_system$)/.test(part);

export const findSide = (part: PartName): Side => PARTS[part].side;

export const findGroup = (part: PartName): PartGroup => PARTS[part].group;
