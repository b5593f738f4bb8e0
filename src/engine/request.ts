import type { InspectionMeta } from '../contract/inspection.ts';
import type { ClaimFacts, VehicleFacts as IdentityFacts } from '../domain/claim-file.ts';
import type { Angle, PhotoType } from '../domain/damage.ts';
import type { PhotoFacts, PhotoRejection, ReadPhoto } from '../domain/photo.ts';
import type { Limits, Sensitivity } from '../domain/sight/detection.ts';
import type { PaintColour } from '../domain/sight/paint.ts';
import type { Sighting } from '../domain/sight/sighting.ts';
import type { Equipment, Paint, STATED_CLASSES } from '../domain/vehicle.ts';

/** Where the bytes of a photo come from. */
export type PhotoSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly name: string };

/** One photo to inspect; `url` is echoed as `image_url` (the path as given, or the address it was fetched from). */
export interface PhotoInput {
  readonly source: PhotoSource;
  readonly url: string;
  readonly angle?: Angle;
  readonly angleSource?: 'request' | 'manifest' | 'file_name' | 'parts_seen';
  readonly type?: PhotoType;
}

export interface InspectOptions {
  readonly detailed: boolean;
  readonly hiddenDamage: boolean;
  /** All photos show one vehicle, whatever their paint says. */
  readonly oneVehicle?: boolean;
  readonly region: string;
  /** Default: that of a region of one's own, else USD. */
  readonly currency?: string | undefined;
  /** Which limits of the model manifest apply. */
  readonly sensitivity: Sensitivity;
  /** Lists every find at or above this confidence and none below, 0 to 1; null: the limits of the sensitivity. */
  readonly minConfidence: number | null;
  /** Limits of one's own, at sensitivity `default`, in place of the models'. */
  readonly ownLimits?: Partial<Limits>;
}

/** What prices depend on, as far as it is known. */
export interface VehicleFacts extends Equipment {
  readonly class?: (typeof STATED_CLASSES)[number];
  /** Gives the class where that is not stated. */
  readonly make?: string;
  /** Model year, by which prices of parts rise. */
  readonly year?: number;
  readonly paint?: Paint;
}

/** Something named that led to no photo, or a photo that cannot be read. */
export interface RejectedPhoto extends PhotoRejection {
  readonly url: string;
}

export interface InspectRequest {
  readonly vehicleId: string;
  readonly vehicle?: VehicleFacts;
  /** What the result is filed under. */
  readonly claim?: ClaimFacts;
  /** What the result says of the vehicle. */
  readonly identity?: IdentityFacts;
  /** Default: made of the content. */
  readonly id?: string;
  /** ISO 8601, UTC; default: when the inspection begins. */
  readonly createdAt?: string;
  /** Default: made of vehicle, time and photos. */
  readonly requestId?: string;
  /** Fields of the caller's own request that were ignored. */
  readonly ignored?: NonNullable<InspectionMeta['warnings']>;
  readonly photos: readonly PhotoInput[];
  /** What was left out before the engine was asked; listed first among the rejected. */
  readonly rejected?: readonly RejectedPhoto[];
  /** The order of the rejected by address; default: what was left out before, then that of the photos. */
  readonly order?: readonly string[];
  /** After a rejected photo no further one is begun: the result is not wanted then. */
  readonly allOrNothing?: boolean;
  readonly options: InspectOptions;
}

/** What an inspection reports while it runs. */
export type InspectEvent =
  | { readonly kind: 'started'; readonly photos: number }
  | {
      readonly kind: 'photo_done';
      readonly done: number;
      readonly photos: number;
      readonly url: string;
      readonly damages: number;
    }
  | { readonly kind: 'photo_rejected'; readonly url: string; readonly code: string };

/** What the decoder and the models saw in one photo; no angle, no limit and no option changes it. */
export interface SeenPhoto {
  readonly facts: PhotoFacts;
  readonly issues: ReadPhoto['issues'];
  readonly perceptualHash: bigint;
  /** Null where the models did not look: the photo was said to show something else than the outside. */
  readonly sighting: Sighting | null;
  /** Null where too little paint shows. */
  readonly paint: PaintColour | null;
}

/** Seen photos by their source, the very object of the request. */
export type SeenPhotos = Map<PhotoSource, SeenPhoto>;

export interface InspectHooks {
  readonly onEvent?: (event: InspectEvent) => void;
  /** Cooperative stop: photos in flight are finished, the result is marked partial. */
  readonly signal?: AbortSignal;
  /**
   * What earlier inspections saw of these photos; what this one sees is added. A photo in it is neither read nor looked
   * at again, so that other angles or options cost no analysis.
   */
  readonly seen?: SeenPhotos;
}
