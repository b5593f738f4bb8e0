import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import type { Backend } from '../../../src/server/backend.ts';
import { createClock } from '../../../src/server/clock.ts';
import { DEFAULT_SETTINGS } from '../../../src/server/server-settings.ts';
import { openTemporaryStore } from '../../../src/storage/sqlite/store.ts';

const FILE = join(import.meta.dirname, 'expected', 'wire-shapes.txt');

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly string[];
  readonly [keyword: string]: unknown;
}

interface Operation {
  readonly parameters?: readonly (Schema & {
    name: string;
    in: string;
    required?: boolean;
    schema: Schema;
  })[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>;
}
interface Response {
  readonly content?: Contents;
}
type Contents = Readonly<Record<string, { readonly schema?: Schema }>>;

/** What a schema says to people; every other keyword is part of the shape. */
const WORDS = new Set(['description', 'examples', 'example', 'title']);
const NESTED = new Set(['properties', 'required', 'items', 'anyOf', 'additionalProperties', '$ref', 'type']);

/** Returns one line per field: where it is, `?` where it may be absent, its type and every bound on it. */
function listFields(path: string, schema: Schema): string[] {
  const { $ref, properties = {}, required = [], items, anyOf = [], additionalProperties } = schema;
  const bounds = Object.entries(schema)
    .filter(([keyword]) => !WORDS.has(keyword) && !NESTED.has(keyword))
    .map(([keyword, value]) => `${keyword} ${JSON.stringify(value)}`);
  const closed = additionalProperties === false ? ['closed'] : [];
  const words = [$ref?.split('/').at(-1) ?? schema.type ?? (anyOf.length > 0 ? 'any of' : 'anything')];
  return [
    `${path}: ${[...words, ...bounds, ...closed].join(' ')}`,
    ...Object.entries(properties).flatMap(([name, one]) =>
      listFields(`${path}.${name}${required.includes(name) ? '' : '?'}`, one),
    ),
    ...(items ? listFields(`${path}[]`, items) : []),
    ...anyOf.flatMap((one, index) => listFields(`${path}<${index}>`, one)),
    ...(typeof additionalProperties === 'object' ? listFields(`${path}.*`, additionalProperties) : []),
  ];
}

function listContents(path: string, contents: Contents = {}): string[] {
  return Object.entries(contents).flatMap(([type, { schema = {} }]) => listFields(`${path} ${type}`, schema));
}

function listOperation(
  name: string,
  { parameters = [], requestBody, responses }: Operation,
  shared: Readonly<Record<string, Response>>,
): string[] {
  return [
    ...parameters.flatMap((one) =>
      listFields(`${name} ${one.in} ${one.name}${one.required ? '' : '?'}`, one.schema),
    ),
    ...listContents(`${name} body`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { $ref, ...own }]) => {
      const { content } = $ref === undefined ? own : (shared[$ref.split('/').at(-1) ?? ''] ?? {});
      if (Number(status) >= 400) return [`${name} ${status}: ${listCodes(content)}`];
      return content ? listContents(`${name} ${status}`, content) : [`${name} ${status}`];
    }),
  ];
}

/** Names no regions and currencies: the document needs nothing else of the backend. */
const NO_BACKEND = { assessor: { regions: [], currencies: [] } } as unknown as Backend;

/** Returns the OpenAPI document of a service that does not listen. */
async function readDocument(): Promise<object> {
  const store = openTemporaryStore();
  const app = await createApp({
    backend: NO_BACKEND,
    store,
    clock: createClock(),
    settings: DEFAULT_SETTINGS,
  });
  try {
    await app.ready();
    return app.document().object;
  } finally {
    await app.close();
    await store.close();
  }
}

/** Returns the codes of an error: all errors are of one shape, which the component has. */
function listCodes(content: Contents | undefined): string {
  const schema = content?.['application/json']?.schema;
  return schema?.properties?.error?.properties?.code?.enum?.join(' ') ?? 'any code';
}

/**
 * Clients are written to these fields and bounds: a line that changes breaks one of them. Written by
 * `UPDATE=1 npx vitest run --project unit test/unit/contract`.
 */
it('every field of the contract has the type and the bounds that clients rely on', async () => {
  const document = await readDocument();
  expect(JSON.stringify(document).length).toBeLessThan(200_000);
  const { paths, components } = document as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
  };
  const lines = [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, one]) =>
        listOperation(`${method} ${path}`, one, components.responses),
      ),
    ),
    ...Object.entries(components.schemas).flatMap(([name, schema]) => listFields(name, schema)),
  ];
  const text = `${lines.join('\n')}\n`;
  if (process.env.UPDATE) writeFileSync(FILE, text);
  expect(text).toBe(readFileSync(FILE, 'utf8'));
});
