import { makeFindingId } from '../../domain/damage.ts';
import { makeRequestFromInspection, type RawRequest } from '../../engine/assess/request-from-inspection.ts';
import { makeUsageError } from '../../lib/errors.ts';
import { isObject, type JsonObject } from '../../lib/fields.ts';
import { parseDecimal } from '../../lib/numbers.ts';

export const REQUEST_HINT =
  'A list of damages, an assessment request, or the output of vehi inspect --json is needed.';

/** Adds missing damage ids, which a handwritten list may omit but a service request always contains. */
function numberDamages(list: readonly unknown[]): unknown[] {
  const given = new Set(list.map((entry) => isObject(entry) && entry.damage_id));
  const countByPart = new Map<string, number>();
  const makeNextId = (part: string): string => {
    const count = (countByPart.get(part) ?? 0) + 1;
    countByPart.set(part, count);
    const id = makeFindingId('dmg', part, count);
    return given.has(id) ? makeNextId(part) : id;
  };
  return list.map((entry) => {
    if (!isObject(entry) || entry.damage_id !== undefined) return entry;
    const place = isObject(entry.location) ? entry.location.part : entry.location;
    return { damage_id: makeNextId(typeof place === 'string' ? place : 'part'), ...entry };
  });
}

export const isEstimate = (document: unknown): document is JsonObject =>
  isObject(document) && isObject(document.data) && 'assessed_damages' in document.data;

/** Converts a list of damages, an assessment request, or an inspection (envelope or its data) to a request. */
export function readAssessmentRequest(document: unknown): RawRequest {
  if (Array.isArray(document)) return { damages: numberDamages(document) };
  if (!isObject(document)) return { damages: document };
  if (isObject(document.data) && 'results' in document.data) return makeRequestFromInspection(document);
  if ('results' in document && !('damages' in document)) return makeRequestFromInspection({ data: document });
  return Array.isArray(document.damages)
    ? { ...document, damages: numberDamages(document.damages) }
    : { ...document };
}

/** Parses `part:type[:severity[:cm]]` as a damage. @throws VehiError usage for any other syntax */
export function parseDamageFlag(value: string): RawRequest {
  const [location = '', type = '', severity, size, ...extra] = value.split(':');
  const lengthCm = size ? parseDecimal(size) : undefined;
  if (location === '' || type === '' || extra.length > 0 || (lengthCm !== undefined && !(lengthCm >= 0))) {
    const message = `--damage ${value}: part:type[:severity[:cm]] is needed.`;
    throw makeUsageError(message, 'For example --damage front_bumper:scratch:minor:12');
  }
  return {
    location,
    type,
    ...(severity ? { severity } : {}),
    ...(lengthCm === undefined ? {} : { measurements: { length: lengthCm, unit: 'cm' } }),
  };
}

export const makeRequestFromFlags = (values: readonly string[]): RawRequest => ({
  damages: numberDamages(values.map(parseDamageFlag)),
});

/** Parses `15000`, `15000 EUR` or `15000EUR` as amount (major units) and currency. @throws VehiError usage */
export function parseMarketValueFlag(value: string): RawRequest {
  // Three decimals would be a separator of thousands.
  const match = /^\s*([0-9]+(?:\.[0-9]{1,2})?)\s*([A-Za-z]{3})?\s*$/.exec(value);
  if (match === null || Number(match[1]) === 0)
    throw makeUsageError(
      `--market-value ${value}: an amount above 0 is needed.`,
      'For example --market-value 15000 or --market-value "15000 EUR"',
    );
  return { market_value: Number(match[1]), ...(match[2] ? { currency: match[2].toUpperCase() } : {}) };
}
