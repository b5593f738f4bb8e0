import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Operation, Schema } from '../../contract/document.ts';
import { openService } from '../../server/helpers/service.ts';

const FILE = join(import.meta.dirname, 'expected', 'wire-shapes.txt');

type Contents = NonNullable<Operation['requestBody']>['content'];
type Response = Operation['responses'][string];

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
  const document = (await openService()).app.document();
  expect(document.json.length).toBeLessThan(200_000);
  const { paths, components } = document.object as {
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
