// @module-tag slow: dozens of schedules over two stores
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepLeftovers } from '../../../../src/server/jobs/leftovers.ts';
import { nameOutput } from '../../../../src/server/jobs/visual-job.ts';
import { createDirectoryBlobs } from '../../../../src/storage/directory-blobs.ts';
import type { Store } from '../../../../src/storage/ports.ts';
import { openPostgresStore } from '../../../../src/storage/postgres/store.ts';
import { openTemporaryStore } from '../../../../src/storage/sqlite/store.ts';
import { endpoint } from '../../../helpers/results/stored-records.ts';
import {
  clearDatabase,
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../../helpers/services/postgres.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';
import { ENVIRONMENT, EVENTS, type Event, startScheduledService } from './scheduled-service.ts';

/** Work that is cut off with its process is put back so often; then it fails. */
const PUT_BACK_MAX = 10;
/** A database starts within seconds, on a busy machine within many. */
const HOOK_MS = 60_000;

const schedules = fc.array(fc.tuple(fc.constantFrom(...EVENTS), fc.nat(1_000)), {
  minLength: 20,
  maxLength: 60,
  size: 'max',
});

async function checkSchedule(store: Store, events: readonly Event[]): Promise<void> {
  const service = await startScheduledService(store);
  try {
    for (const event of events) await service.happen(event);
    // What queue and processes held is gone or done, and nothing is left over.
    expect(await service.heal()).toEqual({ waiting: 0, active: 0 });
    expect(await store.inspections.listUnfinished(ENVIRONMENT)).toEqual([]);

    const { created, removed, started, stored } = service;
    expect(new Set(stored).size, 'results stored twice').toBe(stored.length);
    const kept = created.filter((id) => !removed.has(id));
    expect(
      kept.filter((id) => !stored.includes(id)),
      'lost',
    ).toEqual([]);
    const { messages } = await store.webhooks.listMessages(endpoint.id, 1_000, 0);
    expect(messages).toHaveLength(kept.length);
    await sweepLeftovers(store);
    for (const id of kept) {
      const record = await store.inspections.get(id);
      expect([record?.attempts, record?.status], id).toEqual([
        started.get(id),
        (record?.attempts ?? 0) > PUT_BACK_MAX ? 'failed' : 'completed',
      ]);
      const made = record?.status === 'completed' ? ['annotated-0.jpg', 'report.pdf'] : [];
      const files = made.map((name) => nameOutput(name, record?.attempts ?? 0));
      expect(await store.blobs.list(id), id).toEqual(files);
    }
    for (const id of removed) {
      expect(await store.inspections.get(id)).toBeUndefined();
      expect(await store.blobs.list(id)).toEqual([]);
    }
  } finally {
    await service.end();
  }
}

describe('whatever happens to processes and queue', () => {
  let postgres: PostgresServer | undefined;
  let url = '';
  const folder = makeOwnFolder('schedules');
  beforeAll(() => {
    if (postgresMissing) return;
    postgres = startPostgres();
    url = postgres.createDatabase();
  }, HOOK_MS);
  afterAll(() => postgres?.stop());

  const openShared = async () => {
    const store = await openPostgresStore({
      url,
      connections: 2,
      objects: createDirectoryBlobs(mkdtempSync(join(folder, 'run-'))),
    });
    await clearDatabase(url);
    return store;
  };
  for (const [name, open, numRuns, missing] of [
    ['memory', async () => openTemporaryStore(), 15, undefined],
    ['postgres', openShared, 5, postgresMissing],
  ] as const) {
    it.skipIf(missing)(
      `no work is lost, none is done twice, and attempts are counted: ${name}`,
      async () => {
        await fc.assert(
          fc.asyncProperty(schedules, async (events) => {
            const store = await open();
            try {
              await checkSchedule(store, events);
            } finally {
              await store.close();
            }
          }),
          { numRuns },
        );
      },
      120_000,
    );
  }
});
