import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Photo } from '../contract/inspection.ts';
import { VehiError } from '../domain/errors.ts';
import type { Box } from '../domain/geometry.ts';
import { createHeicDecoder } from '../images/heic-decoder.ts';
import { loadPhotoRules } from '../images/photo-rules.ts';
import { pictureSet } from '../images/picture-set.ts';
import { fileName } from '../report/figures.ts';
import type { PictureSource } from '../report/pictures.ts';
import type { ReportSource } from './report-source.ts';

/** Regions to blur, by the photo's address or file name; pixels of the upright photo. */
export type HiddenRegions = Readonly<Record<string, readonly Box[]>>;

export interface FilePictures extends PictureSource {
  /** Ends the HEIC worker, if one was started. */
  close(): Promise<void>;
}

/**
 * Pictures from the photo files of a result. A file counts only when its SHA-256 is the one that was inspected: a
 * report never shows another picture than the one its boxes were found in.
 * @param photosFolder folder to look in first, by file name
 */
export function filePictures(
  source: ReportSource,
  photosFolder: string | undefined,
  hidden: HiddenRegions = {},
): FilePictures {
  const rules = loadPhotoRules();
  const heic = createHeicDecoder(rules.decodeTimeoutSeconds);
  return {
    async load(photo, wanted) {
      const found = await findPhoto(photo, source, photosFolder, rules.maxBytes);
      if ('missing' in found) return found;
      const boxes = hidden[photo.url] ?? hidden[fileName(photo.url)];
      try {
        return await pictureSet(
          { kind: 'bytes', bytes: found.bytes, name: photo.url },
          { ...wanted, ...(boxes ? { hidden: boxes } : {}) },
          { rules, heic },
        );
      } catch (error) {
        if (error instanceof VehiError) return { missing: error.message };
        throw error;
      }
    },
    close: () => heic.close(),
  };
}

async function findPhoto(
  photo: Photo,
  source: ReportSource,
  photosFolder: string | undefined,
  maxBytes: number,
): Promise<{ bytes: Uint8Array } | { missing: string }> {
  if (/^https?:\/\//i.test(photo.url)) return { missing: 'it was fetched from an address and not kept.' };
  const known = source.photoPaths[photo.url];
  const places = [
    ...(photosFolder ? [resolve(photosFolder, basename(photo.url))] : []),
    ...(known ? [known] : []),
    ...source.folders.map((folder) => resolve(folder, photo.url)),
  ];
  let changed = false;
  for (const path of new Set(places)) {
    const facts = await stat(path).catch(() => undefined);
    if (!facts?.isFile() || facts.size > maxBytes) continue;
    const bytes = await readFile(path).catch(() => undefined);
    if (!bytes) continue;
    if (createHash('sha256').update(bytes).digest('hex') === photo.sha256) return { bytes };
    changed = true;
  }
  return {
    missing: changed
      ? 'the file has changed since the inspection.'
      : 'the file was not found where it was inspected.',
  };
}
