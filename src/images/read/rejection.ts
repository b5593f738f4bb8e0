import type { PhotoFormat, PhotoRejection } from '../../domain/photo.ts';
import { VehiError } from '../../lib/errors.ts';
import { findMissingPart } from '../../lib/missing-packages.ts';
import { escapeName } from '../../lib/names.ts';

/** Codes of unusable photos (contract decisions, "other codes"). */
type RejectionCode =
  | 'IMAGE_QUALITY_TOO_LOW'
  | 'IMAGE_TOO_LARGE'
  | 'UNSUPPORTED_IMAGE_FORMAT'
  | 'IMAGE_UNREADABLE'
  | 'NO_PHOTOS_FOUND';

/** Creates a rejection whose message names the photo, what was found and what is needed. */
export function makeRejection(
  name: string,
  code: RejectionCode,
  found: string,
  needed: string,
): PhotoRejection {
  return { code, found, needed, message: `${escapeName(name)}: found ${found}; needed: ${needed}` };
}

/** Thrown while a photo is checked or decoded; the reader returns its `rejection`. */
export class PhotoRejectedError extends VehiError {
  readonly rejection: PhotoRejection;

  constructor(name: string, code: RejectionCode, found: string, needed: string, cause?: unknown) {
    const rejection = makeRejection(name, code, found, needed);
    super('input', code, rejection.message, { details: { found, needed }, cause });
    this.rejection = rejection;
  }
}

export const WHOLE_PHOTO = 'an undamaged photo (export or copy it again)';

/** Creates the rejection of a photo that lacks a share of its picture, 0 to 1. */
export function makeIncompleteError(
  { name, format }: { readonly name: string; readonly format: PhotoFormat },
  share: number,
): PhotoRejectedError {
  const percent = Math.max(1, Math.round(share * 100));
  const found = `a damaged ${format.toUpperCase()} file: about ${percent} % of its picture is missing`;
  return new PhotoRejectedError(name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO);
}

/**
 * Creates the rejection of a photo that failed to decode. Omits the message of libvips, which comes from a buffer
 * shared by the process and may belong to another photo or be gone; the error is its `cause`.
 * @throws VehiError engine if the decoder is not installed; any error that is not of libvips, unchanged
 */
export function makeDamagedError(name: string, format: PhotoFormat, error: unknown): PhotoRejectedError {
  if (error instanceof PhotoRejectedError) return error;
  const missing = findMissingPart(error);
  if (missing) throw missing;
  if (error instanceof Error && !isOfLibvips(error)) throw error;
  const file = format.toUpperCase();
  const found = isTimeout(error)
    ? `a ${file} file that takes too long to decode`
    : `a damaged or cut-off ${file} file`;
  return new PhotoRejectedError(name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO, error);
}

/** Returns false for errors of JavaScript and Node, and for parameters that sharp refuses: they are faults of the caller. */
const isOfLibvips = (error: Error) =>
  error.name === 'Error' && !('code' in error) && !error.message.startsWith('Expected ');

/** Returns true if sharp hit its time limit; false if another photo's completion cleared the shared message buffer. */
const isTimeout = (error: unknown): boolean => error instanceof Error && /^timeout: /m.test(error.message);
