import { answerWithIgnored } from '../../contract/answers.ts';
import { Id } from '../../contract/common.ts';
import { type Key, KeyRequestSchema, KeyRotationSchema, KeySchema } from '../../contract/keys.ts';
import { DEFAULT_GRACE_HOURS, type Permission } from '../../domain/account.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { defined } from '../../lib/objects.ts';
import { Type } from '../../lib/type.ts';
import { computeExpiry, generateKey, getKeyStatus, rotateKey } from '../../storage/keys.ts';
import type { ApiKey } from '../../storage/ports.ts';
import { ApiError, makeRequestError } from '../http/api-error.ts';
import { findOwn, readCaller } from '../http/auth.ts';
import type { App, Caller } from '../http/fastify-types.ts';
import { succeed, succeedWithWarnings } from '../http/success.ts';
import type { Services } from '../services.ts';
import { defineEmptyResponse, defineOperations, describeData, describeResponse } from './schemas.ts';

const { defineGet, defineWithBody } = defineOperations('account', 'keys:manage');

const KEYS_PATH = '/v1/keys';
const KeyParams = Type.Object({ key_id: Id() });
/** Number of an account's valid keys in this environment from which the API makes no further one. */
const MAX_KEYS = 100;

export function presentKey(key: ApiKey, nowMs: number, text?: string): Key {
  return {
    key_id: key.id,
    name: key.name,
    hint: key.hint,
    environment: key.environment,
    permissions: [...key.permissions],
    status: getKeyStatus(key, nowMs),
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    ...defined({ api_key: text }),
  };
}

/** Lists the keys of the account in this environment, oldest first. */
const listKeys = async (accountId: string, { store, settings }: Services): Promise<ApiKey[]> =>
  (await store.keys.list(accountId)).filter(({ environment }) => environment === settings.environment);

const listValidKeys = async (accountId: string, services: Services) =>
  (await listKeys(accountId, services)).filter(
    (key) => getKeyStatus(key, services.clock.wallMs()) === 'valid',
  );

/** Checks that the account may have another key. @throws ApiError INVALID_REQUEST */
async function checkKeyLimit({ account }: Caller, services: Services): Promise<void> {
  if ((await listValidKeys(account.id, services)).length >= MAX_KEYS)
    throw makeRequestError(`This account has ${MAX_KEYS} valid keys in this environment; revoke some first.`);
}

/** @throws ApiError INVALID_REQUEST if no other key of the account could create new ones for as long as this one */
async function checkNotLastManager(key: ApiKey, services: Services): Promise<void> {
  const lasts = ({ expiresAt }: ApiKey) =>
    expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  const managers = (await listValidKeys(key.accountId, services)).filter(({ permissions }) =>
    permissions.includes('keys:manage'),
  );
  const isManager = managers.some(({ id }) => id === key.id);
  if (!isManager || managers.some((other) => other.id !== key.id && lasts(other) >= lasts(key))) return;
  throw makeRequestError(
    `${key.id} is the last key of the account that can manage keys, or the one that lasts longest; create another first, or replace it with POST ${KEYS_PATH}/${key.id}/rotate.`,
    'key_id',
  );
}

/** @throws ApiError if a key would create, rotate or revoke one with permissions it lacks itself */
function checkEscalation(permissions: readonly Permission[], { key }: Caller, field?: string): void {
  const missing = permissions.find((permission) => !key.permissions.includes(permission));
  if (missing === undefined) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', `The API key lacks the permission ${missing} itself.`, {
    field,
    details: { reason: 'permission', required: missing },
  });
}

/** Registers the operations on the caller's API keys (extension). */
export function registerKeyRoutes(app: App, services: Services): void {
  const { store, clock, settings } = services;

  app.get(
    KEYS_PATH,
    defineGet('listKeys', 'List API keys, newest first (extension)', {
      response: {
        200: describeData(
          Type.Object({ keys: Type.Array(KeySchema) }),
          'All keys of this environment; their text is never stored.',
        ),
      },
    }),
    async (request) => {
      const keys = await listKeys(readCaller(request).account.id, services);
      return succeed({ keys: keys.reverse().map((key) => presentKey(key, clock.wallMs())) });
    },
  );

  app.post(
    KEYS_PATH,
    defineWithBody('createKey', 'Create an API key (extension)', {
      description: '`api_key` is in this answer only.',
      body: KeyRequestSchema,
      response: { 201: describeResponse(answerWithIgnored(KeySchema), 'The key, shown once.') },
    }),
    async (request, reply) => {
      const caller = readCaller(request);
      const { name = '', permissions = caller.key.permissions, expires_in_days: days } = request.body;
      checkEscalation(permissions, caller, 'permissions');
      await checkKeyLimit(caller, services);
      const nowMs = clock.wallMs();
      const createdAt = new Date(nowMs);
      const { text, record } = generateKey({
        id: clock.newId('key'),
        accountId: caller.account.id,
        environment: settings.environment,
        name: name.trim(),
        permissions: [...new Set(permissions)],
        createdAt: createdAt.toISOString(),
        expiresAt: computeExpiry(createdAt, days),
      });
      await store.keys.create(record);
      return reply
        .code(201)
        .send(succeedWithWarnings(presentKey(record, nowMs, text), KeyRequestSchema, request));
    },
  );

  app.post(
    `${KEYS_PATH}/:key_id/rotate`,
    defineWithBody('rotateKey', 'Replace an API key; the old one works for some hours more (extension)', {
      description: '`api_key` is in this answer only.',
      params: KeyParams,
      body: KeyRotationSchema,
      response: { 201: describeResponse(answerWithIgnored(KeySchema), 'The new key, shown once.') },
    }),
    async (request, reply) => {
      const caller = readCaller(request);
      const oldKey = await findOwn('key', request, services, store.keys.get);
      const nowMs = clock.wallMs();
      if (oldKey.revokedAt !== null)
        throw new ApiError('KEY_NOT_FOUND', 'The key has been revoked; create another.', { field: 'key_id' });
      checkEscalation(oldKey.permissions, caller);
      await checkKeyLimit(caller, services);
      const graceMs = (request.body.grace_hours ?? DEFAULT_GRACE_HOURS) * HOUR_MS;
      const { text, record, change } = rotateKey(oldKey, { id: clock.newId('key'), nowMs, graceMs });
      if (!(await store.keys.replace(oldKey.id, change, record)))
        throw makeRequestError(`${oldKey.id} was replaced already; create another key.`, 'key_id');
      return reply
        .code(201)
        .send(succeedWithWarnings(presentKey(record, nowMs, text), KeyRotationSchema, request));
    },
  );

  app.delete(
    `${KEYS_PATH}/:key_id`,
    defineWithBody('revokeKey', 'Revoke an API key at once (extension)', {
      params: KeyParams,
      response: { 204: defineEmptyResponse('Revoked.') },
    }),
    async (request, reply) => {
      const caller = readCaller(request);
      const key = await findOwn('key', request, services, store.keys.get);
      checkEscalation(key.permissions, caller);
      await checkNotLastManager(key, services);
      await store.keys.revoke(key.id, new Date(clock.wallMs()).toISOString());
      return reply.code(204).send(null);
    },
  );
}
