import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { PERMISSIONS, type Permission } from '../../../src/domain/account.ts';
import { type AppParts, createApp } from '../../../src/server/app.ts';
import { createClock, type ServerClock } from '../../../src/server/clock.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../../../src/server/server-settings.ts';
import { generateKey } from '../../../src/storage/keys.ts';
import type { Account, Store } from '../../../src/storage/ports.ts';
import { openTemporaryStore } from '../../../src/storage/sqlite/store.ts';
import { makeFakeBackend, photo } from './backend.ts';
import { onCluster, openClusterStore, queueFor } from './cluster-store.ts';
import { findDocumentCheck } from './document.ts';

/** Serves what `handle` says on a loopback port. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; server: Server; close(): Promise<void> }> {
  const server = createServer(handle);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A host of photos: `/1920x1080.jpg` is a good one, other names as the fake checker reads them. */
export function photoHost() {
  return listen((request, response) => {
    const name = (request.url ?? '/').slice(1);
    if (name.startsWith('missing')) return response.writeHead(404).end();
    if (name.startsWith('text')) return response.end('hello');
    response.end(photo(`photo ${decodeURIComponent(name)}`));
  });
}

/** A host of the files of a folder, by their names. */
export function fileHost(folder: string) {
  return listen(({ url = '' }, response) => void response.end(readFileSync(join(folder, basename(url)))));
}

/** What a receiver of webhooks was sent. */
export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver of webhooks. @param answer given the response and what came, of which all is kept; 200 by default */
export async function startReceiver(
  answer: (response: ServerResponse, came: Received) => unknown = (response) => response.end(),
) {
  const received: Received[] = [];
  const host = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    // A sender that is killed never ends its request.
    request.on('end', () => {
      const came = { headers: request.headers as Received['headers'], body };
      received.push(came);
      answer(response, came);
    });
  });
  return { ...host, received };
}

export interface TestService {
  readonly app: Awaited<ReturnType<typeof createApp>>;
  readonly store: Store;
  readonly clock: ServerClock;
  readonly backend: ReturnType<typeof makeFakeBackend>;
  readonly account: Account;
  readonly key: string;
  /** A key of another account. */
  readonly otherKey: string;
  makeKey(more?: {
    permissions?: readonly Permission[];
    accountId?: string;
    expiresAt?: string;
  }): Promise<{ text: string; id: string }>;
  /** Sends a request with the key; the answer is held against the OpenAPI document. */
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    url: string,
    more?: InjectOptions & { as?: string | null; json?: unknown },
  ): Promise<Answer>;
  close(): Promise<void>;
}

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
): Promise<TestService> {
  const store = more.store ?? (onCluster ? await openClusterStore() : openTemporaryStore());
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
  const account = (await store.accounts.list())[0] ?? {
    id: clock.newId('acc'),
    name: 'Test',
    plan: 'professional',
    status: 'active',
    requestsPerHour: null,
    concurrentRequests: null,
    createdAt: new Date().toISOString(),
    ...more.account,
  };
  const other: Account = { ...account, id: clock.newId('acc'), name: 'Other' };
  if (!(await store.accounts.get(account.id))) await store.accounts.create(account);
  await store.accounts.create(other);
  const makeKey: TestService['makeKey'] = async ({
    permissions = PERMISSIONS,
    accountId = account.id,
    expiresAt,
  } = {}) => {
    const id = clock.newId('key');
    const { text, record } = generateKey({
      id,
      accountId,
      environment: all.environment,
      name: '',
      permissions,
      createdAt: new Date().toISOString(),
      expiresAt: expiresAt ?? null,
    });
    await store.keys.create(record);
    return { text, id };
  };
  const key = (await makeKey()).text;
  const otherKey = (await makeKey({ accountId: other.id })).text;
  // The demo photos are the examples of the document, its schemas are those of the routes.
  const check = findDocumentCheck(app.printRoutes(), () => app.document().object);
  return {
    app,
    store,
    clock,
    backend,
    account,
    key,
    otherKey,
    makeKey,
    async call(method, url, { as = key, json, ...rest } = {}) {
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
      check(method, url.split('?')[0] ?? url, {
        statusCode: answer.statusCode,
        headers: answer.headers,
        body: answer.body,
      });
      const isJson = String(answer.headers['content-type']).startsWith('application/json');
      return {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string | undefined>,
        text: answer.body,
        body: isJson ? JSON.parse(answer.body) : undefined,
      };
    },
    async close() {
      await app.close();
      await store.close();
    },
  };
}

/** A request of a visual inspection with photos at these addresses. */
export function visualRequest(urls: readonly string[], more: object = {}) {
  return {
    vehicle_id: 'veh_1',
    images: urls.map((url) => ({ url, angle: 'front', type: 'exterior' })),
    ...more,
  };
}
