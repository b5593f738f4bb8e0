import { makeRequestOfInspection, type RawRequest } from '../../engine/assess/of-inspection.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';

/** Adds ids to a list without them, as people write it; the service's requests always carry ids. */
function numberDamages(list: readonly unknown[], taken: readonly unknown[] = []): unknown[] {
  const turns = new Map<string, number>();
  const next = (part: string): string => {
    const turn = (turns.get(part) ?? 0) + 1;
    turns.set(part, turn);
    const id = `dmg_${part}_${String(turn).padStart(3, '0')}`;
    return taken.includes(id) ? next(part) : id;
  };
  return list.map((entry) => {
    if (!isObject(entry) || entry.damage_id !== undefined) return entry;
    const place = isObject(entry.location) ? entry.location.part : entry.location;
    return { damage_id: next(typeof place === 'string' ? place : 'part'), ...entry };
  });
}

/** Returns one request made of a list of damages, an assessment request, or an inspection (envelope or its data). */
export function readAssessmentRequest(document: unknown, taken: readonly unknown[] = []): RawRequest {
  if (Array.isArray(document)) return { damages: numberDamages(document, taken) };
  if (!isObject(document)) return { damages: document };
  if (isObject(document.data) && 'results' in document.data) return makeRequestOfInspection(document);
  if ('results' in document && !('damages' in document)) return makeRequestOfInspection({ data: document });
  return { ...document };
}

/** Parses `part:type[:severity[:cm]]` as a damage. @throws VehiError usage for another form. */
export function parseDamageFlag(value: string): RawRequest {
  const [location = '', type = '', severity, size, ...more] = value.split(':');
  const cm = size === undefined ? undefined : Number(size);
  if (location === '' || type === '' || more.length > 0 || (cm !== undefined && !(cm >= 0))) {
    throw new VehiError(
      'usage',
      'INVALID_REQUEST',
      `--damage ${value}: part:type[:severity[:cm]] is needed.`,
      { hint: 'For example --damage front_bumper:scratch:minor:12' },
    );
  }
  return {
    location,
    type,
    ...(severity ? { severity } : {}),
    ...(cm === undefined ? {} : { measurements: { length: cm, unit: 'cm' } }),
  };
}

/** Returns one request made of the damages given as flags, with ids that are not among those `taken`. */
export function makeRequestFromFlags(values: readonly string[], taken: readonly unknown[] = []): RawRequest {
  return { damages: numberDamages(values.map(parseDamageFlag), taken) };
}

/** Parses `15000`, `15000 EUR` or `15000EUR` as value (major units) and currency. @throws VehiError usage. */
export function parseMarketValueFlag(value: string): RawRequest {
  const match = /^\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]{3})?\s*$/.exec(value);
  if (match === null) {
    throw new VehiError('usage', 'INVALID_REQUEST', `--market-value ${value}: an amount is needed.`, {
      hint: 'For example --market-value 15000 or --market-value "15000 EUR"',
    });
  }
  return { market_value: Number(match[1]), ...(match[2] ? { currency: match[2].toUpperCase() } : {}) };
}
