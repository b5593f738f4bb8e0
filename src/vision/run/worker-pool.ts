import type { Worker, WorkerOptions } from 'node:worker_threads';
import { VehiError } from '../../lib/errors.ts';
import { findMissingPart } from '../../lib/package.ts';
import { startThread } from '../../lib/thread.ts';
import {
  type PointTask,
  type Reply,
  type Request,
  restoreError,
  type Task,
  type TaskResult,
  type WorkerModel,
} from './protocol.ts';

/** A pool of threads that run models and find keypoints; any free thread takes the next task from a shared queue. */
export interface WorkerPool {
  /** Transfers the pixels for a model: the caller's array is detached afterwards. */
  run(task: Task | PointTask): Promise<TaskResult>;
  /** Adds a model to one thread, once; a separate thread would take some 18 MB more. */
  add(model: WorkerModel): void;
  /** Resolves when one thread has loaded the models; rejects with the cause of failure. */
  ready(): Promise<void>;
  /** Waits for all tasks, then lets the threads release the models and end. */
  drain(): Promise<void>;
}

interface Job {
  readonly id: number;
  readonly task: Task | PointTask;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: Error) => void;
}

/** A thread has few, short-lived objects, so the default young generation would waste memory per thread. */
const SMALL_NURSERY = { maxYoungGenerationSizeMb: 4 } as const;

/** A thread and its current job; `isSettled` is true once loading has succeeded or failed. */
interface PoolThread {
  readonly worker: Worker;
  readonly loaded: Promise<void>;
  readonly ended: Promise<void>;
  /** Ids of the models assigned to the thread. */
  readonly modelIds: Set<string>;
  isSettled: boolean;
  job: Job | undefined;
}

/**
 * Only every third thread loads a model that runs once per photo while others run several times. Its sessions would
 * otherwise take a quarter of the program's memory and mostly idle.
 */
const THREADS_PER_RARE_MODEL = 3;

/**
 * Creates a pool of up to `threads` threads. The first `initialThreads` start immediately, to load while the first photo is
 * decoded; more start as tasks queue. A thread that dies fails its task with VehiError `VISION_WORKER_CRASHED` and is
 * replaced on demand. Idle threads do not keep the process alive.
 */
export function createWorkerPool(
  initialModels: readonly WorkerModel[],
  threads: number,
  initialThreads: number,
  start = (options: WorkerOptions) => startThread('vision/run/worker', options),
): WorkerPool {
  const models = [...initialModels];
  const members = new Set<PoolThread>();
  const queue: Job[] = [];
  const pending = new Set<Promise<unknown>>();
  let nextId = 0;
  // While draining, a thread that is still loading must keep the process alive until it ends.
  let isDraining = false;

  /** Lets the process end while a loaded thread is idle. */
  function unrefIfIdle({ worker, isSettled, job }: PoolThread): void {
    if (isSettled && job === undefined && !isDraining) worker.unref();
  }

  function startMember(): PoolThread {
    const assigned = selectModels(members.size + 1 >= threads);
    const worker = start({ workerData: assigned, name: 'vehi-vision', resourceLimits: SMALL_NURSERY });
    const loading = createDeferred();
    const ending = createDeferred();
    const member: PoolThread = {
      worker,
      loaded: loading.promise,
      ended: ending.promise,
      modelIds: new Set(assigned.map(({ model }) => model.id)),
      isSettled: false,
      job: undefined,
    };
    member.loaded.catch(() => undefined);
    const finish = (settle: (job: Job) => void) => {
      const { job } = member;
      member.job = undefined;
      if (job !== undefined) settle(job);
      dispatch();
    };
    const fail = (error: VehiError) => {
      members.delete(member);
      loading.reject(error);
      finish((job) => job.reject(error));
    };
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'done') return finish((job) => job.resolve(reply.result));
      if (reply.kind === 'failed') return finish((job) => job.reject(restoreError(reply.failure)));
      member.isSettled = true;
      if (reply.kind === 'ready') loading.resolve();
      else loading.reject(restoreError(reply.failure));
      return unrefIfIdle(member);
    });
    worker.on('error', (error: unknown) =>
      fail(makeCrashError(error instanceof Error ? error.message : String(error), error)),
    );
    worker.on('messageerror', (error) => fail(makeCrashError(error.message, error)));
    worker.on('exit', (code) => {
      fail(makeCrashError(`it ended with code ${code}`));
      ending.resolve();
    });
    members.add(member);
    return member;
  }

  /**
   * Selects the models of a new thread: all frequent ones, and of the rare ones with too few threads the one with the
   * fewest, so no thread is occupied by two of them. The last thread takes all that remain.
   */
  function selectModels(isLast: boolean): WorkerModel[] {
    const wanted = Math.ceil(threads / THREADS_PER_RARE_MODEL);
    const missing = models
      .filter(({ model, isRare }) => isRare && countHolders(model.id) < wanted)
      .sort((a, b) => countHolders(a.model.id) - countHolders(b.model.id));
    const selected = isLast ? missing : missing.slice(0, 1);
    return models.filter((one) => !one.isRare || selected.includes(one));
  }

  function countHolders(id: string): number {
    return [...members].filter((member) => member.modelIds.has(id)).length;
  }

  function canRun(member: PoolThread, { task }: Job): boolean {
    if ('mask' in task) return true;
    return member.modelIds.has(task.model) || !models.some(({ model }) => model.id === task.model);
  }

  /** Returns a free thread for the job, starting one if needed; undefined while all suitable threads are busy. */
  function findMember(job: Job): PoolThread | undefined {
    const free = [...members].filter((member) => member.job === undefined && canRun(member, job));
    // Prefers the thread with the fewest models, keeping the others free for tasks that only they can run.
    const [best] = free.sort((a, b) => a.modelIds.size - b.modelIds.size);
    if (best !== undefined || members.size >= threads) return best;
    const started = startMember();
    return canRun(started, job) ? started : undefined;
  }

  function dispatch(): void {
    for (const job of [...queue]) {
      const member = findMember(job);
      if (member === undefined) continue;
      queue.splice(queue.indexOf(job), 1);
      member.job = job;
      member.worker.ref();
      try {
        sendJob(member.worker, job);
      } catch (error) {
        member.job = undefined;
        job.reject(error as Error);
      }
    }
    for (const member of members) unrefIfIdle(member);
  }

  for (let i = 0; i < Math.min(initialThreads, threads); i++) startMember();
  return {
    run(task) {
      const result = new Promise<TaskResult>((resolve, reject) => {
        queue.push({ id: nextId++, task, resolve, reject });
      });
      pending.add(result);
      const removePending = () => pending.delete(result);
      result.then(removePending, removePending);
      dispatch();
      return result;
    },
    add(model) {
      if (models.some((known) => known.model.id === model.model.id)) return;
      models.push({ ...model, isRare: true });
      const [holder] = members;
      // If there is no thread, the next one to start loads the model.
      if (holder === undefined) return;
      holder.modelIds.add(model.model.id);
      post(holder.worker, { kind: 'add', model });
    },
    ready: () => ([...members][0] ?? startMember()).loaded,
    async drain() {
      await Promise.allSettled(pending);
      isDraining = true;
      const ends = [...members].map(({ worker, ended }) => {
        worker.ref();
        post(worker, { kind: 'drain' });
        return ended;
      });
      await Promise.all(ends);
    },
  };
}

/** Sends a task to a thread. @throws Error if its pixels were already transferred */
function sendJob(worker: Worker, { id, task }: Job): void {
  const pixels = 'mask' in task ? undefined : task.rgb;
  if (pixels?.length === 0) throw new Error('the pixels of this task were handed over before');
  post(worker, { kind: 'run', id, task }, pixels ? [pixels.buffer as ArrayBuffer] : []);
}

function post(worker: Worker, request: Request, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(request, transfer);
}

function createDeferred(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((onDone, onFailed) => {
    [resolve, reject] = [onDone, onFailed];
  });
  return { promise, resolve, reject };
}

function makeCrashError(reason: string, cause?: unknown): VehiError {
  const missing = findMissingPart(cause ?? new Error(reason));
  if (missing) return missing;
  return new VehiError(
    'engine',
    'VISION_WORKER_CRASHED',
    `a thread that runs the models stopped: ${reason}`,
    {
      hint: 'Try again with fewer threads (VEHI_THREADS=1); if it happens again, run `vehi doctor`.',
      cause,
    },
  );
}
