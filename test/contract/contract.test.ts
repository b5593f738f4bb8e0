import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../server/helpers/listen.ts';
import {
  type Answer,
  createJudge,
  dereference,
  faultsOf,
  listKeywords,
  type Operation,
  type Sent,
} from './document.ts';
import {
  type Drawn,
  drawBrokenRequest,
  drawn,
  drawValidRequest,
  HOSTILE,
  JSON_TYPE,
} from './drawn-requests.ts';
import {
  type Body,
  DAMAGES,
  findIds,
  listIds,
  made,
  photos,
  removeMade,
  SIMULATE,
  send,
  service,
  VISUAL,
} from './running-service.ts';
import { withRevision } from './sensible-bodies.ts';

/*
 * A client that knows the service only by its document: it makes requests from the schemas, breaks them one rule at a
 * time, and holds every answer against the document with validators that the service itself does not use.
 */
afterAll(async () => {
  expect((await service.stop()).code).toBe(0);
});
const document = (await (await fetch(`${service.line.address}/v1/openapi.json`)).json()) as object;
const judge = createJudge(dereference(document));
const operations = judge.operations.map((operation) => [operation.operationId, operation] as const);

/** Runs a property of an operation; each run prints its own seed, which no shrinking would make simpler. */
async function hold(
  operation: Operation,
  runs: number,
  check: (draw: Drawn) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(drawn, check).afterEach(() => removeMade(operation));
  await fc.assert(property, { numRuns: runs, endOnFailure: true, includeErrorInReport: true });
}

function expectAsDeclared(operation: Operation, sent: Sent, answer: Answer): void {
  const fault = judge.fault(operation, answer) ?? (answer.status >= 500 ? answer.text : undefined);
  expect(fault, `${sent.method} ${sent.path} ${sent.body ?? ''}`).toBeUndefined();
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
  expect([...new Set(described.flatMap(listKeywords))].sort()).toEqual([
    ...['additionalProperties', 'anyOf', 'contentMediaType', 'default', 'description', 'enum', 'examples'],
    ...['exclusiveMinimum', 'format', 'items', 'maxItems', 'maxLength', 'maximum', 'minItems', 'minLength'],
    ...['minimum', 'pattern', 'properties', 'required', 'type'],
  ]);
});

describe('the examples of the document', { tags: ['slow'] }, () => {
  it('stand at every operation that takes a body', () => {
    const withBody = operations.filter(
      ([, { requestBody }]) => requestBody?.content['application/json'] !== undefined,
    );
    expect(examples.map(([id]) => id)).toEqual(withBody.map(([id]) => id));
  });

  it.each(examples)('%s: is taken as it is', async (_id, operation, example) => {
    const ids = await findIds(operation, 0);
    const path = Object.entries(ids).reduce(
      (url, [name, id]) => url.replace(`{${name}}`, id),
      operation.path,
    );
    // What models find is held below, on one photo.
    const isVisual = operation.operationId === 'createVisualInspection';
    const headers = { 'content-type': JSON_TYPE, ...(isVisual && { [SIMULATE]: 'processing' }) };
    const isReview = ['changeReview', 'finishReview'].includes(operation.operationId);
    const body = isReview ? await withRevision(example as Record<string, unknown>) : example;
    const sent = { method: operation.method, path, headers, body: JSON.stringify(body) };
    expect(judge.allows(operation, sent)).toBe(true);
    const answer = await send(sent);
    expectAsDeclared(operation, sent, answer);
    expect([answer.status < 300, answer.text]).toEqual([true, expect.any(String)]);
    await removeMade(operation);
  });

  it('what models find is answered as declared', async () => {
    const operation = judge.operations.find((one) => one.operationId === 'getVisualInspection');
    const { inspection_id } = await listIds('reviewed_id', 0);
    const sent = { method: 'get', path: `${VISUAL}/${inspection_id}`, headers: {} };
    const answer = await send(sent);
    expectAsDeclared(operation as Operation, sent, answer);
    expect(answer.text).toContain('"uncertainty_cm"');
  });
});

it('names the types that a generated client needs, and the events that are sent without a key', () => {
  const { components, webhooks, servers } = document as {
    components: { schemas: Record<string, { type?: string }> };
    webhooks: Record<string, { post: { security?: unknown } }>;
    servers: { url: string }[];
  };
  const names = ['VisualInspection', 'Damage', 'DamageAssessment', 'RepairOption', 'Error', 'Webhook'];
  expect(names.map((name) => components.schemas[name]?.type)).toEqual(names.map(() => 'object'));
  const text = JSON.stringify(document);
  const unused = Object.keys(components.schemas).filter(
    (name) => !text.includes(`"#/components/schemas/${name}"`),
  );
  expect(unused).toEqual(['Error']);
  // Validators ask each operation for it: these carry a signature, no key.
  for (const { post } of Object.values(webhooks)) expect(post.security).toEqual([]);
  expect(servers).toEqual([{ url: '/' }]);
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

  it('is what is sent', { tags: ['slow'] }, async () => {
    const { url, received, close } = await startReceiver();
    const events = contents.map(([event]) => event);
    const hook = await made('/v1/webhooks', { url, events });
    const options = { generate_report: false };
    await made(VISUAL, { vehicle_id: 'v', images: photos(), options }, 'failed');
    await made('/v1/inspections/damage-assessment', { vehicle_id: 'v', damages: DAMAGES });
    await expect.poll(() => received.length).toBe(2);
    const sent = received.map(({ body }) => JSON.parse(body) as Body);
    expect(sent.map(({ event }) => event).sort()).toEqual([
      'damage_assessment.completed',
      'visual_inspection.failed',
    ]);
    for (const event of sent) {
      const [, schema] = contents.find(([name]) => name === event.event) ?? [];
      expect(faultsOf(schema, event)).toBeUndefined();
    }
    await send({ method: 'delete', path: `/v1/webhooks/${hook.webhook_id}`, headers: {} });
    await close();
  });
});

describe.each(operations)('%s', { tags: ['slow'] }, (_id, operation) => {
  afterEach(() => removeMade(operation));

  it('answers what the document allows with a declared success', async () => {
    await hold(operation, 3, async (draw) => {
      const sent = await drawValidRequest(operation, draw);
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
    await hold(operation, 6, async (draw) => {
      const sent = await drawValidRequest(operation, draw);
      const broken = drawBrokenRequest(operation, sent, draw);
      if (broken === undefined || judge.allows(operation, broken)) return;
      broke++;
      const answer = await send(broken);
      expectAsDeclared(operation, broken, answer);
      if (answer.status < 400) throw new Error(`accepted: ${broken.path} ${broken.body}`);
    });
    expect(broke).toBeGreaterThan(0);
  });

  it('answers ids, queries and headers of any text as declared', async () => {
    await hold(operation, 3, async (draw) => {
      const { seed, text } = draw;
      const anything = ['.', '..'].includes(text) ? 'x' : encodeURIComponent(text);
      const path = operation.path.replaceAll(/\{[^}]+\}/g, anything);
      const query = new URLSearchParams(
        (operation.parameters ?? [])
          .filter((one) => one.in === 'query')
          .map(({ name }): [string, string] => [name, text]),
      );
      const valid = await drawValidRequest(operation, draw);
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
  // Those that read no body are sent one that is cut off, and one that is too large.
  const bodies =
    operation.method === 'get' ? [] : HOSTILE.filter(([name]) => takesBody || /^half|MiB$/.test(name));
  it.each(bodies)('answers a body of %s as declared', async (_name, body, type) => {
    const valid = await drawValidRequest(operation, { seed: 1, text: 'x' });
    const sent = { ...valid, body, headers: { 'content-type': type } };
    const answer = await send(sent);
    expectAsDeclared(operation, sent, answer);
    const isAllowed = !takesBody || (body === '' && !operation.requestBody?.required);
    if (!isAllowed) expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('answers without a key, and with an unknown one, as declared', async () => {
    const valid = await drawValidRequest(operation, { seed: 1, text: 'x' });
    for (const authorization of ['', 'Bearer', 'Bearer dev_unknown', 'Bearer prod_unknown', 'Basic eDp5']) {
      const sent = { ...valid, headers: { ...valid.headers, authorization } };
      const answer = await send(sent);
      expectAsDeclared(operation, sent, answer);
      expect(answer.status).toBe(401);
    }
  });

  it('shows every declared error as declared (X-Vehi-Simulate)', async () => {
    const valid = await drawValidRequest(operation, { seed: 1, text: 'x' });
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
