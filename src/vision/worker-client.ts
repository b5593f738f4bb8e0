import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { VehiError } from '../domain/errors.ts';
import {
  fromFailure,
  type Reply,
  type Request,
  type Task,
  type TaskResult,
  type WorkerModel,
} from './protocol.ts';

/** Threads that run the models; tasks wait in one queue and are taken by whichever thread is free. */
export interface WorkerPool {
  /** The task's pixels are handed over: the caller's array is empty afterwards. */
  run(task: Task): Promise<TaskResult>;
  /** Resolves when one thread has loaded the models; rejects with what stopped it. */
  ready(): Promise<void>;
  /** Waits for every task given, then lets the threads release the models and end. */
  drain(): Promise<void>;
}

/** How a thread is started; tests pass an entry of their own. */
export type StartWorker = (options: WorkerOptions) => Worker;

interface Job {
  readonly id: number;
  readonly task: Task;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: Error) => void;
}

/** A thread and what it is doing; `settled` tells whether it has finished loading, well or not. */
interface Member {
  readonly worker: Worker;
  readonly loaded: Promise<void>;
  readonly ended: Promise<void>;
  settled: boolean;
  job: Job | undefined;
}

/**
 * Starts up to `threads` threads: the first `atOnce` now, so that they load while the first photo is decoded, more as
 * tasks wait. A thread that dies fails its task with VehiError `VISION_WORKER_CRASHED` and is replaced when needed.
 * An idle thread does not keep the process alive.
 */
export function createWorkerPool(
  models: readonly WorkerModel[],
  threads: number,
  atOnce: number,
  start = startWorker,
): WorkerPool {
  const members = new Set<Member>();
  const queue: Job[] = [];
  const pending = new Set<Promise<unknown>>();
  let nextId = 0;
  // A thread that is still loading when told to end must keep the process alive until it has ended.
  let draining = false;

  /** A thread that has loaded and has nothing to do lets the process end. */
  function rest({ worker, settled, job }: Member): void {
    if (settled && job === undefined && !draining) worker.unref();
  }

  function enlist(): Member {
    const worker = start({ workerData: models, name: 'vehi-vision' });
    const loading = deferred();
    const ending = deferred();
    const member: Member = {
      worker,
      loaded: loading.promise,
      ended: ending.promise,
      settled: false,
      job: undefined,
    };
    member.loaded.catch(() => undefined);
    const finish = (settle: (job: Job) => void) => {
      const { job } = member;
      member.job = undefined;
      if (job !== undefined) settle(job);
      dispatch();
    };
    const fall = (error: VehiError) => {
      members.delete(member);
      loading.reject(error);
      finish((job) => job.reject(error));
    };
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'done') return finish((job) => job.resolve(reply.result));
      if (reply.kind === 'failed') return finish((job) => job.reject(fromFailure(reply.failure)));
      member.settled = true;
      if (reply.kind === 'ready') loading.resolve();
      else loading.reject(fromFailure(reply.failure));
      return rest(member);
    });
    worker.on('error', (error: unknown) =>
      fall(crashed(error instanceof Error ? error.message : String(error), error)),
    );
    worker.on('messageerror', (error) => fall(crashed(error.message, error)));
    worker.on('exit', (code) => {
      fall(crashed(`it ended with code ${code}`));
      ending.resolve();
    });
    members.add(member);
    return member;
  }

  function dispatch(): void {
    while (queue.length > 0) {
      const member =
        [...members].find((one) => one.job === undefined) ?? (members.size < threads ? enlist() : undefined);
      const job = member && queue.shift();
      if (member === undefined || job === undefined) break;
      member.job = job;
      member.worker.ref();
      post(member.worker, { kind: 'run', id: job.id, task: job.task }, [job.task.rgb.buffer as ArrayBuffer]);
    }
    for (const member of members) rest(member);
  }

  for (let i = 0; i < Math.min(atOnce, threads); i++) enlist();
  return {
    run(task) {
      const result = new Promise<TaskResult>((resolve, reject) => {
        queue.push({ id: nextId++, task, resolve, reject });
      });
      pending.add(result);
      const forget = () => pending.delete(result);
      result.then(forget, forget);
      dispatch();
      return result;
    },
    ready: () => ([...members][0] ?? enlist()).loaded,
    async drain() {
      await Promise.allSettled(pending);
      draining = true;
      const ends = [...members].map(({ worker, ended }) => {
        worker.ref();
        post(worker, { kind: 'drain' });
        return ended;
      });
      await Promise.all(ends);
    },
  };
}

function post(worker: Worker, request: Request, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(request, transfer);
}

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((onDone, onFailed) => {
    [resolve, reject] = [onDone, onFailed];
  });
  return { promise, resolve, reject };
}

function crashed(why: string, cause?: unknown): VehiError {
  return new VehiError('engine', 'VISION_WORKER_CRASHED', `a thread that runs the models stopped: ${why}`, {
    hint: 'Try again with fewer threads (--threads 1); if it happens again, run `vehi models verify`.',
    cause,
  });
}

function startWorker(options: WorkerOptions): Worker {
  const extension = extname(new URL(import.meta.url).pathname);
  const execArgv = extension === '.ts' ? runTypeScript() : [];
  return new Worker(new URL(`./worker${extension}`, import.meta.url), { ...options, execArgv });
}

/** Flags that let a thread run the sources unbuilt: tsx does not register itself in threads of Node 20. */
function runTypeScript(): string[] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = new URL('./dist/esm/api/index.mjs', tsx).href;
  return [
    '--import',
    `data:text/javascript,import{register}from${encodeURIComponent(JSON.stringify(api))};register()`,
  ];
}
