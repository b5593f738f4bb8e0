import type { Box } from '../geometry.ts';

/** Labels of the damage detector, some finer than the contract's types (a lamp is glass on the wire). */
export const DETECTOR_LABELS = [
  'scratch',
  'dent',
  'crack',
  'glass_damage',
  'lamp_damage',
  'paint_damage',
  'rust',
  'panel_damage',
] as const;
export type DetectorLabel = (typeof DETECTOR_LABELS)[number];

/** A detector box in pixels of the upright original photo, with calibrated confidence. */
export interface Detection {
  readonly label: DetectorLabel;
  readonly box: Box;
  /** 0 to 1. */
  readonly confidence: number;
  /** Raw detector score, 0 to 1: how well the box fits. */
  readonly score: number;
}

/** Labels of the parts segmenter; left and right are the vehicle's own. */
export const SEGMENT_LABELS = [
  'background',
  'front_bumper',
  'rear_bumper',
  'hood',
  'roof',
  'trunk_lid',
  'front_fender_left',
  'front_fender_right',
  'front_door_left',
  'front_door_right',
  'rear_door_left',
  'rear_door_right',
  'quarter_panel_left',
  'quarter_panel_right',
  'windshield',
  'rear_window',
  'headlight_left',
  'headlight_right',
  'taillight_left',
  'taillight_right',
  'mirror_left',
  'mirror_right',
  'wheel',
  'rocker_left',
  'rocker_right',
] as const;
export type SegmentLabel = (typeof SEGMENT_LABELS)[number];

/**
 * Part segmentation of one photo on a coarse grid covering the upright photo (cell (0,0) top-left; a cell is photo
 * width / grid width by photo height / grid height pixels).
 */
export interface PartMap {
  readonly labels: readonly SegmentLabel[];
  readonly width: number;
  readonly height: number;
  /** Index into `labels` per cell, row-major. */
  readonly bestLabels: Uint8Array;
  /** Probability of `bestLabels` per cell, 0 to 255. */
  readonly certainty: Uint8Array;
  /** Unit vector that is similar for photos of one vehicle; absent if the model outputs none. */
  readonly embedding?: readonly number[];
}
