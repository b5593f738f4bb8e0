import { type FieldFault, found, isObject, type Json, meant } from './fields.ts';

/** The part of JSON Schema that requests are described in. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** What is wrong with a value: the sentence that follows the field's name, and what to do. */
export interface Complaint {
  readonly says: string;
  readonly hint?: string;
}

export interface SchemaRules {
  /** Code of the contract for a fault in a field. */
  readonly codeOf: (field: string) => string;
  /** Judges what a schema cannot say, by place such as `damages[].location`, instead of its schema; missing is undefined. */
  readonly judges?: Readonly<Record<string, (value: unknown) => Complaint | undefined>>;
}

/** Returns everything that is wrong with an object, in the schema's order; null counts as absent. */
export function faultsOf(schema: Schema, value: Json, rules: SchemaRules): readonly FieldFault[] {
  return checkFields(schema, value, '', rules);
}

function check(schema: Schema, value: unknown, field: string, rules: SchemaRules): readonly FieldFault[] {
  const judge = rules.judges?.[placeOf(field)];
  if (judge) return faultOf(field, judge(value), rules);
  if (schema.anyOf) return check(chooseBranch(schema.anyOf, value), value, field, rules);
  if (schema.type === 'object' && isObject(value)) return checkFields(schema, value, field, rules);
  const complaint = schema.type === 'array' ? judgeList(schema, value, field) : judgeScalar(schema, value);
  if (complaint) return faultOf(field, complaint, rules);
  const { items } = schema;
  if (items === undefined || !Array.isArray(value)) return [];
  return value.flatMap((entry, index) => check(items, entry, `${field}[${index}]`, rules));
}

/** `damages[3].location` → `damages[].location` */
const placeOf = (field: string) => field.replace(/\[\d+\]/g, '[]');

function checkFields(schema: Schema, value: Json, field: string, rules: SchemaRules): readonly FieldFault[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const path = (name: string) => (field === '' ? name : `${field}.${name}`);
  const names = Object.keys(properties);
  const unknown =
    additionalProperties === false ? Object.keys(value).filter((key) => !names.includes(key)) : [];
  return [
    ...unknown.flatMap((key) =>
      faultOf(path(key), { says: 'is not a field.', hint: meant(key, names) }, rules),
    ),
    ...Object.entries(properties).flatMap(([name, one]) => {
      const given = value[name] ?? undefined;
      if (given === undefined && !required.includes(name)) return [];
      if (given !== undefined || rules.judges?.[placeOf(path(name))])
        return check(one, given, path(name), rules);
      return faultOf(path(name), judgeMissing(one, path(name)), rules);
    }),
  ];
}

function faultOf(field: string, complaint: Complaint | undefined, rules: SchemaRules): readonly FieldFault[] {
  if (complaint === undefined) return [];
  const { says, hint } = complaint;
  return [
    {
      code: rules.codeOf(field),
      field,
      message: `${field} ${says}`,
      ...(hint === undefined ? {} : { hint }),
    },
  ];
}

/**
 * Returns the branch a value probably means: the object whose required fields it has, or the one of its type; else the
 * first.
 */
function chooseBranch(branches: readonly Schema[], value: unknown): Schema {
  const fits = ({ type, required = [] }: Schema) =>
    isObject(value)
      ? type === 'object' && required.every((name) => name in value)
      : typeof value === (type === 'integer' ? 'number' : type);
  return branches.find(fits) ?? branches[0] ?? {};
}

function judgeMissing(schema: Schema, field: string): Complaint {
  if (schema.type === 'array') return { says: `is missing; ${sizeOf(schema, field)} is needed.` };
  const words = schema.enum ?? schema.anyOf?.find((branch) => branch.enum)?.enum;
  return { says: 'is missing.', ...(words && { hint: meant(undefined, words) }) };
}

function judgeList(schema: Schema, value: unknown, field: string): Complaint | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(value) && value.length >= minItems && value.length <= maxItems) return undefined;
  const is = Array.isArray(value) ? `has ${value.length} entries` : `is ${found(value)}`;
  return { says: `${is}; ${sizeOf(schema, field)} is needed.` };
}

/** Returns the limits of a list in words: `a list of 1 to 100 damages`. */
function sizeOf({ minItems = 0, maxItems }: Schema, field: string): string {
  return minItems === 0 ? `a list of at most ${maxItems}` : `a list of ${minItems} to ${maxItems} ${field}`;
}

function judgeScalar(schema: Schema, value: unknown): Complaint | undefined {
  if (schema.const !== undefined)
    return value === schema.const ? undefined : { says: `is ${found(value)}; ${schema.const} is needed.` };
  if (schema.enum) return judgeWord(value, schema.enum);
  switch (schema.type) {
    case 'string':
      return judgeText(value, schema.minLength ?? 0, schema.maxLength ?? Number.POSITIVE_INFINITY);
    case 'number':
    case 'integer':
      return judgeNumber(schema, value);
    case 'boolean':
      return typeof value === 'boolean'
        ? undefined
        : { says: `is ${found(value)}; true or false is needed.` };
    default:
      return { says: `is ${found(value)}; an object is needed.` };
  }
}

/** Returns what is wrong with one of a closed list of words. */
export function judgeWord(value: unknown, words: readonly string[]): Complaint | undefined {
  if (words.some((word) => word === value)) return undefined;
  return { says: `is ${found(value)}, which is not known.`, hint: meant(value, words) };
}

/** Returns what is wrong with a text of so many characters. */
export function judgeText(value: unknown, least: number, most: number): Complaint | undefined {
  if (typeof value === 'string' && value.length >= least && value.length <= most) return undefined;
  const is = typeof value === 'string' ? `has ${value.length} characters` : `is ${found(value)}`;
  const length = least === most ? most : `${least} to ${most}`;
  return { says: `${is}; text of ${length} characters is needed.` };
}

function judgeNumber(schema: Schema, value: unknown): Complaint | undefined {
  const { minimum, exclusiveMinimum, maximum, type } = schema;
  const fits =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (type !== 'integer' || Number.isInteger(value)) &&
    value >= (minimum ?? value) &&
    value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? value);
  if (fits) return undefined;
  const bounds =
    exclusiveMinimum !== undefined
      ? ` above ${exclusiveMinimum}, at most ${maximum}`
      : minimum === undefined
        ? ''
        : maximum === undefined
          ? ` of at least ${minimum}`
          : ` from ${minimum} to ${maximum}`;
  const kind = type === 'integer' ? 'whole number' : 'number';
  return { says: `is ${found(value)}; a ${kind}${bounds} is needed.` };
}
