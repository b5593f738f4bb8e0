import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { type Document, OpenAPIRouter, OpenAPIValidator, SetMatchType } from 'openapi-backend';

/** The part of a JSON Schema that requests are made from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** An operation of the document with its address. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<
    Record<
      string,
      { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
    >
  >;
}

/** A request as it goes over the wire. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The document with every reference replaced by what it refers to, as the requests here are made from schemas. */
export function dereference(document: object): object {
  const find = (reference: string) =>
    reference
      .split('/')
      .slice(1)
      .reduce((at: unknown, name) => (at as Record<string, unknown>)[name], document);
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string') return resolve(find($ref));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolve(one)]));
  };
  return resolve(document) as object;
}

/** What of a value a schema does not allow; undefined when all is well. */
export function faultsOf(schema: Schema | undefined, value: unknown): string | undefined {
  if (schema === undefined) return 'no schema';
  const ajv = new Ajv({ strict: false, allErrors: true });
  (formats as unknown as (to: typeof ajv) => void)(ajv);
  const allows = ajv.compile(schema);
  return allows(value) ? undefined : JSON.stringify(allows.errors);
}

/** Every keyword in a schema, properties and branches included. */
export function listKeywords(schema: Schema): readonly string[] {
  const { properties = {}, items, anyOf = [] } = schema;
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  return [...Object.keys(schema), ...inner.flatMap(listKeywords)];
}

/** A judge of requests and answers that knows nothing but the document: openapi-backend's validators. */
export function createJudge(document: object) {
  const definition = document as Document;
  const router = new OpenAPIRouter({ definition, apiRoot: '/' });
  const validator = new OpenAPIValidator({
    definition,
    router,
    coerceTypes: true,
    lazyCompileValidators: true,
    // Each validator judges a few answers: shorter code saves less than it takes to make.
    ajvOpts: { code: { optimize: false } },
    customizeAjv(ajv) {
      (formats as unknown as (to: typeof ajv) => void)(ajv);
      return ajv;
    },
  });
  const operations = router.getOperations() as unknown as Operation[];
  const t = (errors: unknown) => JSON.stringify(errors)?.slice(0, 600);
  return {
    operations,
    /** Whether the document allows the request. */
    allows(operation: Operation, { method, path, headers, body }: Sent): boolean {
      const request = { method, path, headers: { ...headers }, ...(body === undefined ? {} : { body }) };
      return validator.validateRequest(request, operation.operationId).valid;
    },
    /** What of the answer the document does not allow; undefined when all is well. */
    fault(operation: Operation, answer: Answer): string | undefined {
      const { operationId, responses } = operation;
      const { status, headers, text } = answer;
      const response = responses[String(status)];
      if (response === undefined) return `${status} is not declared: ${text.slice(0, 300)}`;
      const declared = validator.validateResponseHeaders({ ...headers }, operationId, {
        statusCode: status,
        setMatchType: SetMatchType.Superset,
      });
      if (!declared.valid) return `${status} lacks declared headers: ${t(declared.errors)}`;
      if (response.content === undefined) return text === '' ? undefined : `${status} has a body: ${text}`;
      const type = headers['content-type']?.split(';')[0] ?? '';
      if (response.content[type] === undefined) return `${status} is ${type}, which is not declared`;
      if (type !== 'application/json') return undefined;
      const { valid, errors } = validator.validateResponse(JSON.parse(text), operationId, status);
      return valid ? undefined : `${status} is not as declared: ${t(errors)} in ${text.slice(0, 300)}`;
    },
  };
}
