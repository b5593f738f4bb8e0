import type { PhotoRejection } from '../../domain/photo.ts';
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

/** Thrown while a photo is checked or decoded; callers return its `rejection`. */
export class PhotoRejectedError extends Error {
  override readonly name = 'PhotoRejectedError';
  readonly rejection: PhotoRejection;

  constructor(...about: Parameters<typeof makeRejection>) {
    const rejection = makeRejection(...about);
    super(rejection.message);
    this.rejection = rejection;
  }
}
