import { resolve } from 'node:path';
import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { InspectedResult, Result } from '../../contract/result.ts';
import type { Decision, ReviewedEnvelope } from '../../contract/review.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { Engine } from '../../engine/engine.ts';
import { createPartMaps } from '../../server/reviews/part-maps.ts';
import { findPhoto } from '../outputs/report-pictures.ts';

/** A result under review; part maps are computed on first use and cached. */
export interface Reviewing {
  readonly source: Result;
  readonly inspection: InspectionEnvelope;
  readonly engine: Engine;
  /** Validates and applies decisions. @throws VehiError input naming the invalid decision */
  apply(
    decisions: unknown,
    by: { readonly at: Date; readonly reviewer?: string | undefined; readonly listName?: string },
  ): Promise<ReviewedEnvelope>;
  /** Returns the part map of a photo, or null if the photo is unavailable. */
  mapOf(photo: Photo): Promise<PartMap | null>;
  /** Returns the bytes of the inspected photo, or the reason they are unavailable. */
  readBytes(photo: Photo): Promise<{ readonly bytes: Uint8Array } | { readonly missing: string }>;
  close(): Promise<void>;
}

/** Opens a result for review with its own engine. @param photosFolder folder searched first for photos */
export function openReviewing(
  source: InspectedResult,
  photosFolder: string | undefined,
  engine: Engine,
  cwd: string,
): Reviewing {
  const { inspection } = source;
  const folder = photosFolder === undefined ? undefined : resolve(cwd, photosFolder);
  const readBytes = (photo: Photo) => findPhoto(photo, source, folder);
  const maps = createPartMaps(engine, async (_id, photo) => {
    const found = await readBytes(photo);
    return 'bytes' in found ? found.bytes : undefined;
  });
  const mapOf = (photo: Photo) => maps.get(inspection.data.inspection_id, photo);
  return {
    source,
    inspection,
    engine,
    readBytes,
    mapOf,
    apply: (decisions, by) => engine.review(inspection, decisions as readonly Decision[], { ...by, mapOf }),
    async close() {
      await maps.settle();
      await engine.close();
    },
  };
}
