import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { InspectedResult } from '../../contract/result.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { takeFreeName } from '../../lib/files.ts';
import { formatCount } from '../../lib/format-count.ts';
import { escapeName } from '../../lib/names.ts';
import { findPhoto } from '../outputs/report-pictures.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';
import { quoteCommandLine } from '../terminal/shell-words.ts';

/** Refuses a folder that is a file or not empty, so that no copy replaces anything. @throws VehiError usage */
export async function refuseUsedFolder(folder: string | undefined, cwd: string): Promise<void> {
  if (folder === undefined) return;
  const names = await readdir(resolve(cwd, folder)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    const reason = `it cannot be read (${toReason(cause)})`;
    throw makeFolderError(folder, cause.code === 'ENOTDIR' ? 'it is not a folder' : reason);
  });
  if (names.length > 0) throw makeFolderError(folder, 'it is not empty');
}

const makeFolderError = (folder: string, what: string) =>
  new VehiError('usage', 'OUTPUT_OVERWRITES', `--sort ${escapeName(folder)}: ${what}.`, {
    hint: 'Name a new or empty folder; the photos are copied into a subfolder per vehicle.',
  });

/**
 * Copies the photos of an inspection into one subfolder per vehicle, starting with `vehicle-1`. The originals stay; a
 * photo whose name is taken gets a number. Unreadable photos belong to no vehicle and are not copied.
 * @throws VehiError usage OUTPUT_NOT_WRITABLE, input PHOTO_CHANGED if a photo is gone or changed
 */
export async function sortPhotos(result: InspectedResult, folder: string, ctx: CliContext): Promise<void> {
  const { images, vehicle_groups: groups } = result.inspection.data;
  const vehicles = groups.length > 0 ? groups.map((one) => one.images) : [images.map(({ index }) => index)];
  const counts: string[] = [];
  for (const [at, indexes] of vehicles.entries()) {
    const name = `vehicle-${at + 1}`;
    const taken = new Set<string>();
    for (const photo of images.filter(({ index }) => indexes.includes(index))) {
      const found = await findPhoto(photo, result, undefined);
      if ('missing' in found)
        throw new VehiError('input', 'PHOTO_CHANGED', `--sort: ${escapeName(photo.url)}: ${found.missing}`);
      const copy = join(folder, name, takeFreeName(basename(photo.url), taken));
      await writeFileWhole(copy, found.bytes, ctx.cwd);
    }
    counts.push(`${name} ${formatCount(taken.size, 'photo')}`);
  }
  await writeStatus(
    ctx,
    `vehi: copied into ${escapeName(folder)}: ${counts.join(', ')}. If a photo is in the wrong folder, move it; then: ${quoteCommandLine(['vehi', 'inspect', '--many', folder])}`,
  );
}
