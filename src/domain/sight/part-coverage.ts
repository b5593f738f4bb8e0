import type { Size } from '../geometry.ts';
import { type PartName, replaceSide, type VehicleSide } from '../parts.ts';
import { findSegmentSide } from './contract-part.ts';
import { assumeScale, estimateScale } from './measure.ts';
import { computeVehicleShare } from './part-map.ts';
import { findPartSize } from './part-sizes.ts';
import type { PhotoScene } from './photo-scene.ts';

/** Whether a part is visible well enough to be judged; best first. */
export const COVERAGE_STATUS = ['seen', 'too_small', 'not_seen'] as const;
export type CoverageStatus = (typeof COVERAGE_STATUS)[number];

/** Flaws that spoil a photo as a whole. */
const PHOTO_FLAWS = ['blur', 'dark', 'bright'] as const;
export type PhotoFlaw = (typeof PHOTO_FLAWS)[number];

/** Returns the flaw that spoils the whole photo according to its warnings; null without one. */
export function findFlaw(issues: readonly { readonly code: string }[]): PhotoFlaw | null {
  return PHOTO_FLAWS.find((flaw) => issues.some(({ code }) => code === flaw)) ?? null;
}

export const COVERAGE_REASONS = ['far', ...PHOTO_FLAWS, 'mostly_hidden'] as const;
export type CoverageReason = (typeof COVERAGE_REASONS)[number];

/** A part too far away is `too_small`; one unclear for any other reason is `not_seen`. */
export const toStatus = (reason: CoverageReason | null): CoverageStatus =>
  reason === null ? 'seen' : reason === 'far' ? 'too_small' : 'not_seen';

/** A part that a photo shows, and why it cannot be judged there; null if it can. */
interface ShownPart {
  readonly part: PartName;
  readonly reason: CoverageReason | null;
}

/** One part in one photo. */
export interface PartView extends ShownPart {
  readonly photo: number;
  readonly status: CoverageStatus;
  /** Centimeters on the vehicle per pixel of the upright photo. */
  readonly cmPerPixel: number;
  /** Distance from camera to part, meters; assumes a phone lens. */
  readonly distanceM: number;
}

/** Minimum visible share of a part's area for judging it; below it the part is slanted or hidden. Assumed. */
const MIN_VISIBLE_SHARE = 0.25;
/** Maximum scale, centimeters per pixel of a photo of `MODEL_INPUT_LONG_SIDE`; beyond it small damage is a few pixels. */
const MAX_CM_PER_PIXEL = 0.6;
/** Long side of the models' input picture, pixels. */
const MODEL_INPUT_LONG_SIDE = 1280;
/** Frame width over distance of a 26 mm lens (35 mm equivalent, the main camera of phones): 36 / 26. */
const FRAME_PER_DISTANCE = 36 / 26;

/** Side windows are part of their door's mask. */
const SIDE_WINDOWS = {
  front_door_left: 'side_window_fl',
  front_door_right: 'side_window_fr',
  rear_door_left: 'side_window_rl',
  rear_door_right: 'side_window_rr',
} as const;
const SIDE_WINDOW_OF_DOOR: Partial<Record<PartName, PartName>> = SIDE_WINDOWS;

/**
 * Lists the parts that one photo shows, and the scale at which it shows them. If the panels before and behind a rear
 * door are visible without such a door, the vehicle has none, and the door counts as seen.
 */
export function listShownParts(
  scene: PhotoScene,
  flaw: PhotoFlaw | null,
): { readonly parts: readonly ShownPart[]; readonly cmPerPixel: number } {
  const { cmPerPixel } =
    estimateScale(scene.visibleParts) ?? assumeScale(scene.size, computeVehicleShare(scene.mass));
  const parts = scene.visibleParts.flatMap(({ label, share }): ShownPart[] => {
    const { area_m2: areaM2 } = findPartSize(label);
    if (areaM2 === undefined) return [];
    const visibleM2 = (share * scene.size.width * scene.size.height * cmPerPixel ** 2) / 10_000;
    const reason = findGapReason(visibleM2 / areaM2, cmPerPixel, scene.size, flaw);
    const part = replaceSide(label, findSegmentSide(label, scene)) as PartName;
    const sideWindow = SIDE_WINDOW_OF_DOOR[part];
    return [{ part, reason }, ...(sideWindow ? [{ part: sideWindow, reason }] : [])];
  });
  const missingDoors = (['left', 'right'] as const).flatMap((side) => inferMissingRearDoor(parts, side));
  return { parts: [...parts, ...missingDoors], cmPerPixel };
}

function inferMissingRearDoor(shown: readonly ShownPart[], side: VehicleSide): ShownPart[] {
  const reasonOf = (part: PartName) => shown.find((one) => one.part === part)?.reason;
  const rearDoor = `rear_door_${side}` as const;
  const isFlankSeen = reasonOf(`front_door_${side}`) === null && reasonOf(`quarter_panel_${side}`) === null;
  if (!isFlankSeen || reasonOf(rearDoor) !== undefined) return [];
  return [rearDoor, SIDE_WINDOWS[rearDoor]].map((part) => ({ part, reason: null }));
}

function findGapReason(
  visibleShare: number,
  cmPerPixel: number,
  size: Size,
  flaw: PhotoFlaw | null,
): CoverageReason | null {
  if (flaw !== null) return flaw;
  if (visibleShare < MIN_VISIBLE_SHARE) return 'mostly_hidden';
  const modelCmPerPixel = cmPerPixel * (Math.max(size.width, size.height) / MODEL_INPUT_LONG_SIDE);
  return modelCmPerPixel > MAX_CM_PER_PIXEL ? 'far' : null;
}

/** Returns the distance at which a phone lens has this scale, meters. */
export function computeDistanceM(size: Size, cmPerPixel: number): number {
  return (cmPerPixel * Math.max(size.width, size.height)) / 100 / FRAME_PER_DISTANCE;
}
