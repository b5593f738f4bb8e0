import { judgeVin } from '../../contract/claim.ts';
import { isPartName, PART_NAMES } from '../../domain/parts.ts';
import type { SchemaRules } from '../../lib/check.ts';
import { describeFound, type FieldFault, isObject, makeFaultsError, suggestNames } from '../../lib/fields.ts';
import { type Complaint, judgeWord } from '../../lib/judge-value.ts';

export const REQUEST = 'INVALID_REQUEST';
export const DAMAGE = 'INVALID_DAMAGE_DATA';
const REGION = 'assessment_options.labor_rate_region';
const CURRENCIES = ['assessment_options.currency', 'vehicle.currency'];

function chooseCode(field: string): string {
  if (/^damages\b|^overrides\[\d+\]\.type$/.test(field)) return DAMAGE;
  if (field === REGION) return 'INVALID_REGION';
  return CURRENCIES.includes(field) ? 'INVALID_CURRENCY' : REQUEST;
}

/**
 * Creates the rules that the schema of a request cannot state: the operator's regions and currencies, and fields with
 * rules of their own.
 */
export function createRequestRules(regions: readonly string[], currencies: readonly string[]): SchemaRules {
  const judgeCurrency = (value: unknown) => judgeWord(value, currencies);
  return {
    chooseCode,
    nullIsAbsent: true,
    judges: {
      [REGION]: (value) => judgeWord(value, regions),
      ...Object.fromEntries(CURRENCIES.map((field) => [field, judgeCurrency])),
      'damages[].location': judgeLocation,
      'vehicle.vin': judgeVin,
      'supplement_to.version': judgeVersion,
      'supplement_to.history[].version': judgeVersion,
    },
  };
}

/** Checks a part name, or the location object of an inspection, of which `part` counts. */
function judgeLocation(location: unknown): Complaint | undefined {
  const name = isObject(location) ? location.part : location;
  if (typeof name === 'string' && isPartName(name)) return undefined;
  const says =
    name === undefined ? 'is missing.' : `is ${describeFound(name)}, which is not a recognized part.`;
  return { says, hint: suggestNames(name, PART_NAMES) };
}

function judgeVersion(version: unknown): Complaint | undefined {
  if (typeof version === 'string' && /^(E01|S\d{2})$/.test(version)) return undefined;
  return { says: `is ${describeFound(version)}; E01 or S01 to S98 is needed.` };
}

/** Returns where nothing is wrong. @throws VehiError with the first fault as code and field and all of them in details. */
export function refuseFaults(faults: readonly FieldFault[]): void {
  const error = makeFaultsError(faults);
  if (error) throw error;
}
