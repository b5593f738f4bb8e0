import type { Static, TObject, TProperties, TSchema, Type as TypeBox } from 'typebox';

export type { Static, TProperties, TSchema };

type Options = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, object>>;

/** Marks a schema property as optional; omitted from the JSON. */
const OPTIONAL = Symbol('optional');

function makeOptional(schema: object): object {
  return Object.defineProperty({ ...schema }, OPTIONAL, { value: true });
}

function defineObject(properties: Properties, options: Options = {}): object {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
}

const defineType =
  (type: string) =>
  (options: Options = {}) => ({ type, ...options });

const builder = {
  String: defineType('string'),
  Number: defineType('number'),
  Integer: defineType('integer'),
  Boolean: defineType('boolean'),
  Null: defineType('null'),
  Unknown: () => ({}),
  Unsafe: (schema: object) => ({ ...schema }),
  Literal: (value: unknown, options: Options = {}) => ({ type: typeof value, const: value, ...options }),
  Array: (items: object, options: Options = {}) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly object[], options: Options = {}) => ({ anyOf, ...options }),
  Record: (_key: object, value: object, options: Options = {}) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Object: defineObject,
  Optional: makeOptional,
  Partial: ({ properties }: { readonly properties: Properties }, options: Options = {}) =>
    defineObject(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, makeOptional(schema)])),
      options,
    ),
};

/**
 * Builds JSON Schema typed as TypeBox, which infers the type of a validated value. TypeBox's own builder would cost 0.2
 * s at every start, and only the JSON of a schema is used.
 */
export const Type = builder as unknown as Pick<typeof TypeBox, keyof typeof builder>;

/** Key of a schema's name in the OpenAPI document, which defines it once; generated clients use it as a type name. */
export const SCHEMA_NAME = 'x-name';

/** Creates the schema of an object with a name in the OpenAPI document. */
export const NamedObject = <P extends TProperties>(
  name: string,
  properties: P,
  options: Options = {},
): TObject<P> => Type.Object(properties, { ...options, [SCHEMA_NAME]: name });

/** Creates the schema of an object that rejects unknown fields, to catch typos. */
export const ClosedObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** Creates the schema of a union of string literals from an `as const` list. */
export const StringEnum = <const T extends readonly string[]>(
  values: T,
  options: { description?: string } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
