import { createHash } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { codeOf, openService, refusalOf, startService } from '../helpers/service.ts';

const service = await startService();
afterAll(() => service.close());

const make = (json: object = {}, as = service.key) => service.call('POST', '/v1/keys', { json, as });
const rotate = (id: string, json: object | undefined = {}, as = service.key) =>
  service.call('POST', `/v1/keys/${id}/rotate`, { json, as });
const revoke = (id: string, as = service.key) => service.call('DELETE', `/v1/keys/${id}`, { as });
const works = async (key: string) => (await service.call('GET', '/v1/auth/test', { as: key })).status;

it('makes a key that is shown once and works as it was made', async () => {
  const json = { name: ' Desk ', permissions: ['inspections:read'], expires_in_days: 90 };
  const made = await make(json);
  expect(made.status).toBe(201);
  const { api_key: text, ...shown } = made.body.data;
  expect(shown).toMatchObject({ name: 'Desk', permissions: ['inspections:read'], status: 'valid' });
  expect([text, shown.hint]).toEqual([expect.stringMatching(/^dev_[\w-]{43}$/), `dev_…${text.slice(-4)}`]);
  expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(90 * 24 * 3_600_000);
  expect(await works(text)).toBe(200);
  const list = await service.call('GET', '/v1/keys');
  expect(list.body.data.keys[0].key_id).toBe(shown.key_id);
  expect(list.text).not.toContain(text);
  expect((await service.store.keys.get(shown.key_id))?.sha256).toBe(
    createHash('sha256').update(text).digest('hex'),
  );
  expect((await make({}, text)).body.error.code).toBe('INSUFFICIENT_PERMISSIONS');
});

it('gives no key more than the key that asks has', async () => {
  const { text } = await service.makeKey({ permissions: ['keys:manage', 'inspections:read'] });
  const refused = await make({ permissions: ['inspections:read', 'inspections:write'] }, text);
  expect(refusalOf(refused)).toEqual([403, 'INSUFFICIENT_PERMISSIONS', 'permissions']);
  expect((await make({}, text)).body.data.permissions).toEqual(['keys:manage', 'inspections:read']);
  const { id } = await service.makeKey();
  expect((await rotate(id, {}, text)).status).toBe(403);
  expect((await revoke(id, text)).status).toBe(403);
});

it('replaces a key; the old one works as long as was said', async () => {
  const made = (await make({ name: 'old', permissions: ['inspections:read'] })).body.data;
  // Without a body, every choice is the default one.
  const kept = await service.call('POST', `/v1/keys/${made.key_id}/rotate`);
  expect(kept.status).toBe(201);
  expect(kept.body.data).toMatchObject({ name: 'old', permissions: ['inspections:read'] });
  expect([await works(made.api_key), await works(kept.body.data.api_key)]).toEqual([200, 200]);
  const leaked = kept.body.data;
  const fresh = await rotate(leaked.key_id, { grace_hours: 0 });
  expect([await works(leaked.api_key), await works(fresh.body.data.api_key)]).toEqual([401, 200]);
  // The keys replaced end soon, so one with their lifetime would end as soon.
  for (const { key_id } of [made, leaked])
    expect(refusalOf(await rotate(key_id))).toEqual([400, 'INVALID_REQUEST', 'key_id']);
});

it('revokes a key at once, and a second time without complaint', async () => {
  const made = (await make()).body.data;
  for (const _ of [1, 2]) expect((await revoke(made.key_id)).status).toBe(204);
  expect(await works(made.api_key)).toBe(401);
  expect(codeOf(await rotate(made.key_id))).toEqual([404, 'KEY_NOT_FOUND']);
});

it('the last key that can manage keys is replaced, not revoked', async () => {
  const alone = await openService();
  const [own] = (await alone.call('GET', '/v1/keys')).body.data.keys;
  const revokeOwn = (id: string) => alone.call('DELETE', `/v1/keys/${id}`);
  const refused = await revokeOwn(own.key_id);
  expect(refusalOf(refused)).toEqual([400, 'INVALID_REQUEST', 'key_id']);
  expect(refused.body.error.message).toContain(`/v1/keys/${own.key_id}/rotate`);
  const { id } = await alone.makeKey();
  expect([(await revokeOwn(id)).status, (await revokeOwn(own.key_id)).status]).toEqual([204, 400]);
  const second = await alone.makeKey();
  expect((await revokeOwn(own.key_id)).status).toBe(204);
  expect((await alone.call('GET', '/v1/keys', { as: second.text })).status).toBe(200);
  const rotate = { as: second.text, json: { grace_hours: 1 } };
  const { key_id: successor } = (await alone.call('POST', `/v1/keys/${second.id}/rotate`, rotate)).body.data;
  // The replaced key still manages keys for an hour, and the account none after it.
  expect((await alone.call('DELETE', `/v1/keys/${successor}`, { as: second.text })).status).toBe(400);
  expect((await alone.call('DELETE', `/v1/keys/${second.id}`, { as: second.text })).status).toBe(204);
});

it("another account's key does not exist", async () => {
  const { key_id: id } = (await make()).body.data;
  const as = service.otherKey;
  for (const answer of [await revoke(id, as), await rotate(id, {}, as), await revoke('key_unknown')])
    expect(codeOf(answer)).toEqual([404, 'KEY_NOT_FOUND']);
  const list = await service.call('GET', '/v1/keys', { as });
  expect(list.body.data.keys).toHaveLength(1);
});

it('names a misspelled field, which would leave the default in force', async () => {
  const made = await make({ permision: ['inspections:read'] });
  expect(made.body.meta.warnings).toMatchObject([{ field: 'permision', code: 'unknown_field' }]);
  const rotated = await rotate(made.body.data.key_id, { grace_hour: 0 });
  expect(rotated.body.meta.warnings).toMatchObject([{ field: 'grace_hour', code: 'unknown_field' }]);
  expect((await make({ name: 'a' })).body.meta).toBeUndefined();
});

it('an account has at most 100 keys that work', async () => {
  const full = await openService();
  for (let i = 0; i < 99; i++) await full.makeKey();
  const refused = await full.call('POST', '/v1/keys', { json: {} });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining('100 valid keys'),
  ]);
});
