import { isTypeAlias, TYPE_ALIASES } from '../../domain/aliases.ts';
import { DAMAGE_TYPES, type DamageType, SEVERITIES } from '../../domain/damage.ts';
import type { SeverityClaim } from '../../domain/judge/severity-floor.ts';
import { isPartName, PART_NAMES, type PartName } from '../../domain/parts.ts';
import { type FieldReader, found, isObject, type Json, meant } from '../../lib/fields.ts';

/** A damage of a request, checked; types are the contract's, an alias stands in `subtype`. */
export interface SubmittedDamage extends SeverityClaim {
  readonly id: string;
  readonly count?: number | undefined;
}

/** Damages of one assessment at most (contract decisions). */
export const MOST_DAMAGES = 100;
const DAMAGE = 'INVALID_DAMAGE_DATA';
const TYPE_WORDS = [...DAMAGE_TYPES, ...Object.keys(TYPE_ALIASES)];
const LENGTH = { min: 0, max: 1000 };

/** Reads `damages`; ids must differ. Faults go to `read`. */
export function readDamages(value: unknown, read: FieldReader): SubmittedDamage[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MOST_DAMAGES) {
    const is = Array.isArray(value) ? `has ${value.length} entries` : `is ${found(value)}`;
    read.fault(DAMAGE, 'damages', `damages ${is}; a list of 1 to ${MOST_DAMAGES} damages is needed.`);
    return [];
  }
  const seen = new Map<string, number>();
  return value.flatMap((entry: unknown, i) => {
    const at = `damages[${i}]`;
    if (!isObject(entry)) {
      read.fault(DAMAGE, at, `${at} is ${found(entry)}; an object is needed.`);
      return [];
    }
    const damage = damageOf(entry, at, read);
    if (damage === undefined) return [];
    const first = seen.get(damage.id);
    if (first !== undefined) {
      read.fault(
        DAMAGE,
        `${at}.damage_id`,
        `${at}.damage_id ${found(damage.id)} is also the id of damages[${first}]; ids must differ.`,
      );
    }
    seen.set(damage.id, first ?? i);
    return [damage];
  });
}

function damageOf(entry: Json, at: string, read: FieldReader): SubmittedDamage | undefined {
  const id = read.text(entry.damage_id, `${at}.damage_id`, DAMAGE, 128);
  if (entry.damage_id === undefined || entry.damage_id === null) {
    read.fault(DAMAGE, `${at}.damage_id`, `${at}.damage_id is missing.`);
  }
  const type = typeOf(entry.type, entry.subtype, at, read);
  const part = partOf(entry.location, at, read);
  const severity = read.oneOf(entry.severity, `${at}.severity`, DAMAGE, SEVERITIES);
  const severityScore = read.number(entry.severity_score, `${at}.severity_score`, DAMAGE, {
    min: 0,
    max: 10,
  });
  const count = read.number(entry.count, `${at}.count`, DAMAGE, { min: 1, max: 400, whole: true });
  const sizeCm = sizeOf(entry, at, read);
  if (id === undefined || type === undefined || part === undefined) return undefined;
  return { id, ...type, part, severity, severityScore, sizeCm, count };
}

/** Reads a damage type or an alias of one, which stands in `subtype`. */
export function typeOf(
  type: unknown,
  subtype: unknown,
  at: string,
  read: FieldReader,
): { type: DamageType; subtype: string | undefined } | undefined {
  const finer = read.text(subtype, `${at}.subtype`, DAMAGE, 64);
  const known = DAMAGE_TYPES.find((candidate) => candidate === type);
  if (known !== undefined) return { type: known, subtype: finer };
  if (typeof type === 'string' && isTypeAlias(type)) return { type: TYPE_ALIASES[type], subtype: type };
  const is = type === undefined ? 'is missing' : `is ${found(type)}, which is not known`;
  return read.fault(DAMAGE, `${at}.type`, `${at}.type ${is}.`, meant(type, TYPE_WORDS));
}

/** A part name, or the location object of an inspection, whose `part` counts. */
function partOf(location: unknown, at: string, read: FieldReader): PartName | undefined {
  const name = isObject(location) ? location.part : location;
  if (typeof name === 'string' && isPartName(name)) return name;
  const is = name === undefined ? 'is missing' : `is ${found(name)}, which is not a recognized part`;
  return read.fault(DAMAGE, `${at}.location`, `${at}.location ${is}.`, meant(name, PART_NAMES));
}

/** The longest measured extent, cm; else the length an inspection judged the severity by. */
function sizeOf(entry: Json, at: string, read: FieldReader): number | undefined {
  const measurements = read.object(entry.measurements, `${at}.measurements`, DAMAGE);
  const unit = measurements.unit;
  if (unit !== undefined && unit !== 'cm') {
    read.fault(DAMAGE, `${at}.measurements.unit`, `${at}.measurements.unit is ${found(unit)}; cm is needed.`);
  }
  const sizes = (['length', 'width', 'diameter'] as const).flatMap(
    (name) => read.number(measurements[name], `${at}.measurements.${name}`, DAMAGE, LENGTH) ?? [],
  );
  // Nothing is priced by the depth, but what cannot be one is a slip of the caller's.
  read.number(measurements.depth, `${at}.measurements.depth`, DAMAGE, LENGTH);
  if (sizes.length > 0) return Math.max(...sizes);
  const traces = Array.isArray(entry.explain) ? entry.explain : [];
  for (const trace of traces) {
    const inputs = isObject(trace) && isObject(trace.inputs) ? trace.inputs : {};
    const judged = inputs.long_side_cm;
    if (typeof judged === 'number' && judged >= 0 && judged <= LENGTH.max) return judged;
  }
  return undefined;
}
