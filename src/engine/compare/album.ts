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

/** The visit whose findings are searched for, and the one whose photos are searched. */
export interface VisitPair {
  readonly source: Visit;
  readonly target: Visit;
}

export interface ComparisonDeps {
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
  /** Returns why the photo could not be read; undefined if it was read or not needed. */
  findFault(photo: Photo): string | undefined;
  /** True if photos of the visit were needed and no file of them was found. */
  isWithoutFiles(visit: Visit): boolean;
}

/** Reason why a photo could not be read. */
interface PhotoFault {
  /** False if the file is missing or changed, true if it could not be decoded. */
  readonly isFound: boolean;
  readonly reason: string;
}

export function createAlbum(openDeps: () => Promise<ComparisonDeps>): Album {
  const opened = new Map<string, Promise<OpenedPhoto | null>>();
  const decoded = new Map<string, RgbImage>();
  const faults = new Map<string, PhotoFault>();

  async function decode(visit: Visit, photo: Photo): Promise<RgbImage | PhotoFault> {
    const source = (await visit.openPhoto?.(photo)) ?? null;
    if (source === null) return { isFound: false, reason: 'the file is missing or has changed' };
    const { reader } = await openDeps();
    const first = await reader.read(source);
    // The inspection decoded the same bytes, so a failure is transient (the time limit on a busy machine).
    const reading = first.ok ? first : await reader.read(source);
    return reading.ok ? reading.photo.raster : { isFound: true, reason: reading.rejection.found };
  }

  async function read(visit: Visit, photo: Photo): Promise<RgbImage | null> {
    const known = decoded.get(photo.sha256);
    if (known) return known;
    const raster = await decode(visit, photo);
    if ('reason' in raster) {
      faults.set(photo.sha256, raster);
      return null;
    }
    decoded.set(photo.sha256, raster);
    const [oldest] = decoded.keys();
    if (decoded.size > MAX_DECODED && oldest !== undefined) decoded.delete(oldest);
    return raster;
  }

  async function analyse(visit: Visit, photo: Photo): Promise<OpenedPhoto | null> {
    const raster = await read(visit, photo);
    if (raster === null) return null;
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
    findFault: (photo) => faults.get(photo.sha256)?.reason,
    isWithoutFiles({ inspection: { data } }) {
      const needed = data.images.filter(({ sha256 }) => opened.has(sha256));
      return needed.length > 0 && needed.every(({ sha256 }) => faults.get(sha256)?.isFound === false);
    },
  };
}
