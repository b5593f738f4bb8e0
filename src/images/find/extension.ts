import { extname } from 'node:path';
import type { PhotoFormat, PhotoIssue } from '../../domain/photo.ts';
import { escapeName } from '../../lib/display-name.ts';

const FORMAT_OF_EXTENSION: Readonly<Record<string, PhotoFormat>> = {
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.jpe': 'jpeg',
  '.jfif': 'jpeg',
  '.png': 'png',
  '.heic': 'heic',
  '.heif': 'heic',
  '.hif': 'heic',
};

/** Returns whether a path has the extension of a photo, in any case. */
export function hasPhotoExtension(path: string): boolean {
  return Object.hasOwn(FORMAT_OF_EXTENSION, extname(path).toLowerCase());
}

/** Returns a warning when a name ends in an extension other than what the content is; names without one say nothing. */
export function checkExtension(name: string, format: PhotoFormat): readonly PhotoIssue[] {
  const extension = extname(name).toLowerCase();
  if (!/^\.[a-z0-9]{1,5}$/.test(extension)) return [];
  const promised = Object.hasOwn(FORMAT_OF_EXTENSION, extension) ? FORMAT_OF_EXTENSION[extension] : undefined;
  if (promised === format) return [];
  const message = `the name ends in ${escapeName(extension)} but the content is ${format.toUpperCase()}; read by its content`;
  return [{ code: 'wrong_extension', value: 1, limit: 0, message }];
}
