import type { RawRequest } from '../../engine/assess/of-inspection.ts';
import { isObject } from '../../lib/fields.ts';

/** Returns the assessment options of a request: empty if absent, null if they are no object. */
export function readAssessmentOptions({ assessment_options: options = {} }: RawRequest): RawRequest | null {
  return isObject(options) ? options : null;
}
