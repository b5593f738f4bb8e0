import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { startReceiver } from '../helpers/listen.ts';
import { ASSESSMENT, codeOf, openService, refusalOf, startService } from '../helpers/service.ts';

const receiver = await startReceiver();
const service = await startService();
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const post = (json: object) => service.call('POST', '/v1/webhooks', { json });
const register = async (more: object = {}) => (await post({ url: receiver.url, ...more })).body.data;

it('shows the secret once, rotates with two signatures, changes and removes', async () => {
  const hook = await register({ description: 'mine' });
  const path = `/v1/webhooks/${hook.webhook_id}`;
  expect((await service.read(path)).secret).toBeUndefined();
  expect((await service.call('GET', '/v1/webhooks')).text).not.toContain('whsec_');
  const rotated = (await service.call('POST', `${path}/rotate`)).body.data;
  expect(rotated.secret).not.toBe(hook.secret);
  const damages = [{ damage_id: 'd1', type: 'dent', location: 'hood' }];
  await service.call('POST', ASSESSMENT, { json: { vehicle_id: 'veh_1', damages } });
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ body, headers: signed } = { body: '', headers: {} }] = receiver.received;
  for (const secret of [hook.secret, rotated.secret]) new Webhook(secret).verify(body, signed);
  const json = { events: ['damage_assessment.completed'], status: 'disabled' };
  expect((await service.call('PATCH', path, { json })).body.data).toMatchObject(json);
  // Some clients send the header with every request, with or without a body.
  const headers = { 'content-type': 'application/json' };
  expect((await service.call('POST', `${path}/rotate`, { headers })).status).toBe(200);
  expect((await service.call('DELETE', path, { headers })).status).toBe(204);
  expect((await service.call('GET', path)).status).toBe(404);
});

it.each(['127.0.0.1', '169.254.169.254', 'localhost', 'localhost.', 'a.localhost'])(
  'refuses an address that nothing is ever sent to: %s',
  async (host) => {
    const strict = await openService({ allowPrivate: false });
    const answer = await strict.call('POST', '/v1/webhooks', { json: { url: `https://${host}/x` } });
    expect(refusalOf(answer)).toEqual([400, 'INVALID_REQUEST', 'url']);
  },
);

it('names fields that nothing reads, when it is made and when it is changed', async () => {
  const { body } = await post({ url: receiver.url, event: ['visual_inspection.failed'] });
  expect(body.meta.warnings).toMatchObject([{ code: 'unknown_field', field: 'event' }]);
  expect(body.meta.warnings[0].message).toContain('Did you mean events?');
  const path = `/v1/webhooks/${body.data.webhook_id}`;
  const changed = await service.call('PATCH', path, { json: { state: 'disabled' } });
  expect(changed.body).toMatchObject({
    data: { status: 'enabled' },
    meta: { warnings: [{ field: 'state' }] },
  });
  const log = await service.call('GET', `${path}/deliveries?status=pending`);
  expect(log.body.meta.warnings).toMatchObject([{ code: 'unknown_field', field: 'status' }]);
});

it('a webhook is refused beyond 20 of an account in one environment', async () => {
  const full = await openService();
  const json = { url: receiver.url };
  const create = () => full.call('POST', '/v1/webhooks', { json });
  for (let i = 0; i < 20; i++) expect((await create()).status).toBe(201);
  const refused = await create();
  expect(refusalOf(refused)).toEqual([400, 'INVALID_REQUEST', undefined]);
  expect(refused.body.error.message).toContain('20 webhooks in this environment');
});

it("another account's webhook is 404 for everything", async () => {
  const hook = await register();
  const path = `/v1/webhooks/${hook.webhook_id}`;
  for (const [method, url] of [
    ['GET', path],
    ['DELETE', path],
    ['POST', `${path}/rotate`],
    ['GET', `${path}/deliveries`],
    ['POST', `${path}/deliveries/msg_x/replay`],
  ] as const) {
    const answer = await service.call(method, url, { as: service.otherKey });
    expect(codeOf(answer)).toEqual([404, 'WEBHOOK_NOT_FOUND']);
  }
});

it.each([
  [{ url: 'nonsense' }, 'url'],
  [{ url: 'ftp://example.com' }, 'url'],
  [{ url: 'https://user:pass@example.com' }, 'url'],
  [{ url: 'https://example.com', events: [] }, 'events'],
  [{ url: 'https://example.com', events: ['x'] }, 'events[0]'],
  [{}, 'url'],
])('refuses %j', async (json, field) => {
  expect(refusalOf(await post(json))).toEqual([400, 'INVALID_REQUEST', field]);
});
