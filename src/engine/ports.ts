import type { KeyPoints } from '../domain/compare/keypoints.ts';
import type { Box } from '../domain/geometry.ts';
import type { ModelUsed } from '../domain/model-used.ts';
import type { GrayImage, PhotoRejection, ReadPhoto, SizedRaster } from '../domain/photo.ts';
import type { Limits, Sensitivity } from '../domain/sensitivity.ts';
import type { PartMap } from '../domain/sight/detection.ts';
import type { Plate } from '../domain/sight/plate.ts';
import type { Sighting } from '../domain/sight/sighting.ts';
import type { FactRead } from '../domain/vehicle/read-facts.ts';
import type { PhotoSource } from './request.ts';

/** Reads, validates and decodes photos. An invalid photo is a result, not an exception. */
export interface PhotoReader {
  read(
    source: PhotoSource,
  ): Promise<{ ok: true; photo: ReadPhoto } | { ok: false; rejection: PhotoRejection }>;
  /** Ends the decoding threads, if started. */
  close?(): Promise<void>;
}

/** Runs the models on one decoded photo; boxes are in pixels of the upright original. */
export interface Vision {
  readonly models: readonly ModelUsed[];
  /** Confidence thresholds of certain findings and places to check, per sensitivity. */
  readonly limits: Readonly<Record<Sensitivity, Limits>>;
  detect(photo: SizedRaster): Promise<Sighting>;
  /** Finds number plates; `parts` is null for a photo that was not segmented. Null without a model for plates. */
  findPlates(photo: SizedRaster, parts: PartMap | null): Promise<readonly Plate[] | null>;
  /**
   * Reads number plates; with `readsLines`, every line of text in the photo for a VIN or an odometer as well. Null if
   * the text models are not installed.
   */
  readFacts(
    photo: SizedRaster,
    plates: readonly Plate[],
    readsLines: boolean,
  ): Promise<readonly FactRead[] | null>;
  /** Reads the time that a camera printed into a photo, ISO 8601 without a zone; undefined if none is read. */
  readPrintedTime(photo: SizedRaster): Promise<string | undefined>;
  /** Runs only the parts model, for boxes drawn by a reviewer. */
  findParts(photo: SizedRaster): Promise<PartMap>;
  /** Detects keypoints on the vehicle, in pixels of the image. */
  findPoints(image: GrayImage, parts: PartMap): Promise<KeyPoints>;
  /** Returns the classifier's damage probability per box, pixels of the original; null without a classifier. */
  classifyAt(photo: SizedRaster, boxes: readonly Box[]): Promise<readonly number[] | null>;
  /** Waits for runs in flight, then releases sessions and threads. */
  close(): Promise<void>;
}

/** Dependencies of a comparison for opening and examining photos. */
export interface ComparisonDeps {
  readonly reader: PhotoReader;
  readonly vision: Pick<Vision, 'limits' | 'findParts' | 'findPoints' | 'classifyAt'>;
}
