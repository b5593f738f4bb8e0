import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../contract/errors.ts';
import { ApiError } from './api-error.ts';

/** The part of a TypeBox error that is used here. */
export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Returns a JSON pointer as the contract names a field: `/images/2/url` → `images[2].url`. */
function fieldOf(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
      '',
    );
}

function at(value: unknown, instancePath: string): unknown {
  let here = value;
  for (const step of instancePath.split('/').slice(1)) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string, unknown>)[step];
  }
  return here;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function need(error: SchemaError): string {
  const { params } = error;
  switch (error.keyword) {
    case 'enum':
      return Array.isArray(params.allowedValues)
        ? `must be one of ${params.allowedValues.join(', ')}`
        : error.message;
    case 'type':
      return `must be ${String(params.type)}`;
    default:
      return error.message;
  }
}

/** Returns the contract's code for a field that breaks its schema. */
function codeOf(field: string, keyword: string): ErrorCode {
  if (field === 'images' && (keyword === 'minItems' || keyword === 'required')) return 'INSUFFICIENT_IMAGES';
  if (field === 'images' && keyword === 'maxItems') return 'TOO_MANY_IMAGES';
  if (/^damages\b/.test(field)) return 'INVALID_DAMAGE_DATA';
  if (field.endsWith('labor_rate_region')) return 'INVALID_REGION';
  if (/(^|\.)currency$/.test(field)) return 'INVALID_CURRENCY';
  return 'INVALID_REQUEST';
}

/**
 * Returns the contract's error for what a schema found; the shallowest finding counts, so that causes come before
 * effects.
 */
function validationError(errors: readonly SchemaError[], value: unknown, where: string): ApiError {
  const depth = (e: SchemaError) => e.instancePath.split('/').length + (e.keyword === 'required' ? 1 : 0);
  const first = [...errors].sort((a, b) => depth(a) - depth(b))[0];
  if (first === undefined)
    return new ApiError('INVALID_REQUEST', `The ${where} is not as described in the API document.`);
  if (first.keyword === 'required') {
    const missing = first.params.requiredProperties;
    const name = Array.isArray(missing) ? String(missing[0]) : '';
    const parent = fieldOf(first.instancePath);
    const field = parent === '' ? name : `${parent}.${name}`;
    const code = codeOf(field, 'required');
    const message =
      code === 'INSUFFICIENT_IMAGES'
        ? 'At least 4 images are required; none was sent.'
        : `${field} is missing.`;
    return new ApiError(code, message, { field });
  }
  const field = fieldOf(first.instancePath);
  const found = at(value, first.instancePath);
  const code = codeOf(field, first.keyword);
  if (code === 'INSUFFICIENT_IMAGES' || code === 'TOO_MANY_IMAGES') {
    const count = Array.isArray(found) ? found.length : 0;
    const rule =
      code === 'INSUFFICIENT_IMAGES' ? 'At least 4 images are required' : 'At most 50 images are taken';
    return new ApiError(code, `${rule}; ${count} ${count === 1 ? 'was' : 'were'} sent.`, { field });
  }
  if (field === '') return new ApiError(code, `The ${where} ${need(first)}, found ${shown(found)}.`);
  return new ApiError(code, `${field} ${need(first)}, found ${shown(found)}.`, { field });
}

/** Converts whole numbers of a query or path, which arrive as text; any other text stays and fails its schema. */
function convertText(schema: TSchema, value: unknown): unknown {
  const { properties } = schema as { properties?: Record<string, { type?: unknown }> };
  if (typeof value !== 'object' || value === null || !properties) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      const whole = Object.hasOwn(properties, name) && properties[name]?.type === 'integer';
      return [name, whole && typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text];
    }),
  );
}

/**
 * Returns the fault of a list of the body that is longer than its schema allows, found without looking at its entries.
 */
function tooLong(schema: TSchema, value: unknown): SchemaError | undefined {
  const { properties } = schema as { properties?: Record<string, { maxItems?: number }> };
  if (typeof value !== 'object' || value === null || !properties) return undefined;
  for (const [name, { maxItems }] of Object.entries(properties)) {
    const list = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    if (maxItems !== undefined && Array.isArray(list) && list.length > maxItems) {
      const message = `must not have more than ${maxItems} items`;
      return { keyword: 'maxItems', instancePath: `/${name}`, params: { limit: maxItems }, message };
    }
  }
  return undefined;
}

/** A schema of a route and the part of the request it describes. */
export interface RouteSchema {
  readonly schema: unknown;
  readonly httpPart?: string;
}

/** The part of a compiled TypeBox schema that is used here. */
export interface Compiled {
  Check(value: unknown): boolean;
  Errors(value: unknown): unknown;
}

/** Validates bodies as they are, and queries and paths after conversion of their whole numbers. */
export function createValidator({ schema, httpPart }: RouteSchema, compiled: () => Compiled) {
  const typed = schema as TSchema;
  const where = httpPart === 'querystring' ? 'query' : httpPart === 'params' ? 'path' : 'request body';
  return (value: unknown): { value: unknown } | { error: Error } => {
    const input = httpPart === 'body' ? value : convertText(typed, value);
    const long = tooLong(typed, input);
    if (long) return { error: validationError([long], input, where) };
    if (compiled().Check(input)) return { value: input };
    return { error: validationError(compiled().Errors(input) as SchemaError[], input, where) };
  };
}
