import type { Override } from '../../contract/assessment/request.ts';
import { type DamageType, SEVERITIES } from '../../domain/damage.ts';
import { type FieldReader, found, isObject, meant } from '../../lib/fields.ts';
import { MOST_DAMAGES, type SubmittedDamage, typeOf } from './damage-request.ts';

const REQUEST = 'INVALID_REQUEST';

/** An adjuster's correction, its type resolved like that of a damage. */
export interface CheckedOverride extends Omit<Override, 'type'> {
  readonly type?: DamageType;
  readonly subtype?: string | undefined;
  readonly index: number;
}

/** Reads `overrides`, each of one of the damages. Faults go to `read`. */
export function readOverrides(
  value: unknown,
  damages: readonly SubmittedDamage[],
  read: FieldReader,
): CheckedOverride[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MOST_DAMAGES) {
    read.fault(
      REQUEST,
      'overrides',
      `overrides is ${found(value)}; a list of at most ${MOST_DAMAGES} is needed.`,
    );
    return [];
  }
  const ids = damages.map((damage) => damage.id);
  const seen = new Set<string>();
  return value.flatMap((entry: unknown, index) => {
    const at = `overrides[${index}]`;
    if (!isObject(entry)) {
      read.fault(REQUEST, at, `${at} is ${found(entry)}; an object is needed.`);
      return [];
    }
    const unknown = Object.keys(entry).find((key) => !OVERRIDE_FIELDS.includes(key));
    if (unknown !== undefined) {
      read.fault(
        REQUEST,
        `${at}.${unknown}`,
        `${at}.${unknown} is not a field.`,
        meant(unknown, OVERRIDE_FIELDS),
      );
    }
    const id = read.oneOf(entry.damage_id ?? '', `${at}.damage_id`, REQUEST, ids);
    if (id !== undefined && seen.has(id)) {
      read.fault(REQUEST, `${at}.damage_id`, `${at}.damage_id ${found(id)} is overridden twice.`);
    }
    if (id !== undefined) seen.add(id);
    const type = entry.type === undefined ? undefined : typeOf(entry.type, undefined, at, read);
    const severity = read.oneOf(entry.severity, `${at}.severity`, REQUEST, SEVERITIES);
    const option = read.text(entry.option, `${at}.option`, REQUEST, 80);
    const hours = read.number(entry.hours, `${at}.hours`, REQUEST, { min: 0, max: 500 });
    const price = read.number(entry.price, `${at}.price`, REQUEST, { min: 0, max: 1e9 });
    const reason = read.text(entry.reason, `${at}.reason`, REQUEST, 500);
    if (id === undefined) return [];
    return [
      {
        damage_id: id,
        index,
        ...(type === undefined ? {} : { type: type.type, subtype: type.subtype }),
        ...(severity === undefined ? {} : { severity }),
        ...(option === undefined ? {} : { option }),
        ...(hours === undefined ? {} : { hours }),
        ...(price === undefined ? {} : { price }),
        ...(reason === undefined ? {} : { reason }),
      },
    ];
  });
}

const OVERRIDE_FIELDS: readonly string[] = [
  'damage_id',
  'type',
  'severity',
  'option',
  'hours',
  'price',
  'reason',
];
