import { resolve } from 'node:path';
import type { Photo } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import type { Decision } from '../../contract/review.ts';
import type { Engine } from '../../engine/engine.ts';
import { createPartMaps } from '../../server/reviews/part-maps.ts';
import { findPhoto } from '../outputs/report-pictures.ts';

/**
 * Opens a result for review with its own engine.
 * @param photosFolder folder searched first for photos
 * @param now clock that dates the review
 */
export function openReviewing(
  source: InspectedResult,
  photosFolder: string | undefined,
  engine: Engine,
  now: () => Date,
  cwd: string,
) {
  const { inspection } = source;
  const folder = photosFolder === undefined ? undefined : resolve(cwd, photosFolder);
  /** Returns the bytes of the inspected photo, or the reason they are unavailable. */
  const readBytes = (photo: Photo) => findPhoto(photo, source, folder);
  const maps = createPartMaps(engine, async (_id, photo) => {
    const found = await readBytes(photo);
    return 'bytes' in found ? found.bytes : undefined;
  });
  /** Returns the part map of a photo, computed on first use, or null if the photo is unavailable. */
  const mapOf = (photo: Photo) => maps.get(inspection.data.inspection_id, photo);
  return {
    source,
    inspection,
    engine,
    now,
    readBytes,
    mapOf,
    /**
     * Validates and applies decisions.
     * @param by reviewer of the decisions, if known, and the name of the decision list for messages
     * @throws VehiError input naming the invalid decision
     */
    apply: (decisions: unknown, by: { readonly reviewer?: string | undefined; readonly listName?: string }) =>
      engine.review(inspection, decisions as readonly Decision[], {
        ...by,
        reviewer: by.reviewer || undefined,
        at: now(),
        mapOf,
      }),
    async close() {
      await maps.settle();
      await engine.close();
    },
  };
}

/** A result under review. */
export type Reviewing = Readonly<ReturnType<typeof openReviewing>>;
