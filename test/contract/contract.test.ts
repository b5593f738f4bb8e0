import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startServe } from '../helpers/serve.ts';
import {
  type Answer,
  dereference,
  faultsOf,
  judgeOf,
  keywordsOf,
  type Operation,
  type Schema,
  type Sent,
} from './document.ts';
import { brokenValue, isFreeText, placesOf, validValue, withAt } from './requests.ts';

/*
 * A client that knows the service only by its document: it makes requests from the schemas, breaks them one rule at a
 * time, and holds every answer against the document with validators that the service itself does not use.
 */
const service = await startServe([
  ...['--sandbox', '--ephemeral', '--allow-private-images', '--queue', '100000'],
]);
afterAll(async () => {
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});
const document = (await (await fetch(`${service.line.address}/v1/openapi.json`)).json()) as object;
const judge = judgeOf(dereference(document));
const operations = judge.operations.map((operation) => [operation.operationId, operation] as const);

type Body = Record<string, unknown> & { data: Record<string, string> };
const SIMULATE = 'x-vehi-simulate';

async function send({ method, path, headers, body }: Sent): Promise<Answer> {
  const answer = await fetch(`${service.line.address}${path}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${service.line.api_key}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
}

async function made(path: string, body: unknown, simulate?: string): Promise<Record<string, string>> {
  const answer = await send({
    method: 'post',
    path,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(simulate ? { [SIMULATE]: simulate } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return (JSON.parse(answer.text) as Body).data;
}

const photos = () =>
  service.line.demo_photos.slice(0, 4).map((url) => ({ url, angle: 'front', type: 'exterior' }));
const JPEG = { 'content-type': 'image/jpeg' };
const demoPhoto = async () =>
  new Uint8Array(await (await fetch(service.line.demo_photos[0] ?? '')).arrayBuffer());
const VISUAL = '/v1/inspections/visual';
const DAMAGES = [{ damage_id: 'd1', type: 'dent', location: 'hood' }];

/** Makes what a path parameter names. */
const THINGS: Readonly<Record<string, (turn: number) => Promise<Record<string, string>>>> = {
  async inspection_id(turn) {
    const { inspection_id = '' } = await made(
      VISUAL,
      { vehicle_id: 'v', images: photos() },
      turn % 2 === 0 ? 'processing' : 'failed',
    );
    return { inspection_id };
  },
  async assessment_id() {
    const { assessment_id = '' } = await made('/v1/inspections/damage-assessment', {
      vehicle_id: 'v',
      damages: DAMAGES,
    });
    return { assessment_id };
  },
  async webhook_id() {
    const { webhook_id = '' } = await made('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
    return { webhook_id };
  },
  async key_id() {
    const { key_id = '' } = await made('/v1/keys', { permissions: ['inspections:read'] });
    return { key_id };
  },
  async reviewed_id() {
    const { inspection_id = '' } = await made(VISUAL, { vehicle_id: 'v', images: photos() });
    return { inspection_id };
  },
  async upload_id() {
    const answer = await send({
      method: 'post',
      path: '/v1/uploads',
      headers: JPEG,
      body: await demoPhoto(),
    });
    const { upload_id = '' } = (JSON.parse(answer.text) as Body).data;
    return { upload_id };
  },
  async message_id() {
    const { webhook_id = '' } = await made('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
    const { message_id = '' } = await made(`/v1/webhooks/${webhook_id}/test`, undefined);
    return { webhook_id, message_id };
  },
};

const kept = new Map<string, Promise<Record<string, string>>>();
function idsOf(name: string, turn: number): Promise<Record<string, string>> {
  const key = `${name} ${turn % 2}`;
  const ids = kept.get(key) ?? THINGS[name]?.(turn) ?? Promise.resolve({});
  kept.set(key, ids);
  return ids;
}

/** The ids in an address; what an operation deletes is made for it, everything else is made once. */
async function idsFor(
  { method, parameters, path }: Operation,
  turn: number,
): Promise<Record<string, string>> {
  // What is reviewed has been analysed.
  if (path.includes('/review')) return idsOf('reviewed_id', 0);
  const last = parameters?.filter((one) => one.in === 'path').at(-1)?.name;
  if (last === undefined) return {};
  return method === 'delete' ? (THINGS[last]?.(turn) ?? {}) : idsOf(last, turn);
}

/** An account has few webhooks and keys: those that stand in no address to come go again. */
async function tidy({ operationId }: Operation): Promise<void> {
  if (['createKey', 'rotateKey', 'revokeKey'].includes(operationId)) await tidyKeys();
  if (!['createWebhook', 'deleteWebhook'].includes(operationId)) return;
  const all = await send({ method: 'get', path: '/v1/webhooks', headers: {} });
  const { webhooks } = (JSON.parse(all.text) as { data: { webhooks: { webhook_id: string }[] } }).data;
  const needed = new Set((await Promise.all(kept.values())).map((ids) => ids.webhook_id));
  for (const { webhook_id } of webhooks.filter((one) => !needed.has(one.webhook_id)))
    await send({ method: 'delete', path: `/v1/webhooks/${webhook_id}`, headers: {} });
}

async function tidyKeys(): Promise<void> {
  const all = await send({ method: 'get', path: '/v1/keys', headers: {} });
  const { keys } = (JSON.parse(all.text) as { data: { keys: Record<string, string>[] } }).data;
  const needed = new Set((await Promise.all(kept.values())).map((ids) => ids.key_id));
  const others = keys.filter(({ key_id, hint = '', status }) => {
    const own = service.line.api_key.endsWith(hint.split('…')[1] ?? '');
    return status === 'valid' && !own && !needed.has(key_id ?? '');
  });
  for (const { key_id } of others) await send({ method: 'delete', path: `/v1/keys/${key_id}`, headers: {} });
}

/** Extensions of an assessment that name its lines and its currency: with lines and a currency that it has. */
function estimateOf(body: Record<string, unknown>): Record<string, unknown> {
  const edits = (body.line_edits as { add?: object }[] | undefined)?.filter((edit) => edit.add !== undefined);
  const terms = body.settlement as Record<string, unknown> | undefined;
  const shares = (list: unknown) =>
    (list as { of?: string }[] | undefined)?.map(({ of: _one, ...rest }) => ({ ...rest, amount: 5 }));
  const vehicle = body.vehicle as { vin?: string; currency?: string } | undefined;
  const options = body.assessment_options as { currency?: string } | undefined;
  const currency = options?.currency === undefined ? 'USD' : 'EUR';
  return {
    ...(edits && { line_edits: edits.map((edit) => ({ ...edit, add: { ...edit.add, price: 5 } })) }),
    ...(options?.currency === undefined ? {} : { assessment_options: { ...options, currency } }),
    ...(vehicle && {
      vehicle: {
        ...vehicle,
        ...(vehicle.vin === undefined ? {} : { vin: '1M8GDM9AXKP042788' }),
        ...(vehicle.currency === undefined ? {} : { currency: 'EUR' }),
      },
    }),
    ...(terms && {
      settlement: {
        ...terms,
        ...(terms.betterment === undefined ? {} : { betterment: shares(terms.betterment) }),
        ...(terms.prior_damage === undefined ? {} : { prior_damage: shares(terms.prior_damage) }),
      },
    }),
    ...(body.supplement_to === undefined
      ? {}
      : { supplement_to: { ...(body.supplement_to as object), currency, version: 'E01', history: [] } }),
  };
}

/** What a schema cannot say: which photos, inspections and damages there are. */
const SENSE: Readonly<Record<string, (body: Record<string, unknown>) => Promise<unknown>>> = {
  changeReview: async (body) => ({
    ...(await withRevision(body)),
    decisions: [{ decision: 'nothing_more', image_index: 1 }],
  }),
  finishReview: withRevision,
  placeBox: async (body) => ({ ...body, image_index: 0, box: { x: 600, y: 400, width: 90, height: 60 } }),
  async createVisualInspection(body) {
    const urls = service.line.demo_photos;
    const images = (body.images as object[]).map((image, i) => ({ ...image, url: urls[i % urls.length] }));
    return { ...body, images };
  },
  async createDamageAssessment(body) {
    const damages = (body.damages as object[]).map((damage, i) => ({ ...damage, damage_id: `d${i}` }));
    const overrides = (body.overrides as { option?: string; price?: number }[] | undefined)
      ?.slice(0, damages.length)
      .map(({ option: _one, price: _two, ...override }, i) => ({ ...override, damage_id: `d${i}` }));
    const { inspection_id: given, ...rest } = body;
    const known = given === undefined ? {} : await idsOf('inspection_id', 0);
    return {
      ...rest,
      ...known,
      damages,
      ...(overrides === undefined ? {} : { overrides }),
      ...estimateOf(body),
    };
  },
};

async function withRevision(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { inspection_id = '' } = await idsOf('reviewed_id', 0);
  const answer = await send({ method: 'get', path: `${VISUAL}/${inspection_id}/review`, headers: {} });
  return { ...body, revision: (JSON.parse(answer.text) as { data: { revision: number } }).data.revision };
}

const JSON_TYPE = 'application/json';
const HOSTILE: readonly (readonly [name: string, body: string, type: string])[] = [
  ['nothing', '', JSON_TYPE],
  ['half an object', '{"vehicle_id":', JSON_TYPE],
  ['null', 'null', JSON_TYPE],
  ['a list', '[]', JSON_TYPE],
  ['a text', '"x"', JSON_TYPE],
  ['a number too large', '1e999', JSON_TYPE],
  ['99 levels', `${'{"a":'.repeat(99)}1${'}'.repeat(99)}`, JSON_TYPE],
  ['a prototype', '{"__proto__":{"x":1}}', JSON_TYPE],
  ['plain text', 'hello', 'text/plain'],
  ['XML', '<a/>', 'application/xml'],
  ['2 MiB', JSON.stringify({ vehicle_id: 'x'.repeat(2 * 1024 * 1024) }), JSON_TYPE],
];

interface Drawn {
  readonly seed: number;
  readonly text: string;
}
const drawn = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
});

const jsonSchema = (operation: Operation): Schema | undefined =>
  operation.requestBody?.content['application/json']?.schema;

/** A request that the document allows. */
async function validRequest(operation: Operation, { seed, text }: Drawn): Promise<Sent> {
  let path = operation.path;
  for (const [name, id] of Object.entries(await idsFor(operation, seed)))
    path = path.replace(`{${name}}`, id);
  const query = new URLSearchParams();
  for (const [i, { name, in: place, schema, examples }] of (operation.parameters ?? []).entries()) {
    const shown = Object.values(examples ?? {}).map((one) => one.value);
    if (place === 'query' && (seed + i) % 2 === 0)
      query.set(name, String(shown[seed % Math.max(1, shown.length)] ?? validValue(schema, seed)));
  }
  const schema = jsonSchema(operation);
  const url = query.size === 0 ? path : `${path}?${query}`;
  if (schema === undefined) return { method: operation.method, path: url, headers: {} };
  let body = validValue(schema, seed);
  const free = placesOf(schema, body).filter(isFreeText);
  const place = free[seed % Math.max(1, free.length)];
  if (place !== undefined) body = withAt(body, place.path, text);
  const sense = SENSE[operation.operationId];
  if (sense !== undefined) body = await sense(body as Record<string, unknown>);
  return {
    method: operation.method,
    path: url,
    headers: {
      'content-type': 'application/json',
      // Photos are analysed elsewhere; here the service's answers are what counts.
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
function brokenRequest(operation: Operation, sent: Sent, { seed }: Drawn): Sent | undefined {
  const schema = jsonSchema(operation);
  const ways: (() => Sent)[] = [];
  if (schema !== undefined) {
    const broken = brokenValue(schema, JSON.parse(String(sent.body ?? '')), seed);
    ways.push(() => ({ ...sent, body: JSON.stringify(broken) }));
  }
  for (const { name, in: place, schema: one } of operation.parameters ?? []) {
    if (place === 'path' && one.maxLength !== undefined) {
      const tooLong = 'x'.repeat(one.maxLength + 1);
      ways.push(() => ({ ...sent, path: withParameter(operation, sent.path, name, tooLong) }));
    }
    if (place !== 'query') continue;
    const value = String(brokenValue(one, one.type === 'integer' ? 1 : 'x', seed));
    ways.push(() => ({
      ...sent,
      path: `${sent.path.split('?')[0]}?${new URLSearchParams({ [name]: value })}`,
    }));
  }
  return ways[seed % ways.length]?.();
}

/** Runs a property; each run prints its own seed, which no shrinking would make simpler. */
async function hold(runs: number, check: (draw: Drawn) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(drawn, check), {
    numRuns: runs,
    endOnFailure: true,
    includeErrorInReport: true,
  });
}

function expectAsDeclared(operation: Operation, sent: Sent, answer: Answer): void {
  const fault = judge.fault(operation, answer);
  if (fault !== undefined || answer.status >= 500)
    throw new Error(`${sent.method} ${sent.path} ${sent.body ?? ''}\n→ ${fault ?? answer.text}`);
}

it('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document) as Record<string, unknown>)).toEqual({
    valid: true,
  });
  expect(operations.length).toBeGreaterThanOrEqual(9);
});

const examples = operations.flatMap(([id, operation]) => {
  const { example } = operation.requestBody?.content['application/json'] ?? {};
  return example === undefined ? [] : [[id, operation, example] as const];
});

it('requests are described in the keywords that the service judges by', () => {
  const described = judge.operations.flatMap(({ parameters = [], requestBody }) => [
    ...parameters.map(({ schema }) => schema),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
  ]);
  expect([...new Set(described.flatMap(keywordsOf))].sort()).toEqual([
    ...['additionalProperties', 'anyOf', 'contentMediaType', 'default', 'description', 'enum', 'examples'],
    ...['exclusiveMinimum', 'format', 'items', 'maxItems', 'maxLength', 'maximum', 'minItems', 'minLength'],
    ...['minimum', 'pattern', 'properties', 'required', 'type'],
  ]);
});

describe('the examples of the document', () => {
  it('stand at every operation that takes a body', () => {
    const withBody = operations.filter(
      ([, { requestBody }]) => requestBody?.content['application/json'] !== undefined,
    );
    expect(examples.map(([id]) => id)).toEqual(withBody.map(([id]) => id));
  });

  it.each(examples)('%s: is taken as it is', async (_id, operation, example) => {
    const ids = await idsFor(operation, 0);
    const path = Object.entries(ids).reduce(
      (url, [name, id]) => url.replace(`{${name}}`, id),
      operation.path,
    );
    const headers = { 'content-type': 'application/json' };
    const isReview = ['changeReview', 'finishReview'].includes(operation.operationId);
    const body = isReview ? await withRevision(example as Record<string, unknown>) : example;
    const sent = { method: operation.method, path, headers, body: JSON.stringify(body) };
    expect(judge.allows(operation, sent)).toBe(true);
    const answer = await send(sent);
    expectAsDeclared(operation, sent, answer);
    expect([answer.status < 300, answer.text]).toEqual([true, expect.any(String)]);
    await tidy(operation);
  });
});

it('names the types that a generated client needs, and the events that are sent', () => {
  const { components, webhooks, servers } = document as {
    components: { schemas: Record<string, { type?: string }> };
    webhooks: Record<string, unknown>;
    servers: { url: string }[];
  };
  for (const name of ['VisualInspection', 'Damage', 'DamageAssessment', 'RepairOption', 'Error', 'Webhook'])
    expect([name, components.schemas[name]?.type]).toEqual([name, 'object']);
  const text = JSON.stringify(document);
  for (const name of Object.keys(components.schemas).filter((one) => one !== 'Error'))
    expect([name, text.includes(`"#/components/schemas/${name}"`)]).toEqual([name, true]);
  expect(Object.keys(webhooks)).toEqual([
    'visual_inspection.completed',
    'damage_assessment.completed',
    'visual_inspection.failed',
    'visual_inspection.reviewed',
  ]);
  expect(servers).toEqual([{ url: '/' }]);
  const { oem_price: price } = (components.schemas.PartRequired as Schema).properties ?? {};
  expect((price as { description?: string }).description).toContain('`oem_list_price`');
});

describe('the events of the document', () => {
  const { webhooks } = dereference(document) as {
    webhooks: Record<string, { post: Pick<Operation, 'requestBody'> }>;
  };
  const contents = Object.entries(webhooks).map(([event, { post }]) => {
    const { schema, example } = post.requestBody?.content[JSON_TYPE] ?? {};
    return [event, schema, example] as const;
  });

  it.each(contents)('%s: has an example that its schema allows', (event, schema, example) => {
    expect([(example as Body | undefined)?.event, faultsOf(schema, example)]).toEqual([event, undefined]);
  });

  it('is what is sent', async () => {
    const sent = new Map<string, unknown>();
    const receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        const event = JSON.parse(text) as Body;
        sent.set(String(event.event), { headers: request.headers, event });
        response.end();
      });
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const { port } = receiver.address() as AddressInfo;
    const events = contents.map(([event]) => event);
    const hook = await made('/v1/webhooks', { url: `http://127.0.0.1:${port}/`, events });
    const images = photos();
    const options = { generate_report: false };
    await made(VISUAL, { vehicle_id: 'v', images, options }, 'failed');
    await made('/v1/inspections/damage-assessment', { vehicle_id: 'v', damages: DAMAGES });
    await expect
      .poll(() => [...sent.keys()].sort())
      .toEqual(['damage_assessment.completed', 'visual_inspection.failed']);
    for (const [event, schema] of contents) {
      if (!sent.has(event)) continue;
      const { headers, event: body } = sent.get(event) as { headers: object; event: unknown };
      expect([event, faultsOf(schema, body)]).toEqual([event, undefined]);
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature']),
      );
    }
    await send({ method: 'delete', path: `/v1/webhooks/${hook.webhook_id}`, headers: {} });
    receiver.close();
  });
});

describe.each(operations)('%s', (_id, operation) => {
  afterEach(() => tidy(operation));

  it('answers what the document allows with a declared success', async () => {
    await hold(4, async (draw) => {
      const sent = await validRequest(operation, draw);
      if (!judge.allows(operation, sent)) throw new Error(`not a valid request: ${sent.path} ${sent.body}`);
      const answer = await send(sent);
      expectAsDeclared(operation, sent, answer);
      if (answer.status >= 300) throw new Error(`${sent.path} ${sent.body}\n→ ${answer.text}`);
    });
  });

  const hasRules =
    operation.requestBody !== undefined ||
    operation.parameters?.some(({ in: place }) => place === 'query' || place === 'path');
  it('refuses what breaks one rule of the document with a declared 4xx', async ({ skip }) => {
    skip(!hasRules, 'takes no body, no query and no id: there is no rule to break');
    let broke = 0;
    await hold(10, async (draw) => {
      const sent = await validRequest(operation, draw);
      const broken = brokenRequest(operation, sent, draw);
      if (broken === undefined || judge.allows(operation, broken)) return;
      broke++;
      const answer = await send(broken);
      expectAsDeclared(operation, broken, answer);
      if (answer.status < 400) throw new Error(`accepted: ${broken.path} ${broken.body}`);
    });
    expect(broke).toBeGreaterThan(0);
  });

  it('answers ids, queries and headers of any text as declared', async () => {
    await hold(4, async (draw) => {
      const { seed, text } = draw;
      const anything = ['.', '..'].includes(text) ? 'x' : encodeURIComponent(text);
      const path = operation.path.replaceAll(/\{[^}]+\}/g, anything);
      const query = new URLSearchParams(
        (operation.parameters ?? [])
          .filter((one) => one.in === 'query')
          .map(({ name }): [string, string] => [name, text]),
      );
      const valid = await validRequest(operation, draw);
      const headers = {
        ...valid.headers,
        prefer: 'x'.repeat(seed % 99),
        'idempotency-key': 'x'.repeat(seed % 300),
      };
      const sent = { ...valid, path: query.size === 0 ? path : `${path}?${query}`, headers };
      expectAsDeclared(operation, sent, await send(sent));
    });
  });

  const takesBody = operation.requestBody !== undefined;
  const bodies = operation.method === 'get' ? [] : HOSTILE;
  it.each(bodies)('answers a body of %s as declared', async (_name, body, type) => {
    const valid = await validRequest(operation, { seed: 1, text: 'x' });
    const sent = { ...valid, body, headers: { 'content-type': type } };
    const answer = await send(sent);
    expectAsDeclared(operation, sent, answer);
    if (takesBody) expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('answers without a key, and with an unknown one, as declared', async () => {
    const valid = await validRequest(operation, { seed: 1, text: 'x' });
    for (const authorization of ['', 'Bearer', 'Bearer dev_unknown', 'Bearer prod_unknown', 'Basic eDp5']) {
      const sent = { ...valid, headers: { ...valid.headers, authorization } };
      const answer = await send(sent);
      expectAsDeclared(operation, sent, answer);
      expect(answer.status).toBe(401);
    }
  });

  it('shows every declared error as declared (X-Vehi-Simulate)', async () => {
    const valid = await validRequest(operation, { seed: 1, text: 'x' });
    const codes = Object.entries(operation.responses).flatMap(([status, { content }]) => {
      const { error } = content?.['application/json']?.schema.properties ?? {};
      return (error?.properties?.code?.enum ?? []).map((code) => [Number(status), String(code)] as const);
    });
    expect(codes.length).toBeGreaterThan(5);
    for (const [status, code] of codes) {
      const answer = await send({ ...valid, headers: { ...valid.headers, [SIMULATE]: code } });
      expect([judge.fault(operation, answer), answer.status]).toEqual([undefined, status]);
    }
  });
});
