import fc from 'fast-check';
import type { Operation, Schema, Sent } from './document.ts';
import { drawBrokenValue, drawValidValue, isFreeText, listPlaces, withAt } from './requests.ts';
import { demoPhoto, findIds, JPEG, SIMULATE } from './running-service.ts';
import { SENSE } from './sensible-bodies.ts';

export const JSON_TYPE = 'application/json';
export const HOSTILE: readonly (readonly [name: string, body: string, type: string])[] = [
  ['nothing', '', JSON_TYPE],
  ['half an object', '{"vehicle_id":', JSON_TYPE],
  ['null', 'null', JSON_TYPE],
  ['a list', '[]', JSON_TYPE],
  ['a number too large', '1e999', JSON_TYPE],
  ['99 levels', `${'{"a":'.repeat(99)}1${'}'.repeat(99)}`, JSON_TYPE],
  ['a prototype', '{"__proto__":{"x":1}}', JSON_TYPE],
  ['plain text', 'hello', 'text/plain'],
  ['2 MiB', JSON.stringify({ vehicle_id: 'x'.repeat(2 * 1024 * 1024) }), JSON_TYPE],
];

export interface Drawn {
  readonly seed: number;
  readonly text: string;
}
export const drawn = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
});

const jsonSchema = (operation: Operation): Schema | undefined =>
  operation.requestBody?.content[JSON_TYPE]?.schema;

/** A request that the document allows. */
export async function drawValidRequest(operation: Operation, { seed, text }: Drawn): Promise<Sent> {
  let path = operation.path;
  for (const [name, id] of Object.entries(await findIds(operation, seed)))
    path = path.replace(`{${name}}`, id);
  const query = new URLSearchParams();
  for (const [i, { name, in: place, schema, examples }] of (operation.parameters ?? []).entries()) {
    const shown = Object.values(examples ?? {}).map((one) => one.value);
    if (place === 'query' && (seed + i) % 2 === 0)
      query.set(name, String(shown[seed % Math.max(1, shown.length)] ?? drawValidValue(schema, seed)));
  }
  const schema = jsonSchema(operation);
  const url = query.size === 0 ? path : `${path}?${query}`;
  if (schema === undefined) {
    const takesPhoto = operation.requestBody?.content['image/jpeg'] !== undefined;
    const photo = takesPhoto ? { headers: JPEG, body: await demoPhoto() } : { headers: {} };
    return { method: operation.method, path: url, ...photo };
  }
  let body = drawValidValue(schema, seed);
  const free = listPlaces(schema, body).filter(isFreeText);
  const place = free[seed % Math.max(1, free.length)];
  if (place !== undefined) body = withAt(body, place.path, text);
  const sense = SENSE[operation.operationId];
  if (sense !== undefined) body = await sense(body as Record<string, unknown>);
  return {
    method: operation.method,
    path: url,
    headers: {
      'content-type': 'application/json',
      // Photos are analyzed elsewhere; here the service's answers are what counts.
      ...(operation.operationId === 'createVisualInspection'
        ? { [SIMULATE]: seed % 2 === 0 ? 'failed' : 'processing' }
        : {}),
    },
    body: JSON.stringify(body),
  };
}

/** The address with another text where its template has this parameter. */
function withParameter(operation: Operation, path: string, name: string, text: string): string {
  const template = operation.path.split('/');
  const steps = path.split('/').map((step, i) => (template[i] === `{${name}}` ? text : step));
  return steps.join('/');
}

/** The request with one rule of the document broken, if there is any to break. */
export function drawBrokenRequest(operation: Operation, sent: Sent, { seed }: Drawn): Sent | undefined {
  const schema = jsonSchema(operation);
  const ways: (() => Sent)[] = [];
  if (schema !== undefined) {
    const broken = drawBrokenValue(schema, JSON.parse(String(sent.body ?? '')), seed);
    ways.push(() => ({ ...sent, body: JSON.stringify(broken) }));
  }
  for (const { name, in: place, schema: one } of operation.parameters ?? []) {
    if (place === 'path' && one.maxLength !== undefined) {
      const tooLong = 'x'.repeat(one.maxLength + 1);
      ways.push(() => ({ ...sent, path: withParameter(operation, sent.path, name, tooLong) }));
    }
    if (place !== 'query') continue;
    const value = String(drawBrokenValue(one, one.type === 'integer' ? 1 : 'x', seed));
    ways.push(() => ({
      ...sent,
      path: `${sent.path.split('?')[0]}?${new URLSearchParams({ [name]: value })}`,
    }));
  }
  return ways[seed % ways.length]?.();
}
