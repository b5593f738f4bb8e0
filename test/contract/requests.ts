import { generateSync, type JsonSchema } from 'json-schema-faker';
import type { Schema } from './document.ts';

type Json = Record<string, unknown>;

/** A value that the schema allows, with lists of a few; the same for the same seed. */
export function drawValidValue(schema: Schema, seed: number): unknown {
  return generateSync(schema as JsonSchema, {
    seed,
    useExamplesValue: true,
    optionalsProbability: 0.6,
    maxDefaultItems: 5,
    maxItems: 6,
  });
}

/** A place in a value with the schema that holds there. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
  readonly value: unknown;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function fits(schema: Schema, value: unknown): boolean {
  const kind = kindOf(value);
  return schema.type === kind || (schema.type === 'number' && kind === 'integer');
}

/** Every place of a value that its schema speaks of, the value itself first. */
export function listPlaces(schema: Schema, value: unknown, path: Place['path'] = []): Place[] {
  const alternative = schema.anyOf?.find((one) => fits(one, value));
  if (schema.anyOf !== undefined)
    return alternative === undefined ? [] : listPlaces(alternative, value, path);
  const here = { path, schema, value };
  if (Array.isArray(value) && schema.items !== undefined) {
    const { items } = schema;
    return [here, ...value.flatMap((item, index) => listPlaces(items, item, [...path, index]))];
  }
  if (kindOf(value) !== 'object') return [here];
  const object = value as Json;
  const inner = Object.entries(schema.properties ?? {}).filter(([name]) => object[name] !== undefined);
  return [here, ...inner.flatMap(([name, one]) => listPlaces(one, object[name], [...path, name]))];
}

/** The value with another one at a place; `undefined` removes it. */
export function withAt(value: unknown, [step, ...rest]: Place['path'], put: unknown): unknown {
  if (step === undefined) return put;
  const copy = structuredClone(value) as Json;
  const next = withAt(copy[step], rest, put);
  if (next === undefined) delete copy[step];
  else copy[step] = next;
  return copy;
}

/** A free text: any characters may stand there. */
export function isFreeText({ schema }: Place): boolean {
  return (
    schema.type === 'string' &&
    schema.enum === undefined &&
    schema.pattern === undefined &&
    schema.format === undefined &&
    schema.examples === undefined
  );
}

const WRONG_TYPE: Readonly<Record<string, unknown>> = {
  string: 7,
  number: 'seven',
  integer: 1.5,
  boolean: 'yes',
  array: {},
  object: ['x'],
};

/** Values that break one rule of the schema at a place. */
function wrongAt({ schema, value }: Place): unknown[] {
  const wrong: unknown[] = [];
  const { type = '', maxItems, maxLength } = schema;
  if (Object.hasOwn(WRONG_TYPE, type)) wrong.push(WRONG_TYPE[type]);
  if (schema.enum !== undefined) wrong.push('no_such_word', '');
  if (schema.minimum !== undefined) wrong.push(schema.minimum - 1);
  if (schema.exclusiveMinimum !== undefined) wrong.push(schema.exclusiveMinimum);
  if (schema.maximum !== undefined) wrong.push(schema.maximum + 1);
  if (schema.minLength === 1) wrong.push('');
  if (maxLength !== undefined) wrong.push('x'.repeat(maxLength + 1));
  if (Array.isArray(value)) {
    if (schema.minItems !== undefined) wrong.push(value.slice(0, schema.minItems - 1));
    if (maxItems !== undefined)
      wrong.push(Array.from({ length: maxItems + 1 }, (_one, i) => value[i % value.length]));
  }
  if (type === 'object') {
    const object = value as Json;
    for (const name of schema.required ?? []) wrong.push(withAt(object, [name], undefined));
    if (schema.additionalProperties === false) wrong.push({ ...object, no_such_field: 1 });
  }
  return wrong;
}

/** The value with one rule of its schema broken, another one for another turn. */
export function drawBrokenValue(schema: Schema, value: unknown, turn: number): unknown {
  const ways = listPlaces(schema, value).flatMap((place) => wrongAt(place).map((put) => ({ place, put })));
  const way = ways[turn % Math.max(1, ways.length)];
  return way === undefined ? 'nonsense' : withAt(value, way.place.path, way.put);
}
