import { resolve } from 'node:path';
import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { Decision, DrawnBox, Placement, ReviewedEnvelope, Said } from '../../contract/review.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { Engine } from '../../engine/engine.ts';
import { loadPhotoRules } from '../../images/read/photo-rules.ts';
import { VehiError } from '../../lib/errors.ts';
import { findPhoto, type ReportSource } from '../outputs/report-pictures.ts';

/** A result under review; photos are looked at when they are first drawn on, and remembered. */
export interface Reviewing {
  readonly source: ReportSource;
  readonly inspection: InspectionEnvelope;
  readonly engine: Engine;
  /** Checks and applies decisions. @throws VehiError input naming the decision at fault */
  apply(
    decisions: unknown,
    by: { readonly at: Date; readonly reviewer?: string | undefined; readonly listName?: string },
  ): Promise<ReviewedEnvelope>;
  /** @throws VehiError input where the photo cannot be had */
  place(imageIndex: number, box: DrawnBox, said: Said): Promise<Placement>;
  /** The bytes of a photo as it was inspected, or why they cannot be had. */
  readBytes(photo: Photo): Promise<{ readonly bytes: Uint8Array } | { readonly missing: string }>;
  /** Looks at a photo ahead of time; a failure is reported when it is needed. */
  prepare(imageIndex: number): void;
  close(): Promise<void>;
}

/** Opens a result for review with an engine of its own. @param photosFolder where to look for photos first */
export function openReviewing(
  source: ReportSource & { readonly inspection: InspectionEnvelope },
  photosFolder: string | undefined,
  engine: Engine,
  cwd: string,
): Reviewing {
  const { inspection } = source;
  const folder = photosFolder === undefined ? undefined : resolve(cwd, photosFolder);
  const { maxBytes } = loadPhotoRules();
  const maps = new Map<number, Promise<PartMap>>();

  const readBytes = (photo: Photo) => findPhoto(photo, source, folder, maxBytes);
  async function look(photo: Photo): Promise<PartMap> {
    const found = await readBytes(photo);
    if ('bytes' in found) return engine.lookAt({ kind: 'bytes', bytes: found.bytes, name: photo.url });
    throw new VehiError('input', 'PHOTO_MISSING', `${photo.url} cannot be looked at: ${found.missing}`, {
      hint: 'Name the folder of the photos with --photos DIR.',
    });
  }
  function findMap(photo: Photo): Promise<PartMap> {
    const map = maps.get(photo.index) ?? look(photo);
    maps.set(photo.index, map);
    // A photo that was missing may be back the next time.
    map.catch(() => maps.delete(photo.index));
    return map;
  }
  function photoAt(index: number): Photo {
    const photo = inspection.data.images.find((one) => one.index === index);
    if (photo) return photo;
    throw new VehiError('input', 'INVALID_DECISIONS', `there is no photo ${index}.`);
  }

  return {
    source,
    inspection,
    engine,
    readBytes,
    apply: (decisions, by) =>
      engine.review(inspection, decisions as readonly Decision[], {
        ...by,
        mapOf: (photo) =>
          findMap(photo).catch((error: unknown) => {
            if (error instanceof VehiError && error.code === 'PHOTO_MISSING') return null;
            throw error;
          }),
      }),
    async place(index, box, said) {
      const photo = photoAt(index);
      return engine.placeBox(await findMap(photo), photo, box, said, inspection);
    },
    prepare: (index) => void findMap(photoAt(index)).catch(() => undefined),
    async close() {
      await Promise.allSettled(maps.values());
      await engine.close();
    },
  };
}
