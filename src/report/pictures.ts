import type { Damage, Photo, VisualInspection } from '../contract/inspection.ts';
import { type Box, closeUpRegion } from '../domain/geometry.ts';
import { listFindings } from './finding-rows.ts';

/** A JPEG with its size in pixels. */
export interface Picture {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pictures requested from one photo; regions are in pixels of the upright photo. */
export interface PictureRequest {
  /** Maximum long side of the whole photo in pixels. */
  readonly maxSide: number;
  readonly crops: readonly { readonly region: Box; readonly maxSide: number }[];
}

interface PhotoPictures {
  readonly photo: Picture;
  /** One picture per requested crop, in order. */
  readonly crops: readonly Picture[];
}

/** Source of the report's pictures, which carry no EXIF data. */
export interface PictureSource {
  /** Sentence on which regions of the pictures are redacted and which are not. */
  readonly redaction?: string | undefined;
  /** Loads the pictures of one photo, or returns the reason they are unavailable (moved, changed, unreadable). */
  load(photo: Photo, request: PictureRequest): Promise<PhotoPictures | { readonly missing: string }>;
}

/** A close-up of a damage with its region of the photo. */
export interface CloseUp {
  readonly picture: Picture;
  readonly region: Box;
}

export interface ReportPictures {
  /** Keyed by photo index. */
  readonly photos: ReadonlyMap<number, Picture>;
  /** Keyed by damage id, from the photo that shows the damage best. */
  readonly closeUps: ReadonlyMap<string, CloseUp>;
  /** Reasons for missing pictures, keyed by photo index. */
  readonly missing: ReadonlyMap<number, string>;
  /** Sentence on redacted regions; undefined without redaction. */
  readonly redaction?: string | undefined;
}

export const NO_PICTURES: ReportPictures = { photos: new Map(), closeUps: new Map(), missing: new Map() };

/** Chooses long sides in pixels by the numbers of photos and damages: 12 photos stay well below 5 MB, 50 remain usable. */
function chooseSides(photos: number, damages: number): { photo: number; crop: number } {
  return {
    photo: photos <= 12 ? 1280 : photos <= 24 ? 1000 : 800,
    crop: damages <= 40 ? 420 : 300,
  };
}

/** Loads a photo with the close-up of each wanted region; long sides are in pixels. */
export async function loadCloseUps<T extends { readonly region: Box }>(
  photo: Photo,
  wanted: readonly T[],
  source: PictureSource,
  sides: { readonly photo: number; readonly crop: number },
) {
  const crops = wanted.map(({ region }) => ({ region, maxSide: sides.crop }));
  const loaded = await source.load(photo, { maxSide: sides.photo, crops });
  if ('missing' in loaded) return loaded;
  const closeUps = wanted.flatMap((one, index) => {
    const picture = loaded.crops[index];
    return picture ? [{ ...one, closeUp: { picture, region: one.region } }] : [];
  });
  return { photo: loaded.photo, closeUps };
}

/** Returns the evidence that shows a damage best, which the inspection lists first. */
export function findMainEvidence(damage: Damage): Damage['evidence'][number] | undefined {
  return damage.evidence[0];
}

/** Loads the pictures of a report, a few photos in parallel. */
export async function gatherPictures(
  { inspection }: { readonly inspection: { readonly data: VisualInspection } | null },
  source: PictureSource,
): Promise<ReportPictures> {
  const data = inspection?.data;
  if (!data) return NO_PICTURES;
  const photos = new Map<number, Picture>();
  const closeUps = new Map<string, CloseUp>();
  const missing = new Map<number, string>();
  const damages = listFindings(data);
  const sides = chooseSides(data.images.length, damages.length);
  const queue = [...data.images];
  const loadNext = async () => {
    for (let photo = queue.shift(); photo; photo = queue.shift()) {
      const { index } = photo;
      const shown = damages.flatMap((damage) => {
        const seen = findMainEvidence(damage);
        if (seen?.image_index !== index) return [];
        return [{ id: damage.damage_id, region: closeUpRegion(seen.coordinates, photo) }];
      });
      const loaded = await loadCloseUps(photo, shown, source, sides);
      if ('missing' in loaded) {
        missing.set(index, loaded.missing);
        continue;
      }
      photos.set(index, loaded.photo);
      for (const { id, closeUp } of loaded.closeUps) closeUps.set(id, closeUp);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loadNext));
  return { photos, closeUps, missing, redaction: source.redaction };
}

/** Parallel decodes: libvips runs off the main thread, and two decodes use two cores with little memory. */
const CONCURRENCY = 2;
