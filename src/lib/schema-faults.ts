import { defined } from './defined.ts';
import { describeFound, type FieldFault, isObject, type Json, suggestNames } from './fields.ts';

/** Faults of one value at most: a body of 1 MiB can have a hundred thousand, which nobody reads. */
const FAULTS_MAX = 200;

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
  readonly pattern?: string;
  readonly examples?: readonly string[];
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
  /** Code of the contract for a fault in a field that has this value; missing is undefined. */
  readonly chooseCode: (field: string, value: unknown) => string;
  /** True where null says that nothing is known, as in what is created; else it is a value. */
  readonly nullIsAbsent?: boolean;
  /**
   * Judges what a schema cannot say, by place such as `damages[].location`, instead of its schema; missing is
   * undefined.
   */
  readonly judges?: Readonly<Record<string, (value: unknown) => Complaint | undefined>>;
}

/** Returns what is wrong with an object, in the schema's order, up to 200 faults. */
export function findFaults(schema: Schema, value: Json, rules: SchemaRules): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  for (const fault of checkFields(schema, value, '', rules)) {
    faults.push(fault);
    if (faults.length === FAULTS_MAX) break;
  }
  return faults;
}

function* check(schema: Schema, value: unknown, field: string, rules: SchemaRules): Generator<FieldFault> {
  const judge = rules.judges?.[dropIndices(field)];
  if (judge) return yield* report(field, value, judge(value), rules);
  if (schema.anyOf) return yield* check(chooseBranch(schema.anyOf, value), value, field, rules);
  if (schema.type === 'object' && isObject(value)) return yield* checkFields(schema, value, field, rules);
  const complaint = schema.type === 'array' ? judgeList(schema, value, field) : judgeScalar(schema, value);
  if (complaint) return yield* report(field, value, complaint, rules);
  const { items } = schema;
  if (items === undefined || !Array.isArray(value)) return;
  for (const [index, entry] of value.entries()) yield* check(items, entry, `${field}[${index}]`, rules);
}

/** `damages[3].location` → `damages[].location` */
const dropIndices = (field: string) => field.replace(/\[\d+\]/g, '[]');

function* checkFields(schema: Schema, value: Json, field: string, rules: SchemaRules): Generator<FieldFault> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const path = (name: string) => (field === '' ? name : `${field}.${name}`);
  if (additionalProperties === false) {
    const names = Object.keys(properties);
    for (const key of Object.keys(value).filter((one) => !names.includes(one)))
      yield* report(
        path(key),
        value[key],
        { says: 'is not a field.', hint: suggestNames(key, names) },
        rules,
      );
  }
  for (const [name, one] of Object.entries(properties)) {
    const given = rules.nullIsAbsent ? (value[name] ?? undefined) : value[name];
    if (given === undefined && !required.includes(name)) continue;
    if (given !== undefined || rules.judges?.[dropIndices(path(name))])
      yield* check(one, given, path(name), rules);
    else yield* report(path(name), undefined, judgeMissing(one, path(name)), rules);
  }
}

function* report(
  field: string,
  value: unknown,
  complaint: Complaint | undefined,
  rules: SchemaRules,
): Generator<FieldFault> {
  if (complaint === undefined) return;
  const { says, hint } = complaint;
  yield { code: rules.chooseCode(field, value), field, message: `${field} ${says}`, ...defined({ hint }) };
}

/**
 * Returns the branch a value probably means: the object whose required fields it has, or the one of its type; else the
 * first.
 */
function chooseBranch(branches: readonly Schema[], value: unknown): Schema {
  const fits = ({ type, required = [] }: Schema) =>
    isObject(value)
      ? type === 'object' && required.every((name) => name in value)
      : nameType(value) === (type === 'integer' ? 'number' : type);
  return branches.find(fits) ?? branches[0] ?? {};
}

/** Returns the name that JSON Schema has for the type of a value. */
function nameType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function judgeMissing(schema: Schema, field: string): Complaint {
  if (schema.type === 'array') return { says: `is missing; ${describeListSize(schema, field)} is needed.` };
  const words = schema.enum ?? schema.anyOf?.find((branch) => branch.enum)?.enum;
  return { says: 'is missing.', ...(words && { hint: suggestNames(undefined, words) }) };
}

function judgeList(schema: Schema, value: unknown, field: string): Complaint | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(value) && value.length >= minItems && value.length <= maxItems) return undefined;
  const is = Array.isArray(value)
    ? `has ${value.length} ${value.length === 1 ? 'entry' : 'entries'}`
    : `is ${describeFound(value)}`;
  return { says: `${is}; ${describeListSize(schema, field)} is needed.` };
}

/** Returns the limits of a list in words: `a list of 1 to 100 damages`. */
function describeListSize({ minItems = 0, maxItems }: Schema, field: string): string {
  if (maxItems === undefined) return 'a list';
  return minItems === 0 ? `a list of at most ${maxItems}` : `a list of ${minItems} to ${maxItems} ${field}`;
}

function judgeScalar(schema: Schema, value: unknown): Complaint | undefined {
  if (schema.const !== undefined)
    return value === schema.const
      ? undefined
      : { says: `is ${describeFound(value)}; ${schema.const} is needed.` };
  if (schema.enum) return judgeWord(value, schema.enum);
  switch (schema.type) {
    case 'string':
      return (
        judgeText(value, schema.minLength ?? 0, schema.maxLength ?? Number.POSITIVE_INFINITY) ??
        judgePattern(schema, String(value))
      );
    case 'number':
    case 'integer':
      return judgeNumber(schema, value);
    case 'boolean':
      return typeof value === 'boolean'
        ? undefined
        : { says: `is ${describeFound(value)}; true or false is needed.` };
    case 'null':
      return value === null ? undefined : { says: `is ${describeFound(value)}; null is needed.` };
    default:
      return { says: `is ${describeFound(value)}; an object is needed.` };
  }
}

/** Returns what is wrong with one of a closed list of words. */
export function judgeWord(value: unknown, words: readonly string[]): Complaint | undefined {
  if (words.some((word) => word === value)) return undefined;
  return { says: `is ${describeFound(value)}, which is not known.`, hint: suggestNames(value, words) };
}

/** Returns what is wrong with a text of so many characters. */
export function judgeText(value: unknown, least: number, most: number): Complaint | undefined {
  const length = typeof value === 'string' ? countCharacters(value) : -1;
  if (length >= least && length <= most) return undefined;
  const is = length < 0 ? `is ${describeFound(value)}` : `has ${length} characters`;
  return { says: `${is}; text${describeTextLength(least, most)} is needed.` };
}

/** Counts characters as JSON Schema does: one for each code point. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** Returns the limits of a text in words: ` of 1 to 128 characters`. */
function describeTextLength(least: number, most: number): string {
  if (least === most) return ` of ${most} characters`;
  if (most !== Number.POSITIVE_INFINITY) return ` of ${least} to ${most} characters`;
  return least === 0 ? '' : ` of at least ${least} characters`;
}

/** Pattern of a text that is not blank. */
const NOT_BLANK = '\\S';

function judgePattern({ pattern, examples }: Schema, value: string): Complaint | undefined {
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  if (pattern === NOT_BLANK) return { says: 'is blank; text is needed.' };
  const needed = examples ? `such as ${examples.slice(0, 3).join(', ')}` : `that matches ${pattern}`;
  return { says: `is ${describeFound(value)}; text ${needed} is needed.` };
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
  return { says: `is ${describeFound(value)}; a ${kind}${bounds} is needed.` };
}
