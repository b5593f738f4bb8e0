import type { Box } from '../geometry.ts';
import { canSurfaceHave } from '../possible-types.ts';
import type { DetectorLabel } from './detection.ts';
import { computeShare, type LabelMass, type VisiblePart } from './part-map.ts';
import { GLASS, LAMPS } from './segments.ts';

/** Shares of a box on panes or lamps above which damage impossible there is taken for a reflection. */
const MAX_SHARE = { pane: 0.5, scratchedPane: 0.8, lamp: 0.8 } as const;

/** Returns whether a damage is impossible on the pane or lamp under its box, so the detection is a reflection. */
export function cannotOccur(label: DetectorLabel, mass: LabelMass): boolean {
  const type = label === 'lamp_damage' ? 'glass_damage' : label;
  const pane = computeShare(mass, GLASS);
  // A pane can be scratched, but on a box nearly all glass a scratch is mostly a reflection.
  if (type === 'scratch') return pane > MAX_SHARE.scratchedPane;
  if (!canSurfaceHave('pane', type) && pane > MAX_SHARE.pane) return true;
  return !canSurfaceHave('lamp', type) && computeShare(mass, LAMPS) > MAX_SHARE.lamp;
}

/** Lower edge of a door's window, as a share of the door's height from the top. */
const WINDOW_HEIGHT_SHARE = 0.42;

/**
 * Returns whether a body damage lies on the window of a door, because the door's mask includes it. The box of a
 * truncated door does not show where its window is.
 */
export function isOnDoorWindow(label: DetectorLabel, box: Box, door: VisiblePart): boolean {
  if (label === 'glass_damage' || label === 'crack' || door.isTruncated) return false;
  return box.y + box.height < door.box.y + WINDOW_HEIGHT_SHARE * door.box.height;
}
