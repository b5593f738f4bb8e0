import { isPartName, type PartName } from '../../domain/parts.ts';
import { findSurface } from '../../domain/possible-types.ts';
import file from '../data/plan-shapes.json' with { type: 'json' };
import { COLOR } from '../palette.ts';

/**
 * Shape of a sedan, our own drawing: left side and top, front to the left, in plan units (about one centimeter of a
 * mid-size car), origin at the top left of each view, y downwards. The right side mirrors the left. The top view draws
 * the vehicle's right half (upper) and mirrors it down. Paths are SVG path data.
 */
export interface PlanShape {
  /** Part of the contract, or null for shapes without findings (wheels, sills, mirrors). */
  readonly part: PartName | null;
  readonly path: string;
  /** Label position in plan units; each part has one in a single view. */
  readonly at?: readonly [number, number];
  readonly kind: 'panel' | 'glass' | 'lamp' | 'trim' | 'tyre' | 'rim';
}

/** Colors of the plan; `base` fills undamaged parts, `spacing` is in plan units. */
export const PLAN_STYLE = {
  base: {
    panel: '#f6f7f9',
    glass: '#dfe8f1',
    lamp: '#fdf6e3',
    trim: '#cfd5dc',
    tyre: '#4a525c',
    rim: '#d8dde3',
  } satisfies Record<PlanShape['kind'], string>,
  outline: '#6b7683',
  hatch: { color: COLOR.soft, spacing: 7 },
} as const;

export const SIDE_SIZE = { width: 462, height: 152 } as const;
export const TOP_SIZE = { width: 462, height: 184 } as const;

/** Reads a shape: glass, a lamp or a panel if it is named after a part; else a tyre, a rim or trim. */
function readShape({ name, path, at }: { name: string; path: string; at?: readonly number[] }): PlanShape {
  const [x, y] = at ?? [];
  const place = x !== undefined && y !== undefined && { at: [x, y] as const };
  if (!isPartName(name))
    return { part: null, kind: name === 'tyre' || name === 'rim' ? name : 'trim', path, ...place };
  const surface = findSurface(name);
  return { part: name, kind: surface === 'pane' ? 'glass' : surface, path, ...place };
}

/** Left side. The mirrored view swaps names ending in `_left`/`fl`/`rl` for the right. */
export const SIDE_SHAPES: readonly PlanShape[] = file.side.map(readShape);

/** Parts on the center line, seen from above. */
export const TOP_CENTER_SHAPES: readonly PlanShape[] = file.top_center.map(readShape);

/** Right half seen from above (upper in the drawing), mirrored down for the left half. */
export const TOP_HALF_SHAPES: readonly PlanShape[] = file.top_right_half.map(readShape);

const OTHER_SIDE: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  fl: 'fr',
  fr: 'fl',
  rl: 'rr',
  rr: 'rl',
};

/** Returns the part on the opposite side of the vehicle; a part on the center line maps to itself. */
export function mirrorPart(part: PartName | null): PartName | null {
  const mirrored = part?.replace(/(?<=_)(left|right|[fr][lr])$/, (side) => OTHER_SIDE[side] ?? side);
  return mirrored !== undefined && isPartName(mirrored) ? mirrored : null;
}
