// @module-tag slow: threads are started
import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadManifest, locateModel } from '../../../../src/vision/models/model-files.ts';
import type { ModelId, RunnableModel } from '../../../../src/vision/run/protocol.ts';
import { createWorkerPool, type WorkerPool } from '../../../../src/vision/run/worker-pool.ts';
import { TINY } from '../pictures.ts';

// threads start slowly on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A thread that does what `body` says with each call and its first pixel, instead of running models. */
const thread = (body: string) => (options: WorkerOptions) =>
  new Worker(
    `const { parentPort: port, threadId } = require('node:worker_threads');
     port.on('message', ({ m: name, i, a: [, task] }) => {
       if (name === 'drain') return port.close();
       const [pixel] = task?.rgb ?? [];
       const reply = (r) => port.postMessage({ t: 's', i, r });
       ${body}
     });`,
    { ...options, eval: true, stderr: true },
  );
const open: WorkerPool[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.drain();
});
function start(threads: number, makeThread?: Parameters<typeof createWorkerPool>[1]): WorkerPool {
  const pool = createWorkerPool(threads, makeThread);
  open.push(pool);
  return pool;
}
const pool = (body: string, threads = 1) => start(threads, thread(body));
const model = <Id extends ModelId>(id: Id, maxThreads?: number) =>
  ({
    model: { id },
    file: { path: '', sha256: '', bytes: 0 },
    ...(maxThreads && { maxThreads }),
  }) as unknown as RunnableModel<Id>;
const DAMAGE = model('damage');
const task = (pixel = 0) => ({ rgb: Uint8Array.of(pixel, 0, 0) });

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
  ])('and %s fails its call, and the next one gets a new thread', async (_, body, why) => {
    const small = (options: WorkerOptions) =>
      thread(body)({ ...options, resourceLimits: { maxOldGenerationSizeMb: 16 } });
    const { infer } = start(1, small);
    const failure = { ...crashed, message: expect.stringContaining(why) };
    for (let i = 0; i < 2; i++) await expect(infer(DAMAGE, task())).rejects.toMatchObject(failure);
  });

  it('at its start fails what waits for it', async () => {
    const dead = (options: WorkerOptions) =>
      new Worker('throw new Error("no library")', { ...options, eval: true });
    const { load, infer } = start(1, dead);
    await expect(load(DAMAGE)).rejects.toMatchObject(crashed);
    await expect(infer(DAMAGE, task())).rejects.toThrow('no library');
  });

  it('is ended if its message cannot be read', async () => {
    const workers: Worker[] = [];
    const { infer } = start(1, (options) => {
      workers.push(thread('')(options));
      return workers.at(-1) as Worker;
    });
    const call = infer(DAMAGE, task());
    const ended = once(workers[0] as Worker, 'exit');
    await new Promise(setImmediate);
    workers[0]?.emit('messageerror', new Error('unreadable'));
    await expect(call).rejects.toMatchObject(crashed);
    await ended;
  });

  it('leaves the others at work', async () => {
    const body = "if (pixel === 1) throw new Error('boom'); setTimeout(() => reply([]), 20);";
    const { infer } = pool(body, 2);
    const results = await Promise.allSettled([0, 1, 0, 0, 0].map((pixel) => infer(DAMAGE, task(pixel))));
    const [first, second, ...others] = results.map(({ status }) => status);
    expect([first, second, new Set(others)]).toEqual(['fulfilled', 'rejected', new Set(['fulfilled'])]);
  });
});

it('a thread says which model file was exchanged since it was checked', async () => {
  const { damage } = await loadManifest(TINY);
  const { model, file } = locateModel(TINY, damage);
  const { load } = start(1);
  const exchanged = load({ model, file: { ...file, sha256: 'a'.repeat(64) } });
  await expect(exchanged).rejects.toMatchObject({ code: 'MODEL_HASH_MISMATCH' });
});

describe('a model for few threads', () => {
  /** Runs each model a dozen times, and lists the threads that ran it. */
  async function listThreads(threads: number, sources: readonly RunnableModel[]) {
    const { load, infer } = pool('setTimeout(() => reply(threadId), 5);', threads);
    await Promise.all(sources.map((source) => load(source)));
    const ran = sources.map(() => new Set<unknown>());
    const calls = Array.from({ length: 12 }, () =>
      sources.map(async (source, at) => ran[at]?.add(await infer(source, task()))),
    );
    await Promise.all(calls.flat());
    return ran.map((ids) => [...ids]);
  }

  it.each([1, 4])('is run by no more, of %i', async (threads) => {
    const most = Math.ceil(threads / 3);
    const ran = await listThreads(threads, [model('parts', most), model('classifier', most), DAMAGE]);
    const [parts = [], classifier = []] = ran;
    expect(parts.length).toBeLessThanOrEqual(most);
    expect(classifier.length).toBeLessThanOrEqual(most);
    expect(new Set(ran.flat()).size).toBeLessThanOrEqual(threads);
  });

  it('is not loaded by the thread of another', async () => {
    const [parts, classifier] = await listThreads(2, [model('parts', 1), model('classifier', 1)]);
    expect(parts).not.toEqual(classifier);
  });

  it('is loaded by another thread where its own died', async () => {
    const { infer } = pool('if (pixel === 9) process.exit(7); reply(1);', 2);
    const check = model('vehicle', 1);
    await expect(infer(check, task(9))).rejects.toMatchObject(crashed);
    expect(await infer(check, task())).toBe(1);
  });
});

it('an idle pool does not keep the process alive', async () => {
  const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;
  const before = ports();
  const { infer } = pool('reply(1);', 2);
  await Promise.all([infer(DAMAGE, task()), infer(DAMAGE, task())]);
  expect(ports()).toBe(before);
});
