import type { ModelUsed, Sighting } from '../domain/detection.ts';
import type { Size } from '../domain/geometry.ts';
import type { PhotoRejection, ReadPhoto, RgbImage } from '../domain/photo.ts';
import type { PhotoSource, Sensitivity } from './request.ts';

/** Reads, checks and decodes one photo. A photo that breaks a rule is a result, not an exception. */
export interface PhotoReader {
  read(source: PhotoSource): Promise<{ ok: true; photo: ReadPhoto } | { ok: false; rejection: PhotoRejection }>;
}

/** Runs the models on one decoded photo; `size` is the upright original's, whose pixels the boxes are in. */
export interface Vision {
  readonly models: readonly ModelUsed[];
  see(photo: { raster: RgbImage; size: Size }, sensitivity: Sensitivity): Promise<Sighting>;
  /** Cooperative: waits for runs in flight, then releases sessions and threads. */
  close(): Promise<void>;
}
