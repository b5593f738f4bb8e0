import { checkPhoto } from '../../images/read/checked-photo.ts';
import type { PhotoRules } from '../../images/read/photo-rules.ts';
import { RejectedPhoto } from '../../images/read/rejection.ts';
import type { PhotoChecker } from '../ports.ts';

/** Judges photos by their first bytes and header, by the rules and in the words of the reader that decodes them. */
export function createHeaderChecker(rules: PhotoRules): PhotoChecker {
  return {
    async check(bytes, name) {
      try {
        await checkPhoto({ kind: 'bytes', bytes, name }, rules);
        return undefined;
      } catch (error) {
        if (error instanceof RejectedPhoto) return error.rejection;
        throw error;
      }
    },
  };
}
