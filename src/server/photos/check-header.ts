import type { PhotoRejection } from '../../domain/photo.ts';
import { sniffFormat } from '../../images/format.ts';
import { mismatch, readHeader } from '../../images/header.ts';
import type { PhotoRules } from '../../images/photo-rules.ts';
import { type RejectionCode, rejection } from '../../images/rejection.ts';
import type { PhotoChecker } from '../ports.ts';

/** Judges photos by their first bytes and header, with the rules that the engine reads them by. */
export function createHeaderChecker(rules: PhotoRules): PhotoChecker {
  const formats = 'a JPEG, PNG or HEIC photo';
  return {
    async check(bytes, name): Promise<PhotoRejection | undefined> {
      const no = (code: RejectionCode, found: string, needed: string) => rejection(name, code, found, needed);
      if (bytes.byteLength === 0) return no('IMAGE_UNREADABLE', 'an empty file (0 bytes)', 'a whole photo');
      const sniffed = sniffFormat(bytes);
      if (sniffed.kind !== 'photo') {
        return no(
          'UNSUPPORTED_IMAGE_FORMAT',
          sniffed.kind === 'other' ? sniffed.name : 'a file that is not an image',
          formats,
        );
      }
      const header = await readHeader(bytes).catch(() => undefined);
      if (!header)
        return no('IMAGE_UNREADABLE', `a damaged ${sniffed.format.toUpperCase()} file`, 'a whole photo');
      const other = mismatch(header, sniffed.format);
      if (other !== undefined) return no('UNSUPPORTED_IMAGE_FORMAT', other, formats);
      const { width, height } = header.size;
      if (width * height > rules.maxPixels || Math.max(width, height) > rules.maxSide) {
        return no(
          'IMAGE_TOO_LARGE',
          `${width}x${height} pixels`,
          `at most ${rules.maxPixels / 1e6} million pixels`,
        );
      }
      if (Math.max(width, height) < rules.minLongSide || Math.min(width, height) < rules.minShortSide) {
        return no(
          'IMAGE_QUALITY_TOO_LOW',
          `${width}x${height}`,
          `${rules.minLongSide}x${rules.minShortSide}`,
        );
      }
      return undefined;
    },
  };
}
