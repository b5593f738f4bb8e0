import { type ChildProcess, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createEngine } from '../../../src/index.ts';
import { loadTables } from '../../../src/pricing/tables/load.ts';
import { createBackend } from '../../../src/server/backend.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { loadManifest } from '../../../src/vision/models/model-files.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { endProgram, listProcessWords, startProgram } from '../../helpers/services/own-process.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { createAmidKills } from '../helpers/kills.ts';
import { fileHost } from '../helpers/listen.ts';
import { codeOf, openService, VISUAL } from '../helpers/service.ts';
import type { ProcessChoices } from '../helpers/service-process.ts';

/** CI does the small form; `VEHI_KILLS=30` the large one (`npm run kills`). */
const KILLS = Number(process.env.VEHI_KILLS ?? 2);

let directory: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  directory = makeOwnFolder('faults');
});
afterEach(() => Promise.all(children.splice(0).map((child) => endProgram(child))));

/** Starts a service on the directory of the test as a process of its own. */
async function start() {
  const choices: ProcessChoices = { directory };
  const words = [...listProcessWords('server/helpers/service-process'), 'serve', JSON.stringify(choices)];
  const started = await startProgram<{ address: string; key: string }>(words);
  children.push(started.child);
  return started;
}

/** Creations under way are refused for as long as another process holds the write lock, also past the service's wait. */
async function holdWriteLock(): Promise<void> {
  const db = new DatabaseSync(join(directory, 'vehi.db'));
  db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
  await sleep(2_500);
  db.close();
}

it('kill -9 twice amid 20 creations with keys and amid webhook retries: each key has one inspection, one event, and the database is whole', async () => {
  let service = await start();
  const store = openDirectoryStore(directory);
  await createAmidKills({
    store,
    count: 10 * KILLS,
    kills: KILLS,
    refusals: 10,
    key: service.key,
    serving: () => service,
    async kill(number) {
      if (number % 4 === 0) await holdWriteLock();
      await endProgram(service.child);
      service = await start();
    },
  });
  await store.close();
  await endProgram(service.child);
  const db = new DatabaseSync(join(directory, 'vehi.db'));
  const checks = ['integrity_check', 'foreign_key_check'].map((name) => db.prepare(`PRAGMA ${name}`).all());
  db.close();
  expect(checks).toEqual([[{ integrity_check: 'ok' }], []]);
}, 900_000);

it('models whose file is gone fail the work and the readiness, not the process; both recover when it is back', async () => {
  const modelDir = join(directory, 'models');
  cpSync(TINY_MODELS, modelDir, { recursive: true });
  const { damage } = await loadManifest(modelDir);
  const file = join(modelDir, damage.weights.file);
  const away = `${file}.away`;
  renameSync(file, away);
  const backend = createBackend({
    engine: await createEngine({ modelDir, threads: 1, models: 'when-needed' }),
    tables: loadTables(),
    modelVersion: 'x',
  });
  const views = ['front', 'rear', 'left_side', 'front_right'];
  for (const [shade, view] of views.entries()) await writeDrawnCar(join(directory, `${view}.jpg`), shade * 9);
  const host = await fileHost(directory);
  const service = await openService({}, { parts: { backend } });
  onTestFinished(async () => {
    await host.close();
    await backend.close();
  });
  const inspect = async () => {
    const urls = views.map((view) => `${host.url}/${view}.jpg`);
    return (await service.inspect({ urls, options: { generate_report: false } })).body.data;
  };
  const ready = async () => (await service.app.inject('/readyz')).statusCode;
  expect(await ready()).toBe(200);
  const failed = await inspect();
  expect([failed.status, failed.failure?.code]).toEqual(['failed', 'MODEL_FILE_MISSING']);
  expect(failed.failure.message).not.toContain(directory);
  expect(await ready()).toBe(503);
  renameSync(away, file);
  await expect.poll(ready, { timeout: 60_000 }).toBe(200);
  expect((await inspect()).status).toBe('completed');
  renameSync(file, away);
  expect((await inspect()).status).toBe('completed');
  expect(await ready()).toBe(200);
}, 300_000);

describe('disk full', () => {
  const mount = join(tmpdir(), `vehi-small-${process.pid}`);
  const ballast = join(mount, 'ballast');
  let isMounted = false;
  beforeAll(() => {
    mkdirSync(mount, { recursive: true });
    isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mount]).status === 0;
  });
  beforeEach(({ skip }) => skip(!isMounted, 'no small disk can be mounted here'));
  afterAll(() => {
    spawnSync('umount', ['-l', mount]);
    rmSync(mount, { recursive: true, force: true });
  });
  const fill = () => {
    try {
      writeFileSync(ballast, Buffer.alloc(4 * 1024 * 1024));
    } catch {
      // ENOSPC: the disk is full now.
    }
  };
  it('answers 503, stores nothing half, and goes on when there is room', async () => {
    const service = await openService({}, { store: openDirectoryStore(join(mount, 'data')) });
    expect((await service.inspect()).status).toBe(201);
    fill();
    const full = await service.inspect();
    expect(codeOf(full)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
    expect((await service.read(VISUAL)).pagination.total).toBe(1);
    rmSync(ballast);
    expect((await service.inspect()).status).toBe(201);
    expect(await service.store.blobs.listOwners()).toHaveLength(2);
  });
});
