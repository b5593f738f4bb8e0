import { MAX_IMAGES, MIN_IMAGES } from '../../domain/photo-limits.ts';
import type { SchemaRules } from '../../lib/check.ts';
import { judgeWord } from '../../lib/judge-value.ts';
import type { Assessor } from '../ports.ts';

const REGION = 'options.labor_rate_region';
const CURRENCY = 'options.currency';

/** Returns the rules beyond the schema of a visual request: the operator's regions and currencies, and error codes. */
export function createVisualRules({ regions, currencies }: Assessor): SchemaRules {
  return {
    chooseCode,
    nullIsAbsent: true,
    judges: {
      [REGION]: (value) => judgeWord(value, regions),
      [CURRENCY]: (value) => judgeWord(value, currencies),
    },
  };
}

function chooseCode(field: string, value: unknown): string {
  if (field === REGION) return 'INVALID_REGION';
  if (field === CURRENCY) return 'INVALID_CURRENCY';
  const images = value === undefined ? [] : value;
  if (field === 'images' && Array.isArray(images)) {
    if (images.length < MIN_IMAGES) return 'INSUFFICIENT_IMAGES';
    if (images.length > MAX_IMAGES) return 'TOO_MANY_IMAGES';
  }
  return 'INVALID_REQUEST';
}
