import type { Box } from '../geometry.ts';
import { canSurfaceHave } from '../possible-types.ts';
import type { DetectorLabel } from './detection.ts';
import { computeShare, type LabelMass } from './part-map.ts';
import { GLASS, LAMPS } from './segments.ts';

/** Shares of a box on panes or lamps above which damage impossible there is taken for a reflection. */
const MAX_SHARE = { pane: 0.5, scratchedPane: 0.8, lamp: 0.8 } as const;

/** Returns whether the pane or lamp under a box cannot have such damage, so the detection is a reflection. */
export function cannotOccur(label: DetectorLabel, mass: LabelMass): boolean {
  const type = label === 'lamp_damage' ? 'glass_damage' : label;
  const pane = computeShare(mass, GLASS);
  if (type === 'scratch') return pane > MAX_SHARE.scratchedPane;
  if (!canSurfaceHave('pane', type) && pane > MAX_SHARE.pane) return true;
  return !canSurfaceHave('lamp', type) && computeShare(mass, LAMPS) > MAX_SHARE.lamp;
}

/** Lower edge of a door's window, as a share of the door's height from the top. */
const WINDOW_HEIGHT_SHARE = 0.42;

/** Returns whether a body damage lies on the window of an untruncated door, because the door's mask includes it. */
export function isOnDoorWindow(label: DetectorLabel, box: Box, door: Box): boolean {
  if (label === 'glass_damage' || label === 'crack') return false;
  return box.y + box.height < door.y + WINDOW_HEIGHT_SHARE * door.height;
}
