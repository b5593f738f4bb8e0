import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Damage, Photo } from '../../contract/inspection.ts';
import { type InspectedResult, NO_PLACES, type PhotoPlaces, type Result } from '../../contract/result.ts';
import { closeUpRegion } from '../../domain/geometry.ts';
import { MAX_IMAGE_BYTES } from '../../domain/photo-limits.ts';
import type { Quad } from '../../domain/quad.ts';
import type { PhotoInput } from '../../engine/request.ts';
import { readFromEvidence } from '../../evidence/verify.ts';
import { createPhotoStudio, type OpenPhoto } from '../../images/draw/photo-studio.ts';
import { VehiError } from '../../lib/errors.ts';
import { summarizeNames } from '../../lib/format-count.ts';
import { hashBytes } from '../../lib/ids.ts';
import { compact, groupBy } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import {
  type CloseUp,
  gatherPictures,
  type PictureSource,
  type ReportPictures,
} from '../../report/pictures.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import type { Redaction } from './redaction.ts';

/** Returns the locations of a run's photos; relative addresses are below `cwd`. */
export function locatePhotos(photos: readonly PhotoInput[], cwd: string): PhotoPlaces {
  const paths = photos.flatMap(({ url, source }) => (source.kind === 'file' ? [[url, source.path]] : []));
  return { folders: [cwd], paths: Object.fromEntries(paths) };
}

/** Further processing of a photo while it is open; regions in pixels of the upright photo. */
export type WhileOpen = (photo: Photo, opened: OpenPhoto, hidden: readonly Quad[]) => Promise<void>;

/**
 * Creates a function that returns the pictures of a report, created on first use and shared by all outputs. Photos that
 * cannot be shown are listed on stderr.
 * @param photosFolder folder searched first, by file name
 * @param whileOpen called for each photo, so it is opened once for all uses
 */
export function makeReportPictures(
  source: Result,
  photosFolder: string | undefined,
  redaction: Redaction,
  ctx: CliContext,
  whileOpen?: WhileOpen,
): () => Promise<ReportPictures> {
  const gather = async (): Promise<ReportPictures> => {
    const files = makeFilePictures(source, photosFolder, redaction, whileOpen);
    try {
      const pictures = await gatherPictures(source, files);
      for (const [reason, missing] of groupBy([...pictures.missing], ([, reason]) => reason)) {
        const indexes = missing.map(([index]) => index);
        const photos = source.inspection?.data.images.filter(({ index }) => indexes.includes(index)) ?? [];
        const names = photos.map(({ url }) => escapeName(url));
        const are = names.length === 1 ? 'is' : 'are';
        const elsewhere = reason === NOT_FOUND ? ELSEWHERE : '';
        await writeStatus(ctx, `vehi: ${summarizeNames(names, 5)} ${are} not shown: ${reason}${elsewhere}`);
      }
      return pictures;
    } finally {
      await files.close();
    }
  };
  let pictures: Promise<ReportPictures> | undefined;
  return () => {
    pictures ??= gather();
    return pictures;
  };
}

/**
 * Reads pictures from the photo files of a result. Only a file with the inspected SHA-256 is used, because the boxes of
 * a report are valid for that photo only.
 * @param photosFolder folder searched first, by file name
 */
export function makeFilePictures(
  source: Result,
  photosFolder: string | undefined,
  redaction: Redaction,
  whileOpen?: WhileOpen,
): PictureSource & { close(): Promise<void> } {
  const studio = createPhotoStudio();
  return {
    get redaction() {
      return redaction.note(source);
    },
    async load(photo, wanted) {
      const found = await findPhoto(photo, source, photosFolder);
      if ('missing' in found) return found;
      try {
        const bytes = { kind: 'bytes', bytes: found.bytes, name: photo.url } as const;
        const opened = await studio.open(bytes, whileOpen !== undefined);
        const hidden = redaction.findRegions(photo, source);
        await whileOpen?.(photo, opened, hidden);
        return await opened.pictures({ ...wanted, hidden });
      } catch (error) {
        if (error instanceof VehiError) return { missing: error.message };
        throw error;
      }
    },
    /** Stops the HEIC worker, if one was started. */
    close: () => studio.close(),
  };
}

/** Loads the close-up of a damage from its first photo, at most `maxSide` pixels long; null if that is unavailable. */
export async function loadCloseUp(
  { evidence: [seen] }: Pick<Damage, 'evidence'>,
  { inspection }: InspectedResult,
  files: PictureSource,
  maxSide: number,
): Promise<CloseUp | null> {
  const photo = inspection.data.images.find(({ index }) => index === seen?.image_index);
  if (!seen || !photo) return null;
  const region = closeUpRegion(seen.coordinates, photo);
  const loaded = await files.load(photo, { maxSide, crops: [{ region, maxSide }] });
  const picture = 'missing' in loaded ? undefined : loaded.crops[0];
  return picture ? { picture, region } : null;
}

const NOT_FOUND = 'the file was not found where it was inspected.';
const ELSEWHERE = ' vehi report and review look elsewhere with --photos DIR, compare with --photos-after.';

/** Returns the bytes of the inspected photo, identified by SHA-256, or the reason they are unavailable. */
export async function findPhoto(
  photo: Photo,
  { photos: { folders, paths, evidence } = NO_PLACES }: Pick<Result, 'photos'>,
  photosFolder: string | undefined,
): Promise<{ bytes: Uint8Array } | { missing: string }> {
  if (/^https?:\/\//i.test(photo.url)) return { missing: 'it was fetched from an address and not stored.' };
  const packed =
    evidence &&
    (await readFromEvidence(
      evidence,
      ({ files }) => files.find(({ sha256 }) => sha256 === photo.sha256)?.name,
    ));
  if (packed) return { bytes: packed };
  const candidates = compact([
    photosFolder && resolve(photosFolder, basename(photo.url)),
    paths[photo.url],
    ...folders.map((folder) => resolve(folder, photo.url)),
  ]);
  let hasChanged = false;
  for (const path of new Set(candidates)) {
    const facts = await stat(path).catch(() => undefined);
    if (!facts?.isFile() || facts.size > MAX_IMAGE_BYTES) continue;
    const bytes = await readFile(path).catch(() => undefined);
    if (!bytes) continue;
    if (hashBytes(bytes) === photo.sha256) return { bytes };
    hasChanged = true;
  }
  return { missing: hasChanged ? 'the file has changed since the inspection.' : NOT_FOUND };
}
