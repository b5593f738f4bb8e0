// @module-tag slow: threads are started
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import type { Model } from '../../../../src/vision/models/manifest.ts';
import { loadManifest, loadModel } from '../../../../src/vision/models/model-files.ts';
import { createWorkerPool } from '../../../../src/vision/run/worker-pool.ts';
import { TINY } from '../pictures.ts';

// threads start slowly on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A thread that does what `body` says with each request, instead of running models. */
const thread = (body: string) => (options: WorkerOptions) =>
  new Worker(
    `const { parentPort: port } = require('node:worker_threads');
     port.postMessage({ kind: 'ready' });
     port.on('message', (request) => { if (request.kind === 'drain') return port.close(); ${body} });`,
    { ...options, eval: true, stderr: true },
  );
const NO_FILE = { path: '', sha256: '', bytes: 0 };
const task = () => ({ model: 'damage', rgb: new Uint8Array(3) }) as const;
const pool = (body: string, threads = 1, atOnce = 1) => createWorkerPool([], threads, atOnce, thread(body));

const crashed = {
  kind: 'engine',
  code: 'VISION_WORKER_CRASHED',
  hint: expect.stringContaining('VEHI_THREADS=1'),
};

describe('a thread that dies', () => {
  it.each([
    ['throws', "throw new Error('boom')", 'boom'],
    ['ends', 'process.exit(7)', 'code 7'],
    ['runs out of memory', 'const hog = []; for (;;) hog.push(new Array(1e6).fill(Math.random()));', ''],
  ])('and %s fails its task, and the next one gets a new thread', async (_, body, why) => {
    const small = (options: WorkerOptions) =>
      thread(body)({ ...options, resourceLimits: { maxOldGenerationSizeMb: 16 } });
    const { run, drain } = createWorkerPool([], 1, 1, small);
    for (let i = 0; i < 2; i++) {
      await expect(run(task())).rejects.toMatchObject({ ...crashed, message: expect.stringContaining(why) });
    }
    await drain();
  });

  it('before it is ready fails what waits for it', async () => {
    const { run, ready, drain } = createWorkerPool(
      [],
      1,
      0,
      (options) => new Worker('throw new Error("no library")', { ...options, eval: true }),
    );
    await expect(ready()).rejects.toMatchObject(crashed);
    await expect(run(task())).rejects.toMatchObject({ message: expect.stringContaining('no library') });
    await drain();
  });

  it('says which model file was exchanged since it was checked', async () => {
    const { damage } = await loadManifest(TINY);
    const { model, file } = await loadModel(TINY, damage);
    const { ready, drain } = createWorkerPool([{ model, file: { ...file, sha256: 'a'.repeat(64) } }], 1, 1);
    await expect(ready()).rejects.toMatchObject({ code: 'MODEL_HASH_MISMATCH' });
    await drain();
  });

  it('leaves the others at work', async () => {
    const { run, drain } = pool(
      `if (request.id === 1) throw new Error('boom');
       setTimeout(() => port.postMessage({ kind: 'done', id: request.id, result: {} }), 20);`,
      2,
      2,
    );
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => run(task())));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      ...Array(4).fill('fulfilled'),
    ]);
    await drain();
  });
});

describe('models that run rarely', () => {
  const models = (['parts', 'damage', 'classifier'] as const).map((id) => ({
    model: { id } as Model,
    file: NO_FILE,
    isRare: id !== 'damage',
  }));

  it.each([
    [1, [['parts', 'damage', 'classifier']]],
    [
      2,
      [
        ['parts', 'damage'],
        ['damage', 'classifier'],
      ],
    ],
    [3, [['parts', 'damage'], ['damage', 'classifier'], ['damage']]],
    [
      4,
      [
        ['parts', 'damage'],
        ['damage', 'classifier'],
        ['parts', 'damage'],
        ['damage', 'classifier'],
      ],
    ],
  ])('are spread over %i threads', async (threads, wanted) => {
    const given: string[][] = [];
    const { drain } = createWorkerPool(models, threads, threads, (options) => {
      given.push((options.workerData as typeof models).map(({ model }) => model.id));
      return thread('')(options);
    });
    expect(given).toEqual(wanted);
    await drain();
  });
});

describe('a model that is added later', () => {
  const holding = `
    if (request.kind === 'add') return (globalThis.added = (globalThis.added ?? 0) + 1);
    if (request.task.rgb[0] === 9) process.exit(7);
    const { workerData } = require('node:worker_threads');
    const known = workerData.filter(({ model }) => model.id === 'vehicle').length;
    port.postMessage({ kind: 'done', id: request.id, result: { presence: (globalThis.added ?? 0) + known } });`;
  const check = { model: { id: 'vehicle' } as Model, file: NO_FILE };
  const ask = (first = 0) => ({ model: 'vehicle', rgb: Uint8Array.of(first, 0, 0) }) as const;

  it('goes to one thread, once, and that thread alone is asked', async () => {
    const { add, run, drain } = pool(holding, 2, 2);
    add(check);
    add(check);
    const results = await Promise.all([1, 2, 3, 4].map(() => run(ask())));
    expect(results).toEqual(Array(4).fill({ presence: 1 }));
    await drain();
  });

  it.each([
    ['died', 1],
    ['was never started', 0],
  ])('is brought along by the next thread where its own %s', async (_, atOnce) => {
    const { add, run, drain } = pool(holding, 1, atOnce);
    add(check);
    if (atOnce > 0) await expect(run(ask(9))).rejects.toMatchObject(crashed);
    expect(await run(ask())).toEqual({ presence: 1 });
    await drain();
  });
});

describe('pixels that cannot be handed over', () => {
  it('fail their own task, and the thread takes the next', async () => {
    const { run, drain } = pool(`port.postMessage({ kind: 'done', id: request.id, result: {} });`);
    const once = task();
    await run(once);
    await expect(run(once)).rejects.toThrow('handed over before');
    expect(await run(task())).toEqual({});
    await drain();
  });
});

describe('drain', () => {
  it('lets every task finish first', async () => {
    const { run, drain } = pool(
      `setTimeout(() => port.postMessage({ kind: 'done', id: request.id, result: { boxes: [] } }), 5);`,
      2,
      0,
    );
    const results = Promise.all(Array.from({ length: 10 }, () => run(task())));
    await drain();
    expect(await results).toHaveLength(10);
  });

  it('ends at once where nothing was started', async () => {
    expect(await pool('', 4, 0).drain()).toBeUndefined();
  });
});

describe('an idle pool', () => {
  it('does not keep the process alive', async () => {
    const script = `
      import { createVision } from ${JSON.stringify(new URL('../../../../src/vision/vision.ts', import.meta.url).href)};
      const { detect } = await createVision({ modelDir: ${JSON.stringify(TINY)}, threads: 2, resize: async (r) => r });
      const raster = { data: new Uint8Array(64 * 64 * 3), width: 64, height: 64 };
      const { detections } = await detect({ raster, size: raster }, 'default');
      console.log('seen', detections.length);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      {
        cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
        timeout: 60_000,
      },
    );
    expect(stdout).toBe('seen 0\n');
  }, 60_000);
});
