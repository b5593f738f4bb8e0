import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { KeyPoints } from '../../domain/compare/keypoints.ts';
import { type Match, matchKeyPoints, swapMatches } from '../../domain/compare/registration.ts';
import type { Box, Size } from '../../domain/geometry.ts';
import { type GrayImage, type RgbImage, toGray } from '../../domain/photo.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { ComparisonDeps } from '../ports.ts';
import type { PhotoSource } from '../request.ts';

/** One of two inspections to compare; without photos, only its JSON is compared. */
export interface Visit {
  readonly inspection: InspectionEnvelope;
  /** Opens the photo as inspected (verified by SHA-256), or returns null if it is no longer available. */
  readonly openPhoto?: (photo: Photo) => Promise<PhotoSource | null>;
}

/** A box in a photo; pixels of the upright photo. */
export interface PhotoBox {
  readonly photo: Photo;
  readonly box: Box;
}

/** A decoded photo with the grayscale raster, keypoints and parts used for matching; coordinates in raster pixels. */
export interface OpenedPhoto {
  readonly photo: Photo;
  readonly gray: GrayImage;
  readonly points: KeyPoints;
  readonly parts: PartMap;
  /** Raster size divided by original size. */
  readonly scale: Size;
}

/** Maximum decoded photos kept in memory, 5 MB each, so the final classification rarely decodes again. */
const MAX_DECODED = 20;

/** Reason why a photo could not be read. */
interface PhotoFault {
  /** False if the file is missing or changed, true if it could not be decoded. */
  readonly isFound: boolean;
  readonly reason: string;
}

/** Opens the photos of two visits on demand, and keeps what was found in each; only the last pixels are kept. */
export function createAlbum(openDeps: () => Promise<ComparisonDeps>) {
  const opened = new Map<string, Promise<OpenedPhoto | null>>();
  const decoded = new Map<string, RgbImage>();
  const faults = new Map<string, PhotoFault>();
  const matchesByPair = new Map<string, readonly Match[]>();

  async function decode(visit: Visit, photo: Photo): Promise<RgbImage | PhotoFault> {
    const source = (await visit.openPhoto?.(photo)) ?? null;
    if (source === null) return { isFound: false, reason: 'the file is missing or has changed' };
    const { reader } = await openDeps();
    const first = await reader.read(source);
    // The inspection decoded the same bytes, so a failure is transient (for example the time limit on a busy machine).
    const reading = first.ok ? first : await reader.read(source);
    return reading.ok ? reading.photo.raster : { isFound: true, reason: reading.rejection.found };
  }

  /** Returns only the raster; null if the photo is unavailable or unreadable. */
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

  async function analyze(visit: Visit, photo: Photo): Promise<OpenedPhoto | null> {
    const raster = await read(visit, photo);
    if (raster === null) return null;
    const { vision } = await openDeps();
    const parts = await vision.findParts({ raster, size: photo });
    const gray = toGray(raster);
    const points = await vision.findPoints(gray, parts);
    const scale = { width: raster.width / photo.width, height: raster.height / photo.height };
    return { photo, gray, points, parts, scale };
  }

  return {
    /** Returns null if the photo is unavailable or unreadable. */
    open(visit: Visit, photo: Photo): Promise<OpenedPhoto | null> {
      const known = opened.get(photo.sha256) ?? analyze(visit, photo);
      opened.set(photo.sha256, known);
      return known;
    },
    read,
    /** Matches the keypoints of two photos. */
    match(source: OpenedPhoto, target: OpenedPhoto): readonly Match[] {
      // Matches each pair in one fixed direction, so comparing either way gives the same result.
      const isForward = source.photo.sha256 < target.photo.sha256;
      const [first, second] = isForward ? [source, target] : [target, source];
      const key = `${first.photo.sha256} ${second.photo.sha256}`;
      const matches = matchesByPair.get(key) ?? matchKeyPoints(first.points, second.points);
      matchesByPair.set(key, matches);
      return isForward ? matches : swapMatches(matches);
    },
    /** Returns the minimum confidences of the models that look at the photos. */
    readLimits: async () => (await openDeps()).vision.limits,
    /** Returns the classifier's damage probability of a crop; null without a classifier or if the photo is unreadable. */
    async classify(visit: Visit, { photo, box }: PhotoBox): Promise<number | null> {
      const raster = await read(visit, photo);
      if (raster === null) return null;
      const { vision } = await openDeps();
      return (await vision.classifyAt({ raster, size: photo }, [box]))?.[0] ?? null;
    },
    /** Returns why the photo could not be read; undefined if it was read or not needed. */
    findFault: (photo: Photo) => faults.get(photo.sha256)?.reason,
    /** Returns true if photos of the visit were needed but none of their files was found. */
    isWithoutFiles({ inspection: { data } }: Visit): boolean {
      const needed = data.images.filter(({ sha256 }) => opened.has(sha256));
      return needed.length > 0 && needed.every(({ sha256 }) => faults.get(sha256)?.isFound === false);
    },
  };
}

export type Album = Readonly<ReturnType<typeof createAlbum>>;
