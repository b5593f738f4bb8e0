import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CliContext } from '../../src/cli/terminal/context.ts';
import { VehiError } from '../../src/lib/errors.ts';
import { type CocoImage, parseCoco } from './coco.ts';

/** Flags that select the annotated images. */
interface AnnotatedFlags {
  readonly annotations: string;
  readonly only?: string;
  readonly limit?: number;
}

const MAX_ANNOTATION_BYTES = 512 * 1024 * 1024;

/**
 * Reads the annotated images selected by --only and --limit.
 * @throws VehiError input if the file is unreadable or invalid, or no image is selected
 */
export async function readImages(flags: AnnotatedFlags, ctx: CliContext): Promise<CocoImage[]> {
  const all = parseCoco(await readInputText(resolve(ctx.cwd, flags.annotations)), flags.annotations);
  const names = flags.only && new Set((await readInputText(resolve(ctx.cwd, flags.only))).split(/\r?\n/));
  const images = names ? all.filter(({ file }) => names.has(file)) : all;
  if (images.length === 0) {
    throw new VehiError(
      'input',
      'NO_PHOTOS',
      `${flags.annotations} has none of the images named in ${flags.only}`,
      { hint: 'The names must be spelt as in file_name.' },
    );
  }
  const { limit = images.length } = flags;
  const count = Math.min(limit, images.length);
  return Array.from(
    { length: count },
    (_, i) => images[Math.floor((i * images.length) / count)] as CocoImage,
  );
}

/** Reads an annotation or label file as text. @throws VehiError input if it is unreadable */
export async function readInputText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MAX_ANNOTATION_BYTES)
      throw new Error(`it has ${bytes.length} bytes, at most ${MAX_ANNOTATION_BYTES} are read`);
    return bytes.toString('utf8');
  } catch (cause) {
    throw new VehiError(
      'input',
      'ANNOTATIONS_UNREADABLE',
      `${path} cannot be read: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Lists the photo paths in a folder by name. @throws VehiError input if the folder is missing or has no photos */
export async function listPhotoFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((cause: Error) => {
    throw new VehiError('input', 'FOLDER_UNREADABLE', `${dir} cannot be read: ${cause.message}`, { cause });
  });
  const photos = names.filter((name) => /\.(jpe?g|png|webp|avif|tiff?)$/i.test(name)).sort();
  if (photos.length === 0) throw new VehiError('input', 'NO_PHOTOS', `${dir} holds no photos.`);
  return photos.map((name) => join(dir, name));
}
