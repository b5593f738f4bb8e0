import type { DamageSubtype, DamageType, Severity } from '../domain/damage.ts';
import type { Box, Size } from '../domain/geometry.ts';
import type { Currency } from '../domain/money.ts';
import type { PartName } from '../domain/parts.ts';
import type { GreyImage, PhotoRejection, ReadPhoto, RgbImage } from '../domain/photo.ts';
import type { Limits, ModelUsed, PartMap, Sensitivity } from '../domain/sight/detection.ts';
import type { KeyPoints } from '../domain/sight/place/keypoints.ts';
import type { Sighting } from '../domain/sight/sighting.ts';
import type { FxUsed as Fx, InspectionPrice } from '../pricing/index.ts';
import type { LineEdits } from '../pricing/lines/edit-lines.ts';
import type { RepairEstimate } from '../pricing/option/estimate-repair.ts';
import type { PhotoSource } from './request.ts';

/** Reads, checks and decodes one photo. A photo that breaks a rule is a result, not an exception. */
export interface PhotoReader {
  read(
    source: PhotoSource,
  ): Promise<{ ok: true; photo: ReadPhoto } | { ok: false; rejection: PhotoRejection }>;
}

/** Runs the models on one decoded photo; `size` is the upright original's, whose pixels the boxes are in. */
export interface Vision {
  readonly models: readonly ModelUsed[];
  /** By sensitivity, the confidences from which on a find is certain or to be checked. */
  readonly limits: Readonly<Record<Sensitivity, Limits>>;
  detect(photo: { raster: RgbImage; size: Size }): Promise<Sighting>;
  /** The parts model alone: what of the vehicle is where, for boxes that a person draws. */
  findParts(photo: { raster: RgbImage; size: Size }): Promise<PartMap>;
  /** Key points on the vehicle, in pixels of the picture. */
  findPoints(picture: GreyImage, parts: PartMap): Promise<KeyPoints>;
  /** How likely each box (pixels of the upright original) is a damage by the classifier; null without one. */
  classifyAt(
    photo: { raster: RgbImage; size: Size },
    boxes: readonly Box[],
  ): Promise<readonly number[] | null>;
  /** Cooperative: waits for runs in flight, then releases sessions and threads. */
  close(): Promise<void>;
}

/** Prices damages by one region's table in one currency. */
export interface Pricer {
  readonly region: RegionUsed;
  readonly currency: Currency;
  /** Midpoint of the region's hourly rate, major units of `currency`. */
  readonly laborRate: number;
  /** Region's currency to that of the amounts; absent where they are the same. */
  readonly fx?: Fx;
  /** Currency of the price tables to that of the amounts; absent where they are the same. */
  readonly partsFx?: Fx;
  /** Class of the vehicle that the prices are for. */
  readonly vehicleClass: string;
  /** What the range of a price is meant to hold, and what teardown adds. */
  readonly rangeMeaning?: string;
  /** One damage repaired alone. */
  estimate(damage: PricedDamage): RepairEstimate;
  /** The vehicle as one repair, minor units of `currency`; ids differ. */
  priceVehicle(
    damages: readonly (PricedDamage & { readonly id: string })[],
    edits?: LineEdits,
  ): InspectionPrice;
}

export interface PricedDamage {
  readonly type: DamageType;
  readonly subtype?: DamageSubtype | undefined;
  readonly part: PartName;
  readonly severity: Severity;
  /** 0 to 10. */
  readonly severityScore: number;
  /** Undefined where it is unknown from the photos. */
  readonly sizeCm?: number | undefined;
}

interface RegionUsed {
  readonly code: string;
  readonly name: string;
  readonly table_version: string;
  readonly effective_date: string;
  readonly source: string;
  readonly tables_sha256: string;
}
