import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { VisualInspection } from '../../contract/inspection.ts';
import type { GatheredPhotos } from '../../images/find/gather-photos.ts';
import { VehiError } from '../../lib/errors.ts';
import { takeFreeName } from '../../lib/files.ts';
import { formatCount } from '../../lib/format-count.ts';
import { escapeName } from '../../lib/names.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';

/**
 * Refuses a target folder that is a file or not empty, so that no copy replaces anything.
 * @throws VehiError usage OUTPUT_OVERWRITES
 */
export async function refuseUsedFolder(folder: string | undefined, cwd: string): Promise<void> {
  if (folder === undefined) return;
  const names = await readdir(resolve(cwd, folder)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw makeFolderError(
      folder,
      cause.code === 'ENOTDIR' ? 'it is not a folder' : `it cannot be read (${cause.code})`,
    );
  });
  if (names.length > 0) throw makeFolderError(folder, 'it is not empty');
}

const makeFolderError = (folder: string, what: string) =>
  new VehiError('usage', 'OUTPUT_OVERWRITES', `--sort ${escapeName(folder)}: ${what}.`, {
    hint: 'Name a new or empty folder; the photos are copied into a sub-folder per vehicle.',
  });

/**
 * Copies the photos of an inspection into one subfolder per vehicle, starting with `vehicle-1`. The originals stay; a
 * photo whose name is taken gets a number. Unreadable photos belong to no vehicle and are not copied.
 * @throws VehiError usage OUTPUT_NOT_WRITABLE, input PHOTO_CHANGED if a photo is gone or changed
 */
export async function sortPhotos(
  { images, vehicle_groups: groups }: VisualInspection,
  { photos }: Pick<GatheredPhotos, 'photos'>,
  folder: string,
  ctx: CliContext,
): Promise<void> {
  const paths = new Map(photos.map(({ url, source }) => [url, source.path]));
  const vehicles = groups.length > 0 ? groups.map((one) => one.images) : [images.map(({ index }) => index)];
  const counts: string[] = [];
  for (const [at, indexes] of vehicles.entries()) {
    const name = `vehicle-${at + 1}`;
    const taken = new Set<string>();
    for (const index of indexes) {
      const path = paths.get(images.find((one) => one.index === index)?.url ?? '');
      if (path === undefined) continue;
      const bytes = await readFile(resolve(ctx.cwd, path)).catch(() => {
        throw new VehiError('input', 'PHOTO_CHANGED', `${escapeName(path)} cannot be read any more.`);
      });
      await writeFileWhole(join(folder, name, takeFreeName(basename(path), taken)), bytes, ctx.cwd);
    }
    counts.push(`${name} ${formatCount(taken.size, 'photo')}`);
  }
  await writeStatus(
    ctx,
    `vehi: copied into ${escapeName(folder)}: ${counts.join(', ')}. If a photo is in the wrong folder, move it; then: vehi inspect --many ${escapeName(folder)}`,
  );
}
