import { checkList, checkMissing, checkScalar, need, type Schema, type Violation } from './check-value.ts';
import { type ErrorKind, toReason, VehiError } from './errors.ts';
import { dropNulls, type FieldFault, isObject, type JsonObject, suggestNames } from './fields.ts';
import { parseJson } from './json.ts';
import { escapeName } from './names.ts';
import { defined } from './objects.ts';
import type { Static, TSchema } from './type.ts';

/** Maximum faults reported per value: a body of 1 MiB can have a hundred thousand. */
const MAX_FAULTS = 200;

export interface SchemaRules {
  /** Returns the contract's error code for a fault in a field with this value; missing is undefined. */
  readonly chooseCode: (field: string, value: unknown) => string;
  /** If true, null means absent, as in create requests; otherwise it is a value. */
  readonly nullIsAbsent?: boolean;
  /** If true, texts must be printable and not blank, because terminals and reports show them. */
  readonly printable?: boolean;
  /** Custom validators that replace the schema, keyed by path such as `damages[].location`; missing is undefined. */
  readonly validators?: Readonly<Record<string, (value: unknown, field: string) => Violation | undefined>>;
}

/** Source document of a value, and its error code. */
export interface Source extends Pick<SchemaRules, 'validators' | 'nullIsAbsent'> {
  /** Path or flag, for messages. */
  readonly document: string;
  readonly kind: ErrorKind;
  readonly code: string;
  readonly hint?: string;
  /** Name of the value in the document, unless it is the whole document. */
  readonly field?: string;
}

/**
 * Validates an untrusted value and returns it with its schema's type.
 * @throws VehiError with the source's code, naming the first fault; all of them are in `details.errors`
 */
export function check<S extends TSchema>(schema: S, value: unknown, source: Source): Static<S> {
  const { code, field = '', validators = {}, nullIsAbsent = false } = source;
  const rules = { chooseCode: () => code, validators, nullIsAbsent, printable: true };
  const faults = findFaults(schema, value, rules, field);
  if (faults.length > 0) throw makeDocumentError(source, faults);
  return (nullIsAbsent ? dropNulls(value) : value) as Static<S>;
}

/** Parses and validates a JSON document. @throws VehiError like `check`, also for invalid JSON */
export function checkText<S extends TSchema>(schema: S, text: string, source: Source): Static<S> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    const { kind, code, document, hint } = source;
    throw new VehiError(kind, code, `${escapeName(document)} is not valid JSON: ${toReason(cause)}`, {
      ...defined({ hint }),
      cause,
    });
  }
  return check(schema, value, source);
}

/** Creates a document's error for faults that its schema cannot express, in the format of `check`. */
export function makeDocumentError(
  { document, kind, hint }: Source,
  faults: readonly FieldFault[],
): VehiError {
  const printable = faults.map((fault) => ({ ...fault, message: escapeName(fault.message) }));
  const { code, field, message, hint: faultHint } = printable[0] as FieldFault;
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new VehiError(
    kind,
    code,
    `${escapeName(document)}: ${message}${faultHint === undefined ? '' : ` ${faultHint}`}${others}`,
    { field, ...defined({ hint }), details: { file: document, errors: printable } },
  );
}

/** Rejects a field for a fault that its schema cannot express; `problem` follows its name. @throws the document's error */
export function rejectField(source: Source, field: string, problem: string): never {
  throw makeDocumentError(source, [{ code: source.code, field, message: `${field} ${problem}` }]);
}

/** Returns whether a value matches its schema. */
export function fits<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return findViolations(schema, value).length === 0;
}

/** Validates a value and returns up to 200 faults, in schema order. */
export const findFaults = (schema: object, value: unknown, rules: SchemaRules, field = '') =>
  findViolations(schema, value, rules, field).map(({ problem, hint, ...at }): FieldFault => {
    const message = `${at.field || 'top level'} ${problem}`;
    return { code: rules.chooseCode(at.field, at.value), field: at.field, message, ...defined({ hint }) };
  });

type FieldRules = Omit<SchemaRules, 'chooseCode'>;

/** A violation with its field and the field's value; missing is undefined. */
interface FieldViolation extends Violation {
  readonly field: string;
  readonly value: unknown;
}
type Violations = Generator<FieldViolation>;

/** Validates a value and returns up to 200 violations, in schema order. */
export function findViolations(schema: object, value: unknown, rules: FieldRules = {}, field = '') {
  const found: FieldViolation[] = [];
  for (const one of listViolations(schema as Schema, value, field, rules))
    if (found.push(one) === MAX_FAULTS) break;
  return found;
}

function* listViolations(schema: Schema, value: unknown, field: string, rules: FieldRules): Violations {
  const validate = rules.validators?.[dropIndices(field)];
  const invalid = validate?.(value, field);
  if (invalid) yield { field, value, ...invalid };
  if (validate) return;
  if (schema.anyOf) {
    const branch = { ...chooseBranch(schema.anyOf, value), ...defined({ title: schema.title }) };
    return yield* listViolations(branch, value, field, rules);
  }
  if (schema.type === 'object' && isObject(value)) return yield* checkFields(schema, value, field, rules);
  const violation =
    schema.type === 'array' ? checkList(schema, value, field) : checkScalar(schema, value, rules.printable);
  const { title, items } = schema;
  if (violation) yield { field, value, ...(title === undefined ? violation : need(value, title)) };
  if (violation || items === undefined || !Array.isArray(value)) return;
  for (const [index, entry] of value.entries())
    yield* listViolations(items, entry, `${field}[${index}]`, rules);
}

/** `damages[3].location` → `damages[].location`, `photos["a.jpg"].angle` → `photos[].angle` */
const dropIndices = (field: string) => field.replace(/\[(\d+|"(\\.|[^"\\])*")\]/g, '[]');

function* checkFields(schema: Schema, value: JsonObject, field: string, rules: FieldRules): Violations {
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = schema;
  const joinPath = (name: string) => (field === '' ? name : `${field}.${name}`);
  if (additionalProperties === false) {
    const names = Object.keys(properties);
    const problem = 'is not a field.';
    for (const key of Object.keys(value).filter((key) => !names.includes(key)))
      yield { field: joinPath(shortenKey(key)), value: value[key], problem, hint: suggestNames(key, names) };
  }
  for (const [name, property] of Object.entries(properties)) {
    const entry = rules.nullIsAbsent ? (value[name] ?? undefined) : value[name];
    if (entry === undefined && !required.includes(name)) continue;
    if (entry !== undefined || rules.validators?.[dropIndices(joinPath(name))])
      yield* listViolations(property, entry, joinPath(name), rules);
    else yield { field: joinPath(name), value: entry, ...checkMissing(property, joinPath(name)) };
  }
  for (const [pattern, entrySchema] of Object.entries(patternProperties))
    for (const [key, entry] of Object.entries(value))
      if (new RegExp(pattern, 'su').test(key))
        yield* listViolations(entrySchema, entry, `${field}[${JSON.stringify(shortenKey(key))}]`, rules);
}

/** Shortens a key for messages if it is longer than any path of a photo. */
const shortenKey = (key: string) => (key.length > 500 ? `${key.slice(0, 500)}…` : key);

/**
 * Returns the union branch that a value most likely means: for an object, the branch with its tag, else the one whose
 * required fields it has, else the one with most of its fields; otherwise the branch of its type, or the first. If only
 * the tag is wrong, the value is checked against the tags of all branches.
 */
function chooseBranch(branches: readonly Schema[], value: unknown): Schema {
  const objects = branches.filter(({ type }) => type === 'object');
  const [first = branches[0] ?? {}] = objects;
  if (!isObject(value)) {
    const typeName = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    return (
      branches.find(({ type }) => typeName === (type === 'integer' ? 'number' : type)) ?? branches[0] ?? {}
    );
  }
  const [tag] = Object.keys(first.properties ?? {});
  const choices = objects.flatMap(({ properties = {} }) => properties[tag ?? '']?.enum ?? []);
  if (tag === undefined || objects.length < 2 || choices.length < objects.length) {
    const countKnown = ({ properties = {} }: Schema) =>
      Object.keys(value).filter((name) => Object.hasOwn(properties, name)).length;
    return (
      objects.find(({ required = [] }) => required.every((key) => key in value)) ??
      objects.reduce((best, one) => (countKnown(one) > countKnown(best) ? one : best), first)
    );
  }
  const branch = objects.find(({ properties }) =>
    properties?.[tag]?.enum?.some((choice) => choice === value[tag]),
  );
  return (
    branch ?? { type: 'object', required: [tag], properties: { [tag]: { type: 'string', enum: choices } } }
  );
}
