import { extname } from 'node:path';
import type { PhotoFormat, PhotoIssue } from '../../domain/photo.ts';
import { escapeName } from '../../lib/names.ts';

const FORMAT_OF_EXTENSION: Readonly<Record<string, PhotoFormat>> = {
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.jpe': 'jpeg',
  '.jfif': 'jpeg',
  '.pjpeg': 'jpeg',
  '.mpo': 'jpeg',
  '.png': 'png',
  '.heic': 'heic',
  '.heif': 'heic',
  '.hif': 'heic',
};

/** Returns true for a photo's extension, in any case. */
export function hasPhotoExtension(path: string): boolean {
  return Object.hasOwn(FORMAT_OF_EXTENSION, extname(path).toLowerCase());
}

const EXTENSION_INSIDE = new RegExp(
  `(${Object.keys(FORMAT_OF_EXTENSION).join('|').replaceAll('.', '\\.')})(?![a-z0-9])`,
  'i',
);

/** Files in which programs keep what they know of the photo of that name: `a.jpg.xmp`, `a.jpg.json` of an export. */
const SIDECAR = /\.(aae|dop|json|pp3|txt|xml|xmp)$/i;

/** Returns true for names of copies of a photo, such as `IMG_1.JPG (1)`, `a.jpeg?dl=1` and `a.jpg_large`. */
export function isNamedAfterPhoto(name: string): boolean {
  return EXTENSION_INSIDE.test(name) && !SIDECAR.test(name);
}

/** Warns if the extension contradicts the content; names without an extension are accepted. */
export function checkExtension(name: string, format: PhotoFormat): readonly PhotoIssue[] {
  const extension = extname(name).toLowerCase();
  if (!/^\.[a-z][a-z0-9]{0,4}$/.test(extension)) return [];
  const expected = Object.hasOwn(FORMAT_OF_EXTENSION, extension) ? FORMAT_OF_EXTENSION[extension] : undefined;
  if (expected === format) return [];
  const message = `the name ends in ${escapeName(extension)} but the content is ${format.toUpperCase()}; read by its content`;
  return [{ code: 'wrong_extension', value: 1, limit: 0, message }];
}
