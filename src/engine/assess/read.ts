import {
  type AssessmentDamageInput,
  type AssessmentRequest,
  AssessmentRequestSchema,
  type LineEditEntry,
  MAX_EXTENT_CM,
  OPTION_DEFAULTS,
  type Override,
} from '../../contract/assessment/request.ts';
import type { Vehicle } from '../../contract/claim.ts';
import type { RuleTrace } from '../../domain/damage.ts';
import { DEFAULT_SIZE_ERROR, readGradedSizeCm } from '../../domain/grading/graded-size.ts';
import { type Currency, toMinor } from '../../domain/money.ts';
import { chooseDepartment, chooseTaxClass } from '../../domain/repair.ts';
import { isTypeAlias, TYPE_ALIASES } from '../../domain/type-aliases.ts';
import {
  CLAIM_FIELDS,
  type ClaimFile,
  mergeClaimFiles,
  pickIdentity,
  toKilometers,
} from '../../domain/vehicle/claim-file.ts';
import { PRICING_FACTS } from '../../domain/vehicle/vehicle.ts';
import { findFaults } from '../../lib/check.ts';
import { describeValue, dropNulls, isObject, makeFaultsError } from '../../lib/fields.ts';
import { roundTo } from '../../lib/numbers.ts';
import { pick } from '../../lib/objects.ts';
import { findUnknownFields } from '../../lib/unknown-fields.ts';
import type { AddedLine, LineEdit, LineEdits } from '../../pricing/lines/edit-lines.ts';
import { countTenths } from '../../pricing/option/repair-time.ts';
import type { ClaimedDamage, DamageOverride } from '../../pricing/vehicle/override.ts';
import { createRequestRules, findRequestFaults } from './rules.ts';

/**
 * Validates an assessment request from the API or a file against the schema, then against cross-field rules.
 * @throws VehiError INVALID_DAMAGE_DATA, INVALID_REQUEST, INVALID_REGION or INVALID_CURRENCY for the first wrong
 * field, with every wrong field in `details.errors`.
 */
export function checkAssessmentRequest(
  body: unknown,
  regions: readonly string[],
  currencies: readonly Currency[],
) {
  const noObject = `The request is ${describeValue(body)}; an object with vehicle_id and damages is needed.`;
  const wrong = isObject(body)
    ? findFaults(AssessmentRequestSchema, body, createRequestRules(regions, currencies))
    : [{ code: 'INVALID_REQUEST', field: 'body', message: noObject }];
  const request = dropNulls(body) as AssessmentRequest;
  const error = makeFaultsError(wrong.length > 0 ? wrong : findRequestFaults(request));
  if (error) throw error;
  const { overrides = [], line_edits = [] } = request;
  const options = { ...OPTION_DEFAULTS, ...request.assessment_options };
  return {
    vehicleId: request.vehicle_id,
    inspectionId: request.inspection_id,
    damages: request.damages.map((damage) => readDamage(damage, overrides)),
    timeline: options.include_repair_timeline,
    partPrices: options.include_part_prices,
    region: options.labor_rate_region,
    associated: options.associated_operations,
    currency: options.currency,
    vehicle: readVehicle(request.vehicle),
    /** Reads the line edits, whose amounts are in the response currency, once that is known. */
    readEdits: (currency: Currency) => readLineEdits(line_edits, currency),
    claimFile: readRequestClaim(request),
    /** Fields of the request that the schema does not define. */
    unknown: findUnknownFields(AssessmentRequestSchema, body),
  };
}

/** A validated assessment request. */
export type CheckedAssessment = Readonly<ReturnType<typeof checkAssessmentRequest>>;

/** Reads the facts that prices and value depend on; an odometer reading gives the mileage unless that is stated. */
function readVehicle({ odometer, ...vehicle }: NonNullable<AssessmentRequest['vehicle']> = {}): Vehicle {
  const mileage_km = vehicle.mileage_km ?? (odometer && toKilometers(odometer));
  return pick({ ...vehicle, mileage_km }, [...PRICING_FACTS, 'mileage_km', 'market_value', 'currency']);
}

/** A validated damage of a request; `type` is the contract's, with any alias kept in `subtype`. */
interface SubmittedDamage extends ClaimedDamage {
  /** Half-width of the interval of `sizeCm`; absent if the size was stated by a user. */
  readonly sizeErrorCm?: number | undefined;
}

function readDamage(damage: AssessmentDamageInput, overrides: readonly Override[]): SubmittedDamage {
  const { damage_id: id, type, subtype, location, severity, severity_score: severityScore, count } = damage;
  const part = typeof location === 'string' ? location : location.part;
  return {
    id,
    ...resolveType(type, subtype),
    part,
    severity,
    severityScore,
    ...readSize(damage),
    count,
    override: findOverride(id, overrides),
  };
}

/** Returns the override of a damage, with its path in the request. */
function findOverride(id: string, overrides: readonly Override[]): DamageOverride | undefined {
  const index = overrides.findIndex((one) => one.damage_id === id);
  if (!overrides[index]) return undefined;
  const { type, severity, option, reason } = overrides[index];
  const field = `overrides[${index}]`;
  return { field, ...(type && resolveType(type)), severity, option, reason };
}

/** Returns the type that a word of a request stands for; an alias is kept in `subtype`. */
function resolveType(type: AssessmentDamageInput['type'], subtype?: string) {
  return isTypeAlias(type) ? { type: TYPE_ALIASES[type], subtype: type } : { type, subtype };
}

/** Returns the longest measured extent in cm with its interval, else the length that graded the severity. */
function readSize(
  damage: AssessmentDamageInput & { readonly explain?: unknown },
): Pick<SubmittedDamage, 'sizeCm' | 'sizeErrorCm'> {
  const { length, width, diameter, uncertainty_cm: halfWidth } = { ...damage.measurements } as Measurements;
  const sizes = [length, width, diameter].filter((size) => size !== undefined);
  if (sizes.length > 0)
    return { sizeCm: Math.max(...sizes), sizeErrorCm: isLength(halfWidth) ? halfWidth : undefined };
  const graded = readGradedSizeCm(Array.isArray(damage.explain) ? damage.explain.filter(isTrace) : []);
  return isLength(graded) ? { sizeCm: graded, sizeErrorCm: roundTo(graded * DEFAULT_SIZE_ERROR, 1) } : {};
}

const isTrace = (value: unknown): value is RuleTrace =>
  isObject(value) && typeof value.rule === 'string' && isObject(value.inputs);

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_EXTENT_CM;

/** Measurements of a request; those of an inspection also have an uncertainty. */
type Measurements = NonNullable<AssessmentDamageInput['measurements']> & {
  readonly uncertainty_cm?: unknown;
};

/** Reads `line_edits`, whose amounts are in the response currency. */
function readLineEdits(entries: readonly LineEditEntry[], currency: Currency): LineEdits {
  const changed: LineEdit[] = [];
  const added: AddedLine[] = [];
  const agreed: NonNullable<LineEdits['agreed']>[number][] = [];
  for (const [index, entry] of entries.entries()) {
    const field = `line_edits[${index}]`;
    if ('line' in entry) changed.push(readEdit(entry, field, currency));
    else if ('add' in entry) added.push(readAdded(entry, field, currency));
    else {
      const { part, price, reason } = entry;
      agreed.push({ field, part, priceMinor: toMinor(price, currency), reason });
    }
  }
  return { changed, added, agreed };
}

function readEdit(
  edit: Extract<LineEditEntry, { line: unknown }>,
  field: string,
  currency: Currency,
): LineEdit {
  const { line, hours, price, action, reason } = edit;
  return {
    field,
    line,
    hoursTenths: hours === undefined ? undefined : countTenths(hours),
    action,
    reason,
    priceMinor: price === undefined ? undefined : toMinor(price, currency),
  };
}

function readAdded(
  { add, reason }: Extract<LineEditEntry, { add: unknown }>,
  field: string,
  currency: Currency,
): AddedLine {
  const { operation, part, department, hours = 0, price, tax_class } = add;
  return {
    field,
    operation,
    part,
    department: department ?? chooseDepartment(operation),
    hoursTenths: countTenths(hours),
    taxClass: tax_class ?? chooseTaxClass(operation),
    reason,
    priceMinor: toMinor(price ?? 0, currency),
  };
}

/** Extracts the claim and vehicle identity that a request is filed under. */
export function readRequestClaim({ claim, vehicle = {} }: AssessmentRequest): ClaimFile {
  const facts = pick(claim ?? {}, CLAIM_FIELDS);
  return mergeClaimFiles({}, { claim: facts, vehicle: pickIdentity(vehicle) });
}
