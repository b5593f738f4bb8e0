import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import type { Lookup } from '../../../src/server/net/guarded-agent.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import {
  listen,
  photoHost,
  type Received,
  startReceiver,
  startService,
  type TestService,
  visualRequest,
} from '../helpers/service.ts';

let service: TestService;
let photos: Awaited<ReturnType<typeof photoHost>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let received: readonly Received[];
/** What the receiver answers, by number of the request; the last one stays. */
let answers: (number | { status: number; headers: Record<string, string> } | 'never')[];

beforeEach(async () => {
  answers = [200];
  photos = await photoHost();
  receiver = await startReceiver((response) => {
    const answer = answers[Math.min(received.length, answers.length) - 1];
    if (answer === 'never' || answer === undefined) return;
    if (typeof answer === 'number') response.writeHead(answer).end('thanks');
    else response.writeHead(answer.status, answer.headers).end();
  });
  ({ received } = receiver);
});
afterEach(async () => {
  await service.close();
  await photos.close();
  await receiver.close();
});

const fast = { webhookRetrySeconds: [0.05, 0.05, 0.05], webhookTimeoutMs: 3_000 };
const register = async (more: object = {}, on = service) =>
  (await on.call('POST', '/v1/webhooks', { json: { url: receiver.url, ...more } })).body.data;
const inspect = async (headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/inspections/visual', {
    json: visualRequest(Array.from({ length: 4 }, (_v, i) => `${photos.url}/1920x1080-${i}`)),
    headers,
  });
const assess = () =>
  service.call('POST', '/v1/inspections/damage-assessment', {
    json: { vehicle_id: 'veh_1', damages: [{ damage_id: 'd1', type: 'dent', location: 'hood' }] },
  });
const deliveries = async (id: string) =>
  (await service.call('GET', `/v1/webhooks/${id}/deliveries`)).body.data.deliveries;

describe('events', () => {
  it('a completed inspection is reported exactly as in the contract, signed as in Standard Webhooks', async () => {
    service = await startService(fast);
    const hook = await register();
    expect(hook.secret).toMatch(/^whsec_/);
    const { body } = await inspect();
    await expect.poll(() => received.length).toBe(1);
    const [{ headers, body: text } = { headers: {}, body: '' }] = received;
    const verified = new Webhook(hook.secret).verify(text, headers);
    expect(verified).toEqual({
      event: 'visual_inspection.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      data: {
        inspection_id: body.data.inspection_id,
        vehicle_id: 'veh_1',
        status: 'completed',
        damages_detected: 1,
        overall_condition: 'good',
        condition_score: 8.9,
        report_url: expect.stringContaining(`/files/${body.data.inspection_id}/report.pdf?`),
      },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(() => new Webhook(hook.secret).verify(`${text} `, headers)).toThrow();
  });

  it('a completed assessment is reported exactly as in the contract', async () => {
    service = await startService(fast);
    await register();
    const { body } = await assess();
    await expect.poll(() => received.length).toBe(1);
    const { data } = body;
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      event: 'damage_assessment.completed',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        assessment_id: data.assessment_id,
        vehicle_id: 'veh_1',
        damages_assessed: 1,
        overall_severity: data.summary.overall_severity,
        estimated_repair_cost: data.summary.repair_cost_summary.recommended_repairs_total.estimated,
        value_reduction_percentage: data.summary.total_value_reduction_percentage,
        report_url: expect.stringContaining('/report.pdf?'),
      },
    });
  });

  it('four pictures without a vehicle are a failure without grade, to those who asked for it', async () => {
    service = await startService(fast);
    await register({ events: ['visual_inspection.completed', 'visual_inspection.failed'] });
    service.backend.fake.noVehicle = true;
    const { status, body } = await inspect();
    expect([status, body.data.status, body.data.results, body.data.failure.code]).toEqual([
      201,
      'failed',
      null,
      'NO_VEHICLE',
    ]);
    await expect.poll(() => received.length).toBe(1);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      event: 'visual_inspection.failed',
      data: { status: 'failed', damages_detected: 0, overall_condition: null, condition_score: null },
    });
  });

  it('made under a clock that is ahead are due when it is right again', async () => {
    const wallMs = () => Date.now() + 86_400_000;
    const clock = { ...createClock(), wallMs, now: () => new Date(wallMs()) };
    service = await startService(fast, { parts: { clock } });
    await register();
    answers = ['never'];
    const { body } = await inspect();
    const messages = await service.store.webhooks.listDue('sandbox', Date.now(), 5);
    expect(messages.map(({ resourceId }) => resourceId)).toEqual([body.data.inspection_id]);
  });

  it('failures are reported only to those who asked; other accounts hear nothing', async () => {
    service = await startService(fast);
    await register();
    const { body } = await service.call('POST', '/v1/webhooks', {
      json: { url: receiver.url },
      as: service.otherKey,
    });
    const asked = await register({ events: ['visual_inspection.failed'] });
    await inspect({ 'x-vehi-simulate': 'failed' });
    await expect.poll(async () => (await deliveries(asked.webhook_id)).length).toBe(1);
    await expect
      .poll(() => received.map((one) => JSON.parse(one.body).event))
      .toEqual(['visual_inspection.failed']);
    const other = await service.call('GET', `/v1/webhooks/${body.data.webhook_id}/deliveries`, {
      as: service.otherKey,
    });
    expect(other.body.data.deliveries).toEqual([]);
  });
});

describe('delivery', () => {
  it('retries with the same id and body until it is taken, and logs every attempt', async () => {
    service = await startService(fast);
    const hook = await register();
    answers = [500, 'never', 200];
    await assess();
    await expect
      .poll(async () => (await deliveries(hook.webhook_id))[0]?.status, { timeout: 30_000 })
      .toBe('delivered');
    const [log] = await deliveries(hook.webhook_id);
    expect(log.attempts.map((a: { status_code: number; error: string }) => [a.status_code, a.error])).toEqual(
      [
        [500, null],
        [null, 'timeout'],
        [200, null],
      ],
    );
    expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map((one) => one.body)).size).toBe(1);
  });

  it('gives up after the last retry; replay starts again', async () => {
    service = await startService(fast);
    const hook = await register();
    answers = [500];
    await assess();
    await expect
      .poll(async () => (await deliveries(hook.webhook_id))[0]?.status, { timeout: 30_000 })
      .toBe('failed');
    expect(received).toHaveLength(4);
    answers = [200];
    const [{ message_id }] = await deliveries(hook.webhook_id);
    expect(
      (await service.call('POST', `/v1/webhooks/${hook.webhook_id}/deliveries/${message_id}/replay`)).status,
    ).toBe(202);
    await expect.poll(async () => (await deliveries(hook.webhook_id))[0]?.status).toBe('delivered');
    expect(received).toHaveLength(5);
  });

  it('replay of a week-old message signs its expired link again, and is due after the attempts made', async () => {
    const real = createClock();
    let laterMs = 0;
    const clock = { ...real, now: () => new Date(Date.now() + laterMs), wallMs: () => Date.now() + laterMs };
    service = await startService(fast, { parts: { clock } });
    const hook = await register();
    await assess();
    await expect.poll(async () => (await deliveries(hook.webhook_id))[0]?.status).toBe('delivered');
    laterMs = 8 * 86_400_000;
    const [{ message_id, attempts }] = await deliveries(hook.webhook_id);
    const path = `/v1/webhooks/${hook.webhook_id}/deliveries/${message_id}/replay`;
    const { next_attempt_at } = (await service.call('POST', path)).body.data;
    expect(next_attempt_at > attempts[0].at).toBe(true);
    await expect.poll(() => received.length).toBe(2);
    const [first, second] = received.map(({ body }) => JSON.parse(body));
    const open = async (url: string) =>
      (await service.call('GET', url.replace('http://localhost', ''))).status;
    expect(await Promise.all([first, second].map(({ data }) => open(data.report_url)))).toEqual([404, 200]);
    expect({ ...second.data, report_url: '' }).toEqual({ ...first.data, report_url: '' });
    expect(() =>
      new Webhook(hook.secret).verify(received[1]?.body ?? '', received[1]?.headers ?? {}),
    ).toThrow('too new');
  });

  it('410 disables the webhook', async () => {
    service = await startService(fast);
    const hook = await register();
    answers = [410];
    await assess();
    await expect
      .poll(async () => (await service.call('GET', `/v1/webhooks/${hook.webhook_id}`)).body.data.status)
      .toBe('disabled');
    await assess();
    expect(await deliveries(hook.webhook_id)).toHaveLength(1);
  });

  it('a redirect is a failure, not followed', async () => {
    service = await startService(fast);
    const hook = await register();
    answers = [{ status: 302, headers: { location: '/elsewhere' } }, 200];
    await assess();
    await expect.poll(async () => (await deliveries(hook.webhook_id))[0]?.status).toBe('delivered');
    expect((await deliveries(hook.webhook_id))[0].attempts[0].status_code).toBe(302);
  });

  it("a slow receiver slows neither the answer nor others' deliveries", async () => {
    service = await startService({ ...fast, webhookTimeoutMs: 60_000 });
    answers = ['never'];
    await register();
    const other = await listen((_request, response) => response.end());
    const quick = (await service.call('POST', '/v1/webhooks', { json: { url: other.url } })).body.data;
    for (let i = 0; i < 12; i++) await assess();
    await expect
      .poll(
        async () =>
          (await deliveries(quick.webhook_id)).every((one: { status: string }) => one.status === 'delivered'),
        { timeout: 30_000 },
      )
      .toBe(true);
    expect(received.length).toBeLessThanOrEqual(4);
    receiver.server.closeAllConnections();
    service.store.webhooks.deleteEndpoint(quick.webhook_id);
    await other.close();
    answers = [200];
  });

  it('private addresses are refused, unless allowed for tests', async () => {
    // A name of the public Internet whose address is not.
    const lookup: Lookup = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    service = await startService(
      { ...fast, allowPrivate: false, allowHttpImages: true },
      { parts: { lookup } },
    );
    const http = await service.call('POST', '/v1/webhooks', { json: { url: receiver.url } });
    expect([http.status, http.body.error.field]).toEqual([400, 'url']);
    const hook = await register({
      url: receiver.url.replace('http://127.0.0.1', 'https://hooks.example.com'),
    });
    await assess();
    await expect
      .poll(async () => (await deliveries(hook.webhook_id))[0]?.attempts[0]?.error)
      .toBe('address_refused');
    expect(received).toEqual([]);
  });

  it('is taken up after a restart', async () => {
    const directory = makeOwnFolder('webhooks');
    service = await startService(
      { ...fast, webhookRetrySeconds: [1, 1] },
      { store: openDirectoryStore(directory) },
    );
    const hook = await register();
    answers = [500, 200];
    await assess();
    await expect.poll(() => received.length).toBe(1);
    await service.close();
    service = await startService(
      { ...fast, webhookRetrySeconds: [1, 1] },
      { store: openDirectoryStore(directory) },
    );
    await expect
      .poll(async () => (await deliveries(hook.webhook_id))[0]?.status, { timeout: 30_000 })
      .toBe('delivered');
    expect(received).toHaveLength(2);
  });
});
