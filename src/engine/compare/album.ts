import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { Box, Size } from '../../domain/geometry.ts';
import { type GreyImage, type RgbImage, toGrey } from '../../domain/photo.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { KeyPoints } from '../../domain/sight/place/keypoints.ts';
import type { PhotoReader, Vision } from '../ports.ts';
import type { PhotoSource } from '../request.ts';

/** One of two inspections to compare; without photos, only its JSON is compared. */
export interface Visit {
  readonly inspection: InspectionEnvelope;
  /** Opens the photo as inspected (verified by SHA-256), or returns null if it is no longer available. */
  readonly openPhoto?: (photo: Photo) => Promise<PhotoSource | null>;
}

export interface LookAgainDeps {
  readonly reader: PhotoReader;
  readonly vision: Pick<Vision, 'findParts' | 'findPoints' | 'classifyAt'>;
}

/** A decoded photo with the greyscale raster, keypoints and parts used for matching; coordinates in raster pixels. */
export interface OpenedPhoto {
  readonly photo: Photo;
  readonly grey: GreyImage;
  readonly points: KeyPoints;
  readonly parts: PartMap;
  /** Raster size divided by original size. */
  readonly scale: Size;
}

/** Maximum decoded photos kept in memory, 5 MB each, so the final classification rarely decodes again. */
const MAX_DECODED = 20;

/** The photos of two visits, each opened once on demand. */
export interface Album {
  /** Returns null if the photo is unavailable or unreadable. */
  open(visit: Visit, photo: Photo): Promise<OpenedPhoto | null>;
  /** Returns only the raster; null if the photo is unavailable or unreadable. */
  read(visit: Visit, photo: Photo): Promise<RgbImage | null>;
  /** Returns the classifier's confidence for each box, or null if the photo cannot be read. */
  classify(visit: Visit, photo: Photo, boxes: readonly Box[]): Promise<readonly number[] | null>;
  /** True if the photo could not be opened. */
  isMissing(photo: Photo): boolean;
}

export function createAlbum(openDeps: () => Promise<LookAgainDeps>): Album {
  const opened = new Map<string, Promise<OpenedPhoto | null>>();
  const decoded = new Map<string, RgbImage>();
  const missing = new Set<string>();

  async function read(visit: Visit, photo: Photo): Promise<RgbImage | null> {
    const kept = decoded.get(photo.sha256);
    if (kept) return kept;
    const source = (await visit.openPhoto?.(photo)) ?? null;
    const reading = source && (await (await openDeps()).reader.read(source));
    if (!reading?.ok) return null;
    const { raster } = reading.photo;
    decoded.set(photo.sha256, raster);
    const [oldest] = decoded.keys();
    if (decoded.size > MAX_DECODED && oldest !== undefined) decoded.delete(oldest);
    return raster;
  }

  async function analyse(visit: Visit, photo: Photo): Promise<OpenedPhoto | null> {
    const raster = await read(visit, photo);
    if (raster === null) {
      missing.add(photo.sha256);
      return null;
    }
    const { vision } = await openDeps();
    const parts = await vision.findParts({ raster, size: photo });
    const grey = toGrey(raster);
    const points = await vision.findPoints(grey, parts);
    const scale = { width: raster.width / photo.width, height: raster.height / photo.height };
    return { photo, grey, points, parts, scale };
  }

  return {
    open(visit, photo) {
      const known = opened.get(photo.sha256) ?? analyse(visit, photo);
      opened.set(photo.sha256, known);
      return known;
    },
    read,
    async classify(visit, photo, boxes) {
      const raster = await read(visit, photo);
      return raster && (await openDeps()).vision.classifyAt({ raster, size: photo }, boxes);
    },
    isMissing: (photo) => missing.has(photo.sha256),
  };
}
