import file from './data/wmi.json' with { type: 'json' };
import { checkVin } from './vin.ts';

const { rows, years } = file;

/** What a VIN tells of its vehicle. */
export interface VinFacts {
  readonly make?: string;
  readonly year?: number;
}

/**
 * Returns the make by the maker's code (ISO 3780), and the model year of a car for North America: its tenth sign, with the
 * seventh for the cycle of 30 years (49 CFR 565.15). Elsewhere makers may write anything there.
 * @param latestYear a later model year is none
 */
export function decodeVin(vin: string, latestYear: number): VinFacts {
  const make = rows.find(({ codes }) => codes.includes(vin.slice(0, 3)))?.make;
  const at = years.codes.indexOf(vin[9] as string);
  const cycle = /[A-Z]/.test(vin[6] as string) ? years.codes.length : 0;
  const year = years.first + cycle + at;
  const isTold = at >= 0 && year <= latestYear && /^[1-5]/.test(vin) && checkVin(vin) === 'right';
  return { ...(make === undefined ? {} : { make }), ...(isTold ? { year } : {}) };
}
