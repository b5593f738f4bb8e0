import type { Override, Vehicle } from '../../contract/assessment/request.ts';
import type { SettlementTermsGiven } from '../../contract/assessment/settlement.ts';
import { isTypeAlias, TYPE_ALIASES } from '../../domain/aliases.ts';
import type { ClaimFile } from '../../domain/claim-file.ts';
import { DAMAGE_TYPES, type DamageType, SEVERITIES } from '../../domain/damage.ts';
import type { SeverityClaim } from '../../domain/judge/severity-floor.ts';
import type { Currency } from '../../domain/money.ts';
import { isPartName, PART_NAMES, type PartName } from '../../domain/parts.ts';
import { EQUIPMENT, EQUIPMENT_FACTS, PAINTS, STATED_CLASSES } from '../../domain/vehicle.ts';
import { FieldReader, found, isObject, type Json, meant } from '../../lib/fields.ts';
import { ASSOCIATED_MODES } from '../../pricing/context.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import type { SettlementTerms } from '../../pricing/lines/settlement.ts';
import { readClaimFile } from './claim-request.ts';
import { type EarlierVersion, readLineEdits, readSettlement, readSupplementTo } from './line-request.ts';

/** A damage of a request, checked; types are the contract's, an alias stands in `subtype`. */
export interface SubmittedDamage extends SeverityClaim {
  readonly id: string;
  readonly count?: number | undefined;
}

/** An adjuster's correction, its type resolved like that of a damage. */
export interface CheckedOverride extends Omit<Override, 'type'> {
  readonly type?: DamageType;
  readonly subtype?: string | undefined;
  readonly index: number;
}

/** An assessment request, checked. */
export interface AssessmentCall {
  readonly vehicleId: string;
  readonly inspectionId: string | undefined;
  readonly damages: readonly SubmittedDamage[];
  readonly timeline: boolean;
  readonly partPrices: boolean;
  readonly region: string | undefined;
  readonly currency: string | undefined;
  readonly associated: 'off' | 'likely' | 'all' | undefined;
  readonly vehicle: Vehicle;
  readonly overrides: readonly CheckedOverride[];
  readonly edits: (currency: Currency) => LineEdits;
  readonly settlement: ((currency: Currency) => SettlementTerms) | undefined;
  /** The terms as they were given, for the answer. */
  readonly terms: SettlementTermsGiven | undefined;
  readonly supplementTo: EarlierVersion | undefined;
  readonly file: ClaimFile;
}

/** Damages of one assessment at most (contract decisions). */
export const MOST_DAMAGES = 100;
const DAMAGE = 'INVALID_DAMAGE_DATA';
const REQUEST = 'INVALID_REQUEST';
const TYPE_WORDS = [...DAMAGE_TYPES, ...Object.keys(TYPE_ALIASES)];
const LENGTH = { min: 0, max: 1000 };

/**
 * Checks an assessment request as it came over the wire or from a file.
 * @throws VehiError INVALID_DAMAGE_DATA, INVALID_REQUEST, INVALID_REGION or INVALID_CURRENCY for the first wrong
 * field, with every wrong field in `details.errors`.
 */
export function checkAssessmentRequest(
  body: unknown,
  regions: readonly string[],
  currencies: readonly Currency[],
): AssessmentCall {
  const read = new FieldReader();
  if (!isObject(body)) {
    read.fault(
      REQUEST,
      'body',
      `The request is ${found(body)}; an object with vehicle_id and damages is needed.`,
    );
    read.finish();
  }
  const request = body as Json;
  const vehicleId = read.text(request.vehicle_id, 'vehicle_id', REQUEST, 128);
  if (request.vehicle_id === undefined || request.vehicle_id === null) {
    read.fault(REQUEST, 'vehicle_id', 'vehicle_id is missing.');
  }
  const damages = damagesOf(request.damages, read);
  const options = read.object(request.assessment_options, 'assessment_options', REQUEST);
  const call: AssessmentCall = {
    vehicleId: vehicleId ?? '',
    inspectionId: read.text(request.inspection_id, 'inspection_id', REQUEST, 128),
    damages,
    timeline: read.flag(
      options.include_repair_timeline,
      'assessment_options.include_repair_timeline',
      REQUEST,
      true,
    ),
    partPrices: read.flag(
      options.include_part_prices,
      'assessment_options.include_part_prices',
      REQUEST,
      true,
    ),
    region: read.oneOf(
      options.labor_rate_region,
      'assessment_options.labor_rate_region',
      'INVALID_REGION',
      regions,
    ),
    associated: read.oneOf(
      options.associated_operations,
      'assessment_options.associated_operations',
      REQUEST,
      ASSOCIATED_MODES,
    ),
    currency: read.oneOf(options.currency, 'assessment_options.currency', 'INVALID_CURRENCY', currencies),
    vehicle: vehicleOf(request.vehicle, currencies, read),
    overrides: overridesOf(request.overrides, damages, read),
    edits: readLineEdits(request.line_edits, read),
    settlement: readSettlement(request.settlement, read),
    terms: isObject(request.settlement) ? (request.settlement as SettlementTermsGiven) : undefined,
    supplementTo: readSupplementTo(request.supplement_to, read),
    file: readClaimFile(request.claim, request.vehicle, read),
  };
  read.finish();
  return call;
}

function damagesOf(value: unknown, read: FieldReader): SubmittedDamage[] {
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

function typeOf(
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

function vehicleOf(value: unknown, currencies: readonly Currency[], read: FieldReader): Vehicle {
  const given = read.object(value, 'vehicle', REQUEST);
  const make = read.text(given.make, 'vehicle.make', REQUEST, 80);
  const model = read.text(given.model, 'vehicle.model', REQUEST, 80);
  const year = read.number(given.year, 'vehicle.year', REQUEST, { min: 1886, max: 2100, whole: true });
  const mileage = read.number(given.mileage_km, 'vehicle.mileage_km', REQUEST, { min: 0, max: 1e7 });
  const worth = read.number(given.market_value, 'vehicle.market_value', REQUEST, {
    min: 0,
    max: 1e10,
    above: true,
  });
  const currency = read.oneOf(given.currency, 'vehicle.currency', 'INVALID_CURRENCY', currencies);
  const vehicleClass = read.oneOf(given.class, 'vehicle.class', REQUEST, STATED_CLASSES);
  const paint = read.oneOf(given.paint, 'vehicle.paint', REQUEST, PAINTS);
  const equipment = EQUIPMENT_FACTS.flatMap((fact) => {
    const value = read.oneOf(given[fact], `vehicle.${fact}`, REQUEST, EQUIPMENT[fact]);
    return value === undefined ? [] : [[fact, value] as const];
  });
  return {
    ...(make === undefined ? {} : { make }),
    ...(model === undefined ? {} : { model }),
    ...(year === undefined ? {} : { year }),
    ...(mileage === undefined ? {} : { mileage_km: mileage }),
    ...(worth === undefined ? {} : { market_value: worth }),
    ...(currency === undefined ? {} : { currency }),
    ...(vehicleClass === undefined ? {} : { class: vehicleClass }),
    ...(paint === undefined ? {} : { paint }),
    ...Object.fromEntries(equipment),
  };
}

function overridesOf(
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
