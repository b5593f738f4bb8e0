import type { Damage, Photo, VisualInspection } from '../contract/inspection.ts';
import { type Box, closeUpRegion } from '../domain/geometry.ts';
import { listFinds } from './input.ts';

/** A JPEG with its size in pixels. */
export interface Picture {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** What a report wants of one photo; regions are in pixels of the upright photo. */
export interface PictureRequest {
  /** Long side of the whole photo at most, pixels. */
  readonly maxSide: number;
  readonly crops: readonly { readonly region: Box; readonly maxSide: number }[];
}

interface PhotoPictures {
  readonly photo: Picture;
  /** One per requested crop, in order. */
  readonly crops: readonly Picture[];
}

/** Where a report gets its pictures from. They carry no EXIF data. */
export interface PictureSource {
  /** What was made unrecognisable in the pictures and what was not, a sentence for the reader of the report. */
  readonly redaction?: string | undefined;
  /** The pictures of one photo, or why they cannot be had (moved, changed since the inspection, unreadable). */
  load(photo: Photo, wanted: PictureRequest): Promise<PhotoPictures | { readonly missing: string }>;
}

/** A close-up of a damage: the picture and the region it shows. */
export interface CloseUp {
  readonly picture: Picture;
  readonly region: Box;
  readonly imageIndex: number;
}

/** All pictures of a report. */
export interface ReportPictures {
  /** By photo index. */
  readonly photos: ReadonlyMap<number, Picture>;
  /** By damage id, from the photo that shows it best. */
  readonly closeUps: ReadonlyMap<string, CloseUp>;
  /** Why a photo has no picture, by photo index. */
  readonly missing: ReadonlyMap<number, string>;
  /** What was made unrecognisable in the pictures, where something was looked for. */
  readonly redaction?: string | undefined;
}

export const NO_PICTURES: ReportPictures = { photos: new Map(), closeUps: new Map(), missing: new Map() };

/**
 * Pixels per long side by number of photos, so that a report of 12 photos stays well under 5 MB and one of 50 bearable.
 */
function chooseSides(photos: number, damages: number): { photo: number; crop: number } {
  return {
    photo: photos <= 12 ? 1280 : photos <= 24 ? 1000 : 800,
    crop: damages <= 40 ? 420 : 300,
  };
}

/** Returns the evidence that shows a damage best: the first, which is the one the inspection names. */
export function findMainEvidence(damage: Damage): Damage['evidence'][number] | undefined {
  return damage.evidence[0];
}

/** Loads every picture a report of this input needs, photo by photo, a few at a time. */
export async function gatherPictures(
  { inspection }: { readonly inspection: { readonly data: VisualInspection } | null },
  source: PictureSource,
): Promise<ReportPictures> {
  const data = inspection?.data;
  if (!data) return NO_PICTURES;
  const photos = new Map<number, Picture>();
  const closeUps = new Map<string, CloseUp>();
  const missing = new Map<number, string>();
  const damages = listFinds(data);
  const side = chooseSides(data.images.length, damages.length);
  const queue = [...data.images];
  const work = async () => {
    for (let photo = queue.shift(); photo; photo = queue.shift()) {
      const { index } = photo;
      const shown = damages.filter((damage) => findMainEvidence(damage)?.image_index === index);
      const regions = shown.map((damage) =>
        closeUpRegion(findMainEvidence(damage)?.coordinates ?? damage.location.coordinates, photo),
      );
      const loaded = await source.load(photo, {
        maxSide: side.photo,
        crops: regions.map((region) => ({ region, maxSide: side.crop })),
      });
      if ('missing' in loaded) {
        missing.set(index, loaded.missing);
        continue;
      }
      photos.set(index, loaded.photo);
      shown.forEach((damage, position) => {
        const picture = loaded.crops[position];
        const region = regions[position];
        if (picture && region) closeUps.set(damage.damage_id, { picture, region, imageIndex: index });
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { photos, closeUps, missing, redaction: source.redaction };
}

/** Decodes in flight: libvips works outside the main thread, two keep two cores busy without much memory. */
const AT_ONCE = 2;
