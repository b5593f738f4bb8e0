import { MAX_IMAGES, MIN_IMAGES } from '../../domain/photo-limits.ts';
import type { SchemaRules } from '../../lib/check.ts';
import { checkEnum } from '../../lib/check-value.ts';
import type { Programs } from '../programs.ts';

const REGION = 'options.labor_rate_region';
const CURRENCY = 'options.currency';

/** Returns the rules beyond the schema of a visual request: the operator's regions and currencies, and error codes. */
export function createVisualRules({ regions, currencies }: Programs['assessor']): SchemaRules {
  return {
    chooseCode,
    nullIsAbsent: true,
    validators: {
      [REGION]: (value) => checkEnum(value, regions),
      [CURRENCY]: (value) => checkEnum(value, currencies),
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
