import { need, type Violation } from '../../lib/check-value.ts';
import { formatCount } from '../../lib/format-count.ts';

/** Result of checking a VIN's ninth character against the others. */
export type VinCheck = 'right' | 'wrong' | 'none';

export const VIN_LENGTH = 17;
/** Characters of a VIN (ISO 3779): digits and capitals without I, O and Q. */
const VIN_CHARACTERS = '0-9A-HJ-NPR-Z';
export const VIN_PATTERN = `^[${VIN_CHARACTERS}]{${VIN_LENGTH}}$`;
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2] as const;
/** Values of the letters A to Z (49 CFR 565.15, table III); I, O and Q do not occur in a VIN. */
const LETTER_VALUES = '12345678.12345.7.923456789';

/** Validates a VIN (capitals, without blanks); a schema would report its pattern instead of the invalid character. */
export function validateVin(vin: unknown): Violation | undefined {
  if (typeof vin !== 'string') return need(vin, `text of ${VIN_LENGTH} characters`);
  const { length } = [...vin];
  if (length !== VIN_LENGTH)
    return { problem: `has ${formatCount(length, 'character')}; a VIN has ${VIN_LENGTH}.` };
  const [invalid] = new RegExp(`[^${VIN_CHARACTERS}]`, 'u').exec(vin) ?? [];
  if (invalid === undefined) return undefined;
  return { problem: `has "${invalid}", which is in no VIN (digits and letters without I, O and Q).` };
}

/**
 * Verifies the check digit of a VIN (49 CFR 565.15), required for vehicles of North America and China; elsewhere the
 * character is often arbitrary. Returns `none` if the ninth character cannot be a check digit.
 * @param vin a VIN of valid format
 */
export function checkVin(vin: string): VinCheck {
  const digit = vin[8] ?? '';
  if (!/[0-9X]/.test(digit)) return 'none';
  const sum = WEIGHTS.reduce<number>((total, weight, i) => total + weight * readValue(vin[i] ?? '0'), 0);
  const remainder = sum % 11;
  return digit === (remainder === 10 ? 'X' : String(remainder)) ? 'right' : 'wrong';
}

function readValue(character: string): number {
  const letter = character.charCodeAt(0) - 65;
  return letter < 0 ? Number(character) : Number(LETTER_VALUES[letter]);
}
