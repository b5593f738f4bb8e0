import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint, message, storeMessages } from '../helpers/results/stored-records.ts';
import { type FaultyProxy, startFaultyProxy } from '../helpers/services/faulty-proxy.ts';
import { bucketUrl, type SwiftServer, startSwift, swiftMissing } from '../helpers/services/swift.ts';
import { ask } from '../server/helpers/client.ts';
import { listen } from '../server/helpers/listen.ts';
import { good, visualRequest } from '../server/helpers/photo-host.ts';
import { LATER, VISUAL } from '../server/helpers/service.ts';
import { type Cluster, clusterMissing, type Member, startCluster } from './cluster.ts';
import { startReceivers } from './receivers.ts';

describe.skipIf(clusterMissing)('two processes that serve and one that works', () => {
  let cluster: Cluster;
  let swift: SwiftServer | undefined;
  let proxy: FaultyProxy | undefined;
  let first: Member;
  let second: Member;
  let worker: Member;
  let key: string;
  const create = (member: Member, more: { headers?: Record<string, string>; key?: string } = {}) =>
    ask(member, 'POST', VISUAL, { key, body: visualRequest(good()), ...more });
  const read = async (member: Member, id: string) =>
    (await ask(member, 'GET', `${VISUAL}/${id}`, { key })).body.data;
  const untilCompleted = (id: string) =>
    expect.poll(async () => (await read(second, id)).status, { timeout: 60_000 }).toBe('completed');
  const attemptsOf = async (id: string) => (await cluster.store.inspections.get(id))?.attempts;

  beforeAll(async () => {
    if (swiftMissing === undefined) {
      swift = await startSwift();
      await swift.createBucket('cluster');
      proxy = await startFaultyProxy(swift.endpoint);
    }
    cluster = await startCluster(proxy ? { bucket: bucketUrl(proxy.endpoint, 'cluster', 'test') } : {});
    key = await cluster.makeKey();
    [first, second, worker] = await Promise.all([
      cluster.addMember('serve', { settings: { sendsWebhooks: false } }),
      cluster.addMember('serve', { settings: { sendsWebhooks: false } }),
      cluster.addMember('work'),
    ]);
  }, 300_000);
  afterAll(async () => {
    await cluster.stop();
    await proxy?.close();
    await swift?.stop();
  });

  it('answer with the result of another process, and both know it, with its files', async () => {
    const made = await create(first);
    expect([made.status, made.body.data.status]).toEqual([201, 'completed']);
    const { reports, inspection_id: id } = await read(second, made.body.data.inspection_id);
    expect(reports.pdf_url).toContain(`http://cluster.test/files/${id}/report.pdf?`);
    const { pathname, search } = new URL(reports.pdf_url);
    expect(await (await fetch(`${second.address}${pathname}${search}`)).text()).toBe('%PDF-inspection');
  });

  it('bound what an account creates at once over both', async () => {
    const limited = await cluster.makeKey({ concurrentRequests: 2 });
    // Requests stay in flight until their photos are there.
    const releases: (() => void)[] = [];
    const slow = await listen((_request, response) => {
      releases.push(() => void response.end('photo 1920x1080'));
    });
    const body = visualRequest(Array.from({ length: 4 }, (_v, i) => `${slow.url}/${i}`));
    const headers = LATER;
    const post = (member: Member) => ask(member, 'POST', VISUAL, { key: limited, body, headers });
    const held = [post(first), post(second)];
    await expect.poll(() => releases.length).toBe(8);
    expect([(await post(first)).status, (await post(second)).status]).toEqual([429, 429]);
    for (const release of releases) release();
    expect((await Promise.all(held)).map((one) => one.status)).toEqual([202, 202]);
    await slow.close();
  });

  it('take work from a process that hangs, and refuse what it says when it is back', async () => {
    await worker.kill('SIGTERM');
    const slow = await cluster.addMember('work', { workMs: 2_000 });
    const made = await create(first, { headers: LATER });
    const id = made.body.data.inspection_id;
    await expect.poll(() => attemptsOf(id)).toBe(1);
    slow.child.kill('SIGSTOP');
    await worker.start();
    await untilCompleted(id);
    const before = await read(first, id);
    expect(await attemptsOf(id)).toBe(2);
    slow.child.kill('SIGCONT');
    // Its own files, of attempt 1, are removed again once it has been refused.
    await expect
      .poll(async () => (await cluster.store.blobs.list(id)).sort(), { timeout: 60_000 })
      .toEqual(['annotated-0-try2.jpg', 'report-try2.pdf']);
    expect((await read(first, id)).completed_at).toBe(before.completed_at);
    await slow.kill('SIGTERM');
  });

  it('give work back when they are stopped that they cannot end in time, and it counts as no attempt', async () => {
    await worker.kill('SIGTERM');
    const slow = await cluster.addMember('work', { workMs: 3_000, settings: { workGraceMs: 100 } });
    const made = await create(first, { headers: LATER });
    const id = made.body.data.inspection_id;
    await expect.poll(() => attemptsOf(id)).toBe(1);
    await slow.kill('SIGTERM');
    expect(await cluster.store.inspections.get(id)).toMatchObject({ status: 'processing', attempts: 0 });
    await worker.start();
    await untilCompleted(id);
    expect(await attemptsOf(id)).toBe(1);
  });

  it.skipIf(swiftMissing)(
    'take back an attempt that the object store did not answer, and wait for it',
    async () => {
      await worker.kill('SIGTERM');
      const made = await create(first, { headers: LATER });
      const id = made.body.data.inspection_id;
      proxy?.failAlways('busy', /photo-/);
      const refused = await create(second);
      expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      const before = proxy?.seen.length ?? 0;
      await worker.start();
      // Four photos, three tries each, at least twice.
      await expect.poll(() => (proxy?.seen.length ?? 0) - before, { timeout: 60_000 }).toBeGreaterThan(20);
      expect((await read(first, id)).status).toBe('processing');
      proxy?.heal();
      await untilCompleted(id);
      expect(await attemptsOf(id)).toBe(1);
    },
  );

  it('work on with the tables of a newer release, started before its upgrade or after', async () => {
    const client = new pg.Client({ connectionString: cluster.database });
    await client.connect();
    const tables = ['inspections', 'webhook_messages', 'idempotency', 'blob_owners', 'processes'];
    for (const table of tables)
      await client.query(`ALTER TABLE ${table} ADD COLUMN later text NOT NULL DEFAULT 'x'`);
    await client.query('CREATE TABLE later (id text); UPDATE schema SET version = version + 1');
    await client.end();
    for (const stage of ['before', 'after']) {
      const headers = { ...LATER, 'idempotency-key': stage };
      const { body } = await create(first, { headers });
      const id = body.data.inspection_id;
      await untilCompleted(id);
      await worker.kill('SIGTERM');
      if (stage === 'before') await worker.start();
    }
  });

  it('deliver every event at most four at once per receiver, while a sender dies', async () => {
    const receivers = await startReceivers();
    const account = { id: `acc_${randomUUID()}` };
    await cluster.makeKey(account);
    const { webhooks } = cluster.store;
    const send = async (name: 'quick' | 'refusing', count: number) => {
      // Of their own, so that the test can be tried again.
      const endpointId = `whe_${name}_${account.id}`;
      const url = receivers.url(name);
      await webhooks.createEndpoint({ ...endpoint, id: endpointId, accountId: account.id, url });
      const ids = Array.from({ length: count }, (_v, i) => `msg_${name}_${i}_${account.id}`);
      const createdAt = new Date().toISOString();
      await storeMessages(
        cluster.store,
        ids.map((id) => ({ ...message(id, 0), endpointId, createdAt })),
      );
      return ids;
    };
    const read = (ids: readonly string[]) => Promise.all(ids.map((id) => webhooks.getMessage(id)));
    const settings = { webhookRetrySeconds: [0.5, 0.5] };
    const [dying, living] = await Promise.all([1, 2].map(() => cluster.addMember('work', { settings })));
    const quick = await send('quick', 60);
    const refusing = await send('refusing', 12);
    // Nobody handed them over but the sweep.
    await expect.poll(() => receivers.countOf('quick'), { timeout: 60_000 }).toBeGreaterThan(5);
    await dying?.kill();
    const pending = async () => (await webhooks.getBacklog('sandbox')).pending;
    await expect.poll(pending, { timeout: 120_000 }).toBe(0);
    expect(receivers.atOnce()).toBeLessThan(5);
    const delivered = { status: 'delivered', attempts: 1 };
    expect(await read(quick)).toEqual(quick.map(() => expect.objectContaining(delivered)));
    // What a process had sent and not logged when it died was sent once more, as the same message.
    const attempts = (await read(refusing)).map((one) => one?.status === 'delivered' && one.attempts <= 3);
    expect(attempts).toEqual(refusing.map(() => true));
    for (const id of refusing) expect(receivers.countOf('refusing', id)).toBeGreaterThanOrEqual(3);
    await living?.kill('SIGTERM');
    await receivers.close();
  }, 300_000);
});
