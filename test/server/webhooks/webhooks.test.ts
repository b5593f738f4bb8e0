import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import type { Lookup } from '../../../src/server/net/guarded-agent.ts';
import { listen, type Received, startReceiver } from '../helpers/listen.ts';
import { ASSESSMENT, openService, refusalOf, type TestService } from '../helpers/service.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let received: readonly Received[];
/** What the receiver answers, by number of the request; the last one stays. */
let answers: (number | { status: number; headers: Record<string, string> } | 'never')[];

beforeEach(async () => {
  answers = [200];
  receiver = await startReceiver((response) => {
    const answer = answers[Math.min(received.length, answers.length) - 1];
    if (answer === 'never' || answer === undefined) return;
    if (typeof answer === 'number') response.writeHead(answer).end('thanks');
    else response.writeHead(answer.status, answer.headers).end();
  });
  ({ received } = receiver);
});
afterEach(() => receiver.close());

const fast = { webhookRetrySeconds: [0.05, 0.05, 0.05], webhookTimeoutMs: 3_000 };
/** Starts a service of which the receiver hears, and what a client does with it. */
async function start(settings: object = {}, more: Parameters<typeof openService>[1] = {}) {
  const service = await openService({ ...fast, ...settings }, more);
  const register = async (about: object = {}, as = service.key) =>
    (await service.call('POST', '/v1/webhooks', { json: { url: receiver.url, ...about }, as })).body.data;
  const damages = [{ damage_id: 'd1', type: 'dent', location: 'hood' }];
  const assess = () => service.call('POST', ASSESSMENT, { json: { vehicle_id: 'veh_1', damages } });
  const deliveries = async (id: string) => (await service.read(`/v1/webhooks/${id}/deliveries`)).deliveries;
  const untilStatus = (id: string, status: string) =>
    expect.poll(async () => (await deliveries(id))[0]?.status, { timeout: 30_000 }).toBe(status);
  return { service, register, assess, deliveries, untilStatus };
}
const untilReceived = (count: number) => expect.poll(() => received.length).toBe(count);
const replay = (service: TestService, id: string, message: string) =>
  service.call('POST', `/v1/webhooks/${id}/deliveries/${message}/replay`);

describe('events', () => {
  it('a completed inspection is reported exactly as in the contract, signed as in Standard Webhooks', async () => {
    const { service, register } = await start();
    const hook = await register();
    expect(hook.secret).toMatch(/^whsec_/);
    const { inspection_id } = (await service.inspect()).body.data;
    await untilReceived(1);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(new Webhook(hook.secret).verify(body, headers)).toEqual({
      event: 'visual_inspection.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      data: {
        inspection_id,
        vehicle_id: 'veh_1',
        status: 'completed',
        damages_detected: 1,
        overall_condition: 'good',
        condition_score: 8.9,
        report_url: expect.stringContaining(`/files/${inspection_id}/report.pdf?`),
      },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(() => new Webhook(hook.secret).verify(`${body} `, headers)).toThrow();
  });

  it('a completed assessment is reported exactly as in the contract', async () => {
    const { register, assess } = await start();
    await register();
    const { assessment_id, summary } = (await assess()).body.data;
    await untilReceived(1);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      event: 'damage_assessment.completed',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        assessment_id,
        vehicle_id: 'veh_1',
        damages_assessed: 1,
        overall_severity: summary.overall_severity,
        estimated_repair_cost: summary.repair_cost_summary.recommended_repairs_total.estimated,
        value_reduction_percentage: summary.total_value_reduction_percentage,
        report_url: expect.stringContaining('/report.pdf?'),
      },
    });
  });

  it('made under a clock that is ahead are due when it is right again', async () => {
    const wallMs = () => Date.now() + 86_400_000;
    const clock = { ...createClock(), wallMs, now: () => new Date(wallMs()) };
    const { service, register } = await start({ webhookTimeoutMs: 300 }, { parts: { clock } });
    await register();
    answers = ['never'];
    const { inspection_id: resourceId } = (await service.inspect()).body.data;
    expect(await service.store.webhooks.listDue('sandbox', Date.now(), 5)).toMatchObject([{ resourceId }]);
  });

  it('a failure has no grade, and is reported only to those who asked; other accounts hear nothing', async () => {
    const { service, register, deliveries } = await start();
    await register();
    const as = service.otherKey;
    const other = await register({}, as);
    const asked = await register({ events: ['visual_inspection.failed'] });
    await service.inspect({ headers: { 'x-vehi-simulate': 'failed' } });
    await expect.poll(() => deliveries(asked.webhook_id)).toHaveLength(1);
    const none = { damages_detected: 0, overall_condition: null, condition_score: null };
    const failure = { event: 'visual_inspection.failed', data: { status: 'failed', ...none } };
    const events = () => received.map((one) => JSON.parse(one.body));
    await expect.poll(events).toMatchObject([failure]);
    const log = await service.call('GET', `/v1/webhooks/${other.webhook_id}/deliveries`, { as });
    expect(log.body.data.deliveries).toEqual([]);
  });
});

describe('delivery', () => {
  it('retries with the same id and body until it is taken, and logs every attempt', async () => {
    const { register, assess, deliveries, untilStatus } = await start({ webhookTimeoutMs: 1_000 });
    const { webhook_id: id } = await register();
    answers = [{ status: 503, headers: { 'retry-after': '2' } }, 'never', 200];
    await assess();
    await untilStatus(id, 'delivered');
    const [{ attempts }] = await deliveries(id);
    expect(Date.parse(attempts[1].at) - Date.parse(attempts[0].at)).toBeGreaterThanOrEqual(1_990);
    expect(attempts).toMatchObject([
      { status_code: 503, error: null },
      { status_code: null, error: 'timeout' },
      { status_code: 200, error: null },
    ]);
    expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map((one) => one.body)).size).toBe(1);
  });

  it('gives up after the last retry; replay starts again', async () => {
    const { service, register, assess, deliveries, untilStatus } = await start();
    const { webhook_id: id } = await register();
    answers = [500];
    await assess();
    await untilStatus(id, 'failed');
    expect(received).toHaveLength(4);
    answers = [200];
    const [{ message_id }] = await deliveries(id);
    expect((await replay(service, id, message_id)).status).toBe(202);
    await untilStatus(id, 'delivered');
    expect(received).toHaveLength(5);
  });

  it('replay of a week-old message signs its expired link again, and is due after the attempts made', async () => {
    const real = createClock();
    let laterMs = 0;
    const clock = { ...real, now: () => new Date(Date.now() + laterMs), wallMs: () => Date.now() + laterMs };
    const { service, register, assess, deliveries, untilStatus } = await start({}, { parts: { clock } });
    const { webhook_id: id, secret } = await register();
    await assess();
    await untilStatus(id, 'delivered');
    laterMs = 8 * 86_400_000;
    const [{ message_id, attempts }] = await deliveries(id);
    const { next_attempt_at } = (await replay(service, id, message_id)).body.data;
    expect(next_attempt_at > attempts[0].at).toBe(true);
    await untilReceived(2);
    const [first, second] = received.map(({ body }) => JSON.parse(body));
    const open = async (url: string) =>
      (await service.call('GET', url.replace('http://localhost', ''))).status;
    expect(await Promise.all([first, second].map(({ data }) => open(data.report_url)))).toEqual([404, 200]);
    expect({ ...second.data, report_url: '' }).toEqual({ ...first.data, report_url: '' });
    const [, { body, headers } = { body: '', headers: {} }] = received;
    expect(() => new Webhook(secret).verify(body, headers)).toThrow('too new');
  });

  it('410 disables the webhook', async () => {
    const { service, register, assess, deliveries } = await start();
    const { webhook_id: id } = await register();
    answers = [410];
    await assess();
    await expect.poll(async () => (await service.read(`/v1/webhooks/${id}`)).status).toBe('disabled');
    await assess();
    expect(await deliveries(id)).toHaveLength(1);
  });

  it('a redirect is a failure, not followed', async () => {
    const { register, assess, deliveries, untilStatus } = await start();
    const { webhook_id: id } = await register();
    answers = [{ status: 302, headers: { location: '/elsewhere' } }, 200];
    await assess();
    await untilStatus(id, 'delivered');
    expect((await deliveries(id))[0].attempts[0].status_code).toBe(302);
  });

  it("a slow receiver slows neither the answer nor others' deliveries", async () => {
    const { register, assess, deliveries } = await start({ webhookTimeoutMs: 60_000 });
    answers = ['never'];
    await register();
    const other = await listen((_request, response) => response.end());
    const { webhook_id: id } = await register({ url: other.url });
    for (let i = 0; i < 12; i++) await assess();
    const delivered = Array.from({ length: 12 }, () => expect.objectContaining({ status: 'delivered' }));
    await expect.poll(() => deliveries(id), { timeout: 30_000 }).toEqual(delivered);
    expect(received.length).toBeLessThanOrEqual(4);
    receiver.server.closeAllConnections();
    await other.close();
    answers = [200];
  });

  it('private addresses are refused, unless allowed for tests', async () => {
    // A name of the public Internet whose address is not.
    const lookup: Lookup = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    const settings = { allowPrivate: false, allowHttpImages: true };
    const { service, register, assess, deliveries } = await start(settings, { parts: { lookup } });
    const http = await service.call('POST', '/v1/webhooks', { json: { url: receiver.url } });
    expect(refusalOf(http)).toEqual([400, 'INVALID_REQUEST', 'url']);
    const url = receiver.url.replace('http://127.0.0.1', 'https://hooks.example.com');
    const { webhook_id: id } = await register({ url });
    await assess();
    await expect.poll(async () => (await deliveries(id))[0]?.attempts[0]?.error).toBe('address_refused');
    expect(received).toEqual([]);
  });
});
