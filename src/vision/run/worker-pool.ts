import type { Worker, WorkerOptions } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { KeyPoints, PointMask } from '../../domain/compare/keypoints.ts';
import type { GrayImage } from '../../domain/photo.ts';
import { VehiError } from '../../lib/errors.ts';
import { findMissingPart } from '../../lib/missing-packages.ts';
import { startThread } from '../../lib/thread.ts';
import {
  CHANNEL,
  type ModelId,
  type Results,
  type RunnableModel,
  type Tasks,
  type ThreadFunctions,
} from './protocol.ts';

/** A pool of threads that run models and find keypoints; a free thread takes the next call whose model it may run. */
export interface WorkerPool {
  /** Loads a model in one thread, ahead of its first picture. Rejects with the reason if it cannot be loaded. */
  load(source: RunnableModel): Promise<void>;
  /** Runs a model, loading it in the chosen thread first if necessary. */
  infer<Id extends ModelId>(source: RunnableModel<Id>, task: Tasks[Id]): Promise<Results[Id]>;
  findPoints(picture: GrayImage, mask: PointMask): Promise<KeyPoints>;
  /** Waits for all calls, also those whose caller has given up, then lets the threads release the models and end. */
  drain(): Promise<void>;
}

interface PoolThread {
  readonly worker: Worker;
  readonly functions: BirpcReturn<ThreadFunctions>;
  /** Models that the thread has loaded or was asked to load. */
  readonly modelIds: Set<ModelId>;
  isBusy: boolean;
}

/** A call waiting for a thread; `source` is the model that it needs, if any. */
interface Waiting {
  readonly source: RunnableModel | undefined;
  readonly begin: (thread: PoolThread) => void;
}

/** A thread has few, short-lived objects, so the default young generation would waste memory per thread. */
const SMALL_NURSERY = { maxYoungGenerationSizeMb: 4 } as const;

/**
 * Creates a pool of up to `threadCount` threads, which start as calls queue. A thread that dies fails its call with
 * VehiError `VISION_WORKER_CRASHED` and is replaced on demand. Idle threads do not keep the process alive.
 */
export function createWorkerPool(
  threadCount: number,
  start = (options: WorkerOptions) => startThread('vision/run/worker', options),
): WorkerPool {
  const threads = new Set<PoolThread>();
  const queue: Waiting[] = [];
  const pending = new Set<Promise<unknown>>();

  function addThread(): PoolThread {
    const worker = start({ name: 'vehi-vision', resourceLimits: SMALL_NURSERY });
    const functions = createBirpc<ThreadFunctions>(
      {},
      {
        ...CHANNEL,
        post: (message) => worker.postMessage(message),
        on: (listener) => void worker.on('message', listener),
      },
    );
    const thread = { worker, functions, modelIds: new Set<ModelId>(), isBusy: false };
    const fail = (reason: string, cause?: unknown) => {
      threads.delete(thread);
      functions.$close(makeCrashError(reason, cause));
      // After an unreadable message, the thread still runs.
      void worker.terminate();
    };
    worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error), error));
    worker.on('messageerror', (error) => fail(error.message, error));
    worker.on('exit', (code) => fail(`it ended with code ${code}`));
    threads.add(thread);
    return thread;
  }

  /**
   * Returns a free thread, starting one if allowed; undefined while every thread that may run the model is busy. Prefers
   * one that has the model, then the one with the fewest, which keeps the others free for calls that only they can run.
   */
  function findThread(source: RunnableModel | undefined): PoolThread | undefined {
    const free = [...threads].filter(({ isBusy }) => !isBusy);
    free.sort((a, b) => a.modelIds.size - b.modelIds.size);
    if (source !== undefined) {
      const { model, maxThreads = threadCount } = source;
      const holders = [...threads].filter(({ modelIds }) => modelIds.has(model.id));
      const freeHolder = free.find((thread) => holders.includes(thread));
      if (freeHolder !== undefined || holders.length >= maxThreads) return freeHolder;
    }
    return free[0] ?? (threads.size < threadCount ? addThread() : undefined);
  }

  function dispatch(): void {
    for (const waiting of [...queue]) {
      const thread = findThread(waiting.source);
      if (thread === undefined) continue;
      queue.splice(queue.indexOf(waiting), 1);
      thread.isBusy = true;
      thread.worker.ref();
      if (waiting.source !== undefined) thread.modelIds.add(waiting.source.model.id);
      waiting.begin(thread);
    }
  }

  async function callThread<T>(
    source: RunnableModel | undefined,
    call: (functions: PoolThread['functions']) => Promise<T>,
  ): Promise<T> {
    const thread = await new Promise<PoolThread>((begin) => {
      queue.push({ source, begin });
      dispatch();
    });
    try {
      return await call(thread.functions);
    } finally {
      thread.isBusy = false;
      thread.worker.unref();
      dispatch();
    }
  }

  function track<T>(call: Promise<T>): Promise<T> {
    pending.add(call);
    const end = () => void pending.delete(call);
    call.then(end, end);
    return call;
  }

  return {
    load: (source) => track(callThread(source, (thread) => thread.load(source))),
    infer: <Id extends ModelId>(source: RunnableModel<Id>, task: Tasks[Id]) =>
      track(callThread(source, (thread) => thread.infer(source, task) as Promise<Results[Id]>)),
    findPoints: (picture, mask) => track(callThread(undefined, (thread) => thread.findPoints(picture, mask))),
    async drain() {
      await Promise.allSettled(pending);
      const ends = [...threads].map(async ({ worker, functions }) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        worker.ref();
        await functions.drain.asEvent();
        await ended;
      });
      await Promise.all(ends);
    },
  };
}

function makeCrashError(reason: string, cause?: unknown): VehiError {
  const missing = findMissingPart(cause ?? new Error(reason));
  if (missing) return missing;
  const message = `a thread that runs the models stopped: ${reason}`;
  const hint = 'Try again with fewer threads (VEHI_THREADS=1); if it happens again, run `vehi doctor`.';
  return new VehiError('engine', 'VISION_WORKER_CRASHED', message, { hint, cause });
}
