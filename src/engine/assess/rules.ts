import type { AssessmentRequest, LineEditEntry, Override } from '../../contract/assessment/request.ts';
import { isPartName, PART_NAMES } from '../../domain/parts.ts';
import { isTypeAlias, TYPE_ALIASES } from '../../domain/type-aliases.ts';
import { validateVin } from '../../domain/vehicle/vin.ts';
import type { SchemaRules } from '../../lib/check.ts';
import { checkEnum, type Violation } from '../../lib/check-value.ts';
import { describeValue, type FieldFault, isObject, suggestNames } from '../../lib/fields.ts';
import { defined } from '../../lib/objects.ts';

const INVALID_REQUEST = 'INVALID_REQUEST';
const INVALID_DAMAGE = 'INVALID_DAMAGE_DATA';
const REGION = 'assessment_options.labor_rate_region';
const CURRENCIES = ['assessment_options.currency', 'vehicle.currency'];

function chooseCode(field: string): string {
  if (/^damages\b|^overrides\[\d+\]\.type$/.test(field)) return INVALID_DAMAGE;
  if (field === REGION) return 'INVALID_REGION';
  return CURRENCIES.includes(field) ? 'INVALID_CURRENCY' : INVALID_REQUEST;
}

/** Creates the request rules beyond the schema: the operator's regions and currencies, and per-field checks. */
export function createRequestRules(regions: readonly string[], currencies: readonly string[]): SchemaRules {
  const validateCurrency = (value: unknown) => checkEnum(value, currencies);
  return {
    chooseCode,
    nullIsAbsent: true,
    validators: {
      [REGION]: (value) => checkEnum(value, regions),
      ...Object.fromEntries(CURRENCIES.map((field) => [field, validateCurrency])),
      'damages[].location': validateLocation,
      'vehicle.vin': validateVin,
    },
  };
}

/** Validates a part name, or the `part` of an inspection's location object. */
function validateLocation(location: unknown): Violation | undefined {
  const name = isObject(location) ? location.part : location;
  if (typeof name === 'string' && isPartName(name)) return undefined;
  const absent = isObject(location) ? 'has no part.' : 'is missing.';
  const problem = name === undefined ? absent : `is ${describeValue(name)}, which is not a recognized part.`;
  return { problem, hint: suggestNames(name, PART_NAMES) };
}

/** Validates a schema-valid request against the cross-field rules. */
export function findRequestFaults(request: AssessmentRequest): readonly FieldFault[] {
  const { damages, overrides = [], line_edits = [] } = request;
  return [
    ...findRepeatedDamages(damages),
    ...findSubtypeFaults(damages),
    ...findOverrideFaults(overrides, damages),
    ...findEditFaults(line_edits),
  ];
}

/** Creates the faults of a field; `problem` follows its name. */
const makeFaults = (field: string, problem: string, hint?: string, code = INVALID_REQUEST) => [
  { code, field, message: `${field} ${problem}`, ...defined({ hint }) },
];

function findRepeatedDamages(damages: AssessmentRequest['damages']): readonly FieldFault[] {
  const ids = damages.map((damage) => damage.damage_id);
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    if (first === index) return [];
    const problem = `${describeValue(id)} is also the id of damages[${first}]; ids must differ.`;
    return makeFaults(`damages[${index}].damage_id`, problem, undefined, INVALID_DAMAGE);
  });
}

/** Reports each subtype given with an alias of a type, because the alias is the subtype. */
function findSubtypeFaults(damages: AssessmentRequest['damages']): readonly FieldFault[] {
  return damages.flatMap(({ type: alias, subtype }, index) => {
    if (!isTypeAlias(alias) || subtype === undefined || subtype === alias) return [];
    const type = TYPE_ALIASES[alias];
    const field = `damages[${index}].subtype`;
    const problem = `is ${describeValue(subtype)}, but the type ${alias} is itself a subtype of ${type}.`;
    return makeFaults(field, problem, `Give type ${type} with one subtype.`, INVALID_DAMAGE);
  });
}

/** Reports each override that changes nothing, of an unknown damage, or of one already overridden. */
function findOverrideFaults(
  overrides: readonly Override[],
  damages: AssessmentRequest['damages'],
): readonly FieldFault[] {
  const known = damages.map((damage) => damage.damage_id);
  const ids = overrides.map((override) => override.damage_id);
  return overrides.flatMap(({ damage_id: id, type, severity, option }, index) => {
    const field = `overrides[${index}].damage_id`;
    if (!known.includes(id))
      return makeFaults(field, `is ${describeValue(id)}, which is not known.`, suggestNames(id, known));
    if (!(type ?? severity ?? option))
      return makeFaults(`overrides[${index}]`, 'changes nothing.', 'Give type, severity or option.');
    return ids.indexOf(id) === index ? [] : makeFaults(field, `${describeValue(id)} is overridden twice.`);
  });
}

/** Reports each edit that changes nothing, combines exclusive changes, or sets the price of a part again. */
function findEditFaults(entries: readonly LineEditEntry[]): readonly FieldFault[] {
  return entries.flatMap((entry, index) => {
    const field = `line_edits[${index}]${'add' in entry ? '.add' : ''}`;
    const fault = (problem: string, hint: string) => makeFaults(field, problem, hint);
    if ('add' in entry)
      return entry.add.hours || entry.add.price
        ? []
        : fault('needs hours or a price above 0.', 'Give one of them.');
    if ('line' in entry) {
      const changed = entry.hours !== undefined || entry.price !== undefined;
      if (!changed && entry.action === undefined)
        return fault('changes nothing.', 'Give hours, price or action.');
      if (changed && entry.action === 'remove')
        return fault('removes a line and changes it.', 'Do one of them.');
    }
    if (!('part' in entry)) return [];
    const earlier = entries.findIndex((one) => 'part' in one && one.part === entry.part);
    if (earlier === index) return [];
    return fault(`edits part ${entry.part}, as does line_edits[${earlier}].`, 'Give one of them.');
  });
}
