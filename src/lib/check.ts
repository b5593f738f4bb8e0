import { defined } from './defined.ts';
import { escapeName } from './display-name.ts';
import { type ErrorKind, VehiError } from './errors.ts';
import { describeFound, dropNulls, type FieldFault, isObject, type Json, suggestNames } from './fields.ts';
import { parseJson } from './json.ts';
import { type Complaint, judgeList, judgeMissing, judgeScalar, type Schema } from './judge-value.ts';
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
  readonly judges?: Readonly<Record<string, (value: unknown, field: string) => Complaint | undefined>>;
}

/** Source document of a value, and its error code. */
export interface Source extends Pick<SchemaRules, 'judges' | 'nullIsAbsent'> {
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
  const { code, field = '', judges = {}, nullIsAbsent = false } = source;
  const rules = { chooseCode: () => code, judges, nullIsAbsent, printable: true };
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
    const why = cause instanceof Error ? cause.message : '';
    throw new VehiError(kind, code, `${escapeName(document)} is not valid JSON: ${why}`, {
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
  const shown = faults.map((fault) => ({ ...fault, message: escapeName(fault.message) }));
  const { code, field, message, hint: meant } = shown[0] as FieldFault;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new VehiError(
    kind,
    code,
    `${escapeName(document)}: ${message}${meant === undefined ? '' : ` ${meant}`}${more}`,
    { field, ...defined({ hint }), details: { file: document, errors: shown } },
  );
}

/** Rejects a field for a fault that its schema cannot express; `says` follows its name. @throws the document's error */
export function refuseField(source: Source, field: string, says: string): never {
  throw makeDocumentError(source, [{ code: source.code, field, message: `${field} ${says}` }]);
}

/** Returns whether a value matches its schema. */
export function fits<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return findFaults(schema, value, { chooseCode: () => '' }).length === 0;
}

/** Validates a value and returns up to 200 faults, in schema order. */
export function findFaults(
  schema: object,
  value: unknown,
  rules: SchemaRules,
  field = '',
): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  for (const fault of listFaults(schema as Schema, value, field, rules)) {
    faults.push(fault);
    if (faults.length === MAX_FAULTS) break;
  }
  return faults;
}

function* listFaults(
  schema: Schema,
  value: unknown,
  field: string,
  rules: SchemaRules,
): Generator<FieldFault> {
  const judge = rules.judges?.[dropIndices(field)];
  if (judge) return yield* report(field, value, judge(value, field), rules);
  if (schema.anyOf) {
    const branch = { ...chooseBranch(schema.anyOf, value), ...defined({ title: schema.title }) };
    return yield* listFaults(branch, value, field, rules);
  }
  if (schema.type === 'object' && isObject(value)) return yield* checkFields(schema, value, field, rules);
  const complaint =
    schema.type === 'array' ? judgeList(schema, value, field) : judgeScalar(schema, value, rules.printable);
  if (complaint) return yield* report(field, value, applyTitle(schema, value, complaint), rules);
  const { items } = schema;
  if (items === undefined || !Array.isArray(value)) return;
  for (const [index, entry] of value.entries()) yield* listFaults(items, entry, `${field}[${index}]`, rules);
}

/** Replaces a complaint by the schema's title, if it has one. */
const applyTitle = ({ title }: Schema, value: unknown, complaint: Complaint): Complaint =>
  title === undefined ? complaint : { says: `is ${describeFound(value)}; ${title} is needed.` };

/** `damages[3].location` → `damages[].location`, `photos["a.jpg"].angle` → `photos[].angle` */
const dropIndices = (field: string) => field.replace(/\[(\d+|"(\\.|[^"\\])*")\]/g, '[]');

function* checkFields(schema: Schema, value: Json, field: string, rules: SchemaRules): Generator<FieldFault> {
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = schema;
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
      yield* listFaults(one, given, path(name), rules);
    else yield* report(path(name), undefined, judgeMissing(one, path(name)), rules);
  }
  for (const [pattern, one] of Object.entries(patternProperties))
    for (const [key, entry] of Object.entries(value))
      if (new RegExp(pattern, 'su').test(key))
        yield* listFaults(one, entry, `${field}[${JSON.stringify(key)}]`, rules);
}

function* report(
  field: string,
  value: unknown,
  complaint: Complaint | undefined,
  rules: SchemaRules,
): Generator<FieldFault> {
  if (complaint === undefined) return;
  const { says, hint } = complaint;
  yield {
    code: rules.chooseCode(field, value),
    field,
    message: `${field || 'top level'} ${says}`,
    ...defined({ hint }),
  };
}

/**
 * Returns the union branch that a value most likely means: the object with its discriminator and required fields, or
 * the branch of its type; else the first. If only the discriminator is wrong, it is checked against the values of all
 * branches.
 */
function chooseBranch(branches: readonly Schema[], value: unknown): Schema {
  if (!isObject(value))
    return (
      branches.find(({ type }) => nameType(value) === (type === 'integer' ? 'number' : type)) ??
      branches[0] ??
      {}
    );
  const objects = branches.filter(({ type }) => type === 'object');
  const [name] = Object.keys(objects[0]?.properties ?? {});
  const words = objects.flatMap(({ properties = {} }) => properties[name ?? '']?.enum ?? []);
  if (name === undefined || objects.length < 2 || words.length < objects.length)
    return objects.find(({ required = [] }) => required.every((one) => one in value)) ?? branches[0] ?? {};
  const meant = objects.find(({ properties }) =>
    properties?.[name]?.enum?.some((word) => word === value[name]),
  );
  return (
    meant ?? { type: 'object', required: [name], properties: { [name]: { type: 'string', enum: words } } }
  );
}

/** Returns the JSON Schema type name of a value. */
function nameType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
