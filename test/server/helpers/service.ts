import type { InjectOptions } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import type { Permission } from '../../../src/domain/account.ts';
import { createApp } from '../../../src/server/app.ts';
import { createClock } from '../../../src/server/clock.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../../../src/server/server-settings.ts';
import type { AppParts } from '../../../src/server/services.ts';
import { type Account, StorageUnavailableError, type Store } from '../../../src/storage/ports.ts';
import { createAccount, createKey } from './accounts.ts';
import { makeFakeBackend } from './backend.ts';
import { openEmptyStore, queueFor } from './cluster-store.ts';
import { findDocumentCheck } from './document.ts';
import { good, visualRequest } from './photo-host.ts';

export const VISUAL = '/v1/inspections/visual';
export const ASSESSMENT = '/v1/inspections/damage-assessment';
/** Headers of a client that does not wait for the analysis. */
export const LATER = { prefer: 'respond-async' };

export type TestService = Awaited<ReturnType<typeof startService>>;

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely; their shape is held by the document.
  readonly body: any;
}

type Refused = Pick<Answer, 'status' | 'body'>;
/** Status and code of a refusal; each code has one type. */
export const codeOf = ({ status, body }: Refused) => [status, body.error.code];
/** Status and code of a refusal, and the field that it names. */
export const refusalOf = (answer: Refused) => [...codeOf(answer), answer.body.error.field];

/**
 * A service in this process, in the sandbox unless stated otherwise, over a store in memory (with
 * VEHI_TEST_STORE=cluster over PostgreSQL and a folder).
 */
export async function startService(
  settings: Partial<ServerSettings> = {},
  more: {
    store?: Store;
    account?: Partial<Account>;
    parts?: Partial<AppParts>;
    backend?: ReturnType<typeof makeFakeBackend>;
  } = {},
) {
  const store = more.store ?? (await openEmptyStore());
  const clock = more.parts?.clock ?? createClock();
  const backend = more.backend ?? makeFakeBackend();
  const all: ServerSettings = {
    ...DEFAULT_SETTINGS,
    environment: 'sandbox',
    sandbox: true,
    allowPrivate: true,
    opensMetrics: true,
    housekeepingDelayMs: 0,
    ...settings,
  };
  const createQueue = queueFor(store);
  const app = await createApp({
    backend,
    store,
    clock,
    settings: all,
    ...(createQueue ? { createQueue } : {}),
    ...more.parts,
  });
  await app.ready();
  const own = { name: 'Test', plan: 'professional', ...more.account } as const;
  const kept = (await store.accounts.list()).find(({ name }) => name !== 'Other');
  const account = kept ?? (await createAccount(store, own));
  const other = await createAccount(store, { ...account, id: clock.newId('acc'), name: 'Other' });
  const { environment } = all;
  const makeKey = (
    about: { permissions?: readonly Permission[]; accountId?: string; expiresAt?: string } = {},
  ) => createKey(store, about.accountId ?? account.id, { environment, ...about });
  const key = (await makeKey()).text;
  const otherKey = (await makeKey({ accountId: other.id })).text;
  // The demo photos are the examples of the document, its schemas are those of the routes.
  let isClosed = false;
  const check = findDocumentCheck(app.printRoutes(), () => app.document().object);
  const call = async (
    method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    url: string,
    { as = key, json, ...rest }: InjectOptions & { as?: string | null; json?: unknown } = {},
  ): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url,
      ...rest,
      ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...rest.headers,
      },
    });
    const headers = answer.headers as Record<string, string>;
    const { statusCode: status, body: text } = answer;
    expect(check(method, url, { status, headers, text }), `${method} ${url}`).toBeUndefined();
    const isJson = headers['content-type']?.startsWith('application/json');
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    app,
    store,
    clock,
    backend,
    account,
    key,
    makeKey,
    /** A key of another account. */
    otherKey,
    /** Sends a request with the key; the answer is held against the OpenAPI document. */
    call,
    /** Asks for a visual inspection, of four good photos unless `urls` says which; other fields are the request's. */
    inspect: ({
      urls = good(),
      headers = {},
      as = key,
      ...request
    }: { urls?: readonly string[]; headers?: Record<string, string>; as?: string } & Record<
      string,
      unknown
    > = {}) => call('POST', VISUAL, { json: visualRequest(urls, request), headers, as }),
    /** Returns the data at an address. */
    read: async (url: string): Promise<Answer['body']> => (await call('GET', url)).body.data,
    async close() {
      if (isClosed) return;
      isClosed = true;
      backend.fake.release();
      await app.close();
      await store.close();
    },
  };
}

/** What a method of a store does that cannot be reached. */
export const away = async () => {
  throw new StorageUnavailableError('the store is away');
};

/** Starts a service for one test, at whose end it is closed, held up or not; a store that was given stays open. */
export async function openService(...args: Parameters<typeof startService>): Promise<TestService> {
  const service = await startService(...args);
  onTestFinished(() => {
    service.backend.fake.release();
    return args[1]?.store ? service.app.close() : service.close();
  });
  return service;
}

/** Creates an inspection for whose analysis nobody waits; returns its id. */
export const begin = async (
  service: TestService,
  more: Parameters<TestService['inspect']>[0] = {},
): Promise<string> => (await service.inspect({ ...more, headers: LATER })).body.data.inspection_id;

/** Waits until an inspection has a status; returns it. */
export async function waitFor(
  service: TestService,
  id: string,
  status = 'completed',
): Promise<Answer['body']> {
  const read = () => service.read(`${VISUAL}/${id}`);
  await expect.poll(async () => (await read()).status, { timeout: 60_000, interval: 20 }).toBe(status);
  return read();
}
