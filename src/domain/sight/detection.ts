import type { Box } from '../geometry.ts';

/** Labels of the damage detector, finer in places than the contract's types (a lamp is glass on the wire). */
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

/** One box of the detector, in pixels of the upright original photo, with its calibrated confidence. */
export interface Detection {
  readonly label: DetectorLabel;
  readonly box: Box;
  /** 0 to 1. */
  readonly confidence: number;
  /** How well the box fits, by the detector: its raw score, 0 to 1. */
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
 * The parts seen in one photo on a coarse grid that covers the whole upright photo (cell (0,0) top-left; a cell is
 * photo width / grid width by photo height / grid height pixels).
 */
export interface PartMap {
  readonly labels: readonly SegmentLabel[];
  readonly width: number;
  readonly height: number;
  /** Index into `labels` per cell, row by row. */
  readonly best: Uint8Array;
  /** Probability of `best` per cell, 0 to 255. */
  readonly certainty: Uint8Array;
}

/** How sure a model is that a picture shows a vehicle, and from where on it does; 0 to 1. */
export interface Presence {
  readonly score: number;
  readonly limit: number;
}

/** How much is shown: `low` alarms least on undamaged vehicles, `high` misses least. */
export const SENSITIVITIES = ['low', 'default', 'high'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** Confidences from which on a find is certain, and below that is worth checking by eye; 0 to 1. */
export interface Limits {
  readonly certain: number;
  readonly toCheck: number;
}

/** A model that took part, for the record. */
export interface ModelUsed {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly precision: string;
  readonly sha256: string;
  /** Digest of what makes finds of its output: labels, curves, judge, limits. Unknown in older results. */
  readonly rules_sha256?: string;
}

/** Returns the models as `ai_model_version` names them: `name@version`, joined by `+`. */
export function toModelVersion(models: readonly Pick<ModelUsed, 'name' | 'version'>[]): string {
  return models.map(({ name, version }) => `${name}@${version}`).join('+');
}
