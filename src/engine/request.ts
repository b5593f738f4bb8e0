import type { InspectionMeta, Photo, RejectedImage } from '../contract/inspection.ts';
import type { Angle, PhotoFacts, PhotoType, ReadPhoto } from '../domain/photo.ts';
import type { Limits, Sensitivity } from '../domain/sensitivity.ts';
import type { Plate } from '../domain/sight/plate.ts';
import type { Sighting } from '../domain/sight/sighting.ts';
import type { Appearance } from '../domain/sight/vehicles.ts';
import type { ClaimFacts, IdentityFacts } from '../domain/vehicle/claim-file.ts';
import type { FactRead } from '../domain/vehicle/read-facts.ts';

/** Bytes of a photo, of stored ones read when it is opened to save memory; `name` is for messages, default the path. */
export type PhotoSource =
  | { readonly kind: 'file'; readonly path: string; readonly name?: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly name: string }
  | { readonly kind: 'stored'; readonly read: () => Promise<Uint8Array>; readonly name: string };

/** One photo to inspect; `url` is echoed as `image_url` (the path as given, or the address it was fetched from). */
export interface PhotoInput {
  readonly source: PhotoSource;
  readonly url: string;
  readonly angle?: Angle;
  readonly angleSource?: Exclude<Photo['angle_source'], 'parts_seen' | 'unknown'>;
  readonly type?: PhotoType;
}

export interface InspectOptions {
  readonly detailed: boolean;
  readonly hiddenDamage: boolean;
  /** Treats all photos as one vehicle, even if they look different. */
  readonly oneVehicle?: boolean;
  readonly region: string;
  /** Default: the currency of a user-defined region, else USD. */
  readonly currency?: string | undefined;
  /** Selects the limits of the model manifest. */
  readonly sensitivity: Sensitivity;
  /** Lists every finding at or above this confidence and none below, 0 to 1; null: the limits of the sensitivity. */
  readonly minConfidence: number | null;
  /** User-defined limits that replace the models' at sensitivity `default`. */
  readonly ownLimits?: Partial<Limits>;
}

/** An input that yielded no photo, or an unreadable photo. */
export type RejectedPhoto = Readonly<RejectedImage>;

export interface InspectRequest {
  readonly vehicleId: string;
  /** Vehicle facts stated by the caller; the photos may add more. */
  readonly vehicle?: IdentityFacts;
  /** Claim that the result is filed under. */
  readonly claim?: ClaimFacts;
  /** Default: derived from the content. */
  readonly id?: string;
  /** ISO 8601, UTC; default: start of the inspection. */
  readonly createdAt?: string;
  /** Default: derived from the vehicle's id, the time and the number of photos. */
  readonly requestId?: string;
  /** Ignored fields of the caller's original request. */
  readonly ignored?: NonNullable<InspectionMeta['warnings']>;
  readonly photos: readonly PhotoInput[];
  /** Photos excluded before the inspection; listed first among the rejected. */
  readonly rejected?: readonly RejectedPhoto[];
  /** URLs in the order in which to list the rejected photos; default: those excluded before, then photo order. */
  readonly order?: readonly string[];
  /** Starts no further photo after a rejection, because the caller would discard a partial result. */
  readonly allOrNothing?: boolean;
  readonly options: InspectOptions;
}

/** Progress events of an inspection. */
export type InspectEvent =
  | { readonly kind: 'started'; readonly photos: number }
  | { readonly kind: 'photo_done'; readonly done: number; readonly photos: number; readonly url: string }
  | { readonly kind: 'photo_rejected'; readonly url: string; readonly code: string };

/** Decoder and model output of one photo, independent of limits and options. */
export interface SeenPhoto {
  readonly facts: PhotoFacts;
  readonly issues: ReadPhoto['issues'];
  readonly perceptualHash: bigint;
  /** Null if the models did not run, because the photo was stated not to be exterior. */
  readonly sighting: Sighting | null;
  /** Null if the models did not run. */
  readonly appearance: Appearance | null;
  /** Null if the models cannot find plates. */
  readonly plates: readonly Plate[] | null;
  /** Looked for at the angle of the first inspection; null if the text models are not installed. */
  readonly read: readonly FactRead[] | null;
}

/** Analyzed photos keyed by the source object of the request (identity). */
export type SeenPhotos = Map<PhotoSource, SeenPhoto>;

export interface InspectHooks {
  readonly onEvent?: (event: InspectEvent) => void;
  /** Cancels cooperatively: photos in flight are finished and the result is marked partial. */
  readonly signal?: AbortSignal;
  /** Cache of photos, extended by this inspection; a cached one is read again only if its models have not run yet. */
  readonly seen?: SeenPhotos;
}
