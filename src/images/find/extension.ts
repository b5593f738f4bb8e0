import { extname } from 'node:path';
import type { PhotoFormat, PhotoIssue } from '../../domain/photo.ts';

const FORMAT_OF_EXTENSION: ReadonlyMap<string, PhotoFormat> = new Map<string, PhotoFormat>([
  ...['.jpg', '.jpeg', '.jpe', '.jfif', '.pjpeg', '.mpo'].map((extension) => [extension, 'jpeg'] as const),
  ['.png', 'png'],
  ...['.heic', '.heif', '.hif'].map((extension) => [extension, 'heic'] as const),
]);

/** Returns true for a photo's extension, in any case. */
export const hasPhotoExtension = (path: string): boolean =>
  FORMAT_OF_EXTENSION.has(extname(path).toLowerCase());

const EXTENSION_INSIDE = new RegExp(
  `(${[...FORMAT_OF_EXTENSION.keys()].join('|').replaceAll('.', '\\.')})(?![a-z0-9])`,
  'i',
);

/** Files in which programs keep what they know of the photo of that name: `a.jpg.xmp`, `a.jpg.json` of an export. */
const SIDECAR = /\.(aae|dop|json|pp3|txt|xml|xmp)$/i;

/** Returns true for names of copies of a photo, such as `IMG_1.JPG (1)`, `a.jpeg?dl=1` and `a.jpg_large`. */
export const isNamedAfterPhoto = (name: string): boolean =>
  EXTENSION_INSIDE.test(name) && !SIDECAR.test(name);

/** Warns if the extension contradicts the content; names without an extension are accepted. */
export function checkExtension(name: string, format: PhotoFormat): readonly PhotoIssue[] {
  const extension = extname(name).toLowerCase();
  if (!/^\.[a-z][a-z0-9]{0,4}$/.test(extension)) return [];
  if (FORMAT_OF_EXTENSION.get(extension) === format) return [];
  const message = `the name ends in ${extension} but the content is ${format.toUpperCase()}; read by its content`;
  return [{ code: 'wrong_extension', value: 1, limit: 0, message }];
}
