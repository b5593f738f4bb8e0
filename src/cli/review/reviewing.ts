import { resolve } from 'node:path';
import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { InspectedResult, Result } from '../../contract/result.ts';
import type { Decision, ReviewedEnvelope } from '../../contract/review.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { Engine } from '../../engine/engine.ts';
import { loadPhotoRules } from '../../images/read/photo-rules.ts';
import { findPhoto } from '../outputs/report-pictures.ts';

/** A result under review; photos are looked at when they are first drawn on, and remembered. */
export interface Reviewing {
  readonly source: Result;
  readonly inspection: InspectionEnvelope;
  readonly engine: Engine;
  /** Checks and applies decisions. @throws VehiError input naming the decision at fault */
  apply(
    decisions: unknown,
    by: { readonly at: Date; readonly reviewer?: string | undefined; readonly listName?: string },
  ): Promise<ReviewedEnvelope>;
  /** What of the vehicle is where in a photo; null where the photo cannot be had. */
  mapOf(photo: Photo): Promise<PartMap | null>;
  /** The bytes of a photo as it was inspected, or why they cannot be had. */
  readBytes(photo: Photo): Promise<{ readonly bytes: Uint8Array } | { readonly missing: string }>;
  close(): Promise<void>;
}

/** Opens a result for review with an engine of its own. @param photosFolder where to look for photos first */
export function openReviewing(
  source: InspectedResult,
  photosFolder: string | undefined,
  engine: Engine,
  cwd: string,
): Reviewing {
  const { inspection } = source;
  const folder = photosFolder === undefined ? undefined : resolve(cwd, photosFolder);
  const { maxBytes } = loadPhotoRules();
  const maps = new Map<number, Promise<PartMap | null>>();

  const readBytes = (photo: Photo) => findPhoto(photo, source, folder, maxBytes);
  async function look(photo: Photo): Promise<PartMap | null> {
    const found = await readBytes(photo);
    if ('bytes' in found) return engine.lookAt({ kind: 'bytes', bytes: found.bytes, name: photo.url });
    // It may be back the next time.
    maps.delete(photo.index);
    return null;
  }
  function mapOf(photo: Photo): Promise<PartMap | null> {
    const map = maps.get(photo.index) ?? look(photo);
    maps.set(photo.index, map);
    map.catch(() => maps.delete(photo.index));
    return map;
  }

  return {
    source,
    inspection,
    engine,
    readBytes,
    apply: (decisions, by) =>
      engine.review(inspection, decisions as readonly Decision[], {
        ...by,
        mapOf,
      }),
    mapOf,
    async close() {
      await Promise.allSettled(maps.values());
      await engine.close();
    },
  };
}
