import type { IdentityFacts } from './claim-file.ts';
import { checkVin } from './vin.ts';
import file from './wmi.json' with { type: 'json' };

const { rows, years } = file;

/**
 * Decodes the make from the manufacturer code (ISO 3780) and, for a car built for North America, the model year from
 * the tenth character, with the seventh selecting the 30-year cycle (49 CFR 565.15). Elsewhere manufacturers may use
 * these characters freely.
 * @param latestYear later model years are rejected
 */
export function decodeVin(vin: string, latestYear: number): Pick<IdentityFacts, 'make' | 'year'> {
  const make = rows.find(({ codes }) => codes.includes(vin.slice(0, 3)))?.make;
  const at = years.codes.indexOf(vin[9] as string);
  const cycle = /[A-Z]/.test(vin[6] as string) ? years.codes.length : 0;
  const year = years.first + cycle + at;
  const isEncoded = at >= 0 && year <= latestYear && /^[1-5]/.test(vin) && checkVin(vin) === 'right';
  return { ...(make === undefined ? {} : { make }), ...(isEncoded ? { year } : {}) };
}
