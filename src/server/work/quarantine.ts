import type { ChildProcess } from 'node:child_process';
import { createBirpc } from 'birpc';
import pLimit from 'p-limit';
import type { PhotoSource } from '../../engine/request.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { VehiError } from '../../lib/errors.ts';
import { createIdleThread } from '../../lib/thread.ts';
import type { PhotoBackend } from '../backend.ts';
import type { CallResult, ChildFunctions, ParentFunctions } from './quarantine-child.ts';

/** Idle time after which the child ends; it holds its own models, hundreds of megabytes. */
const IDLE_TIMEOUT_MS = MINUTE_MS;

/** The child exited during a job; `photo` is the one open at the time, undefined if none was. */
export class ChildDiedError extends Error {
  override readonly name = 'ChildDiedError';
  readonly photo: number | undefined;

  constructor(reason: string, photo: number | undefined) {
    super(`the process that reads the photos ended: ${reason}`);
    this.photo = photo;
  }
}

/** The child exited before its first call, so no photo is to blame. */
export class NoChildError extends Error {
  override readonly name = 'NoChildError';
}

/** An inspection whose photos are opened in a child. */
type QuarantineJob = {
  /** Photo numbers, in the order of the engine request. */
  readonly photos: readonly number[];
  /** Awaited before each photo is opened. */
  readonly onOpen: (photo: number) => Promise<void>;
  /** Kills the child. */
  readonly signal: AbortSignal;
};

function watchChild(child: ChildProcess) {
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  return {
    process: child,
    /** Resolves with the exit signal, exit code or error message. */
    exited,
    ref: () => child.ref(),
    unref: () => child.unref(),
    async terminate() {
      // Keeps this process alive until the child ends, even if it was idle.
      child.ref();
      child.kill('SIGKILL');
      await exited;
    },
  };
}
type Child = ReturnType<typeof watchChild>;

/** Opens a connection to the child; `own` serves the child's calls until it is closed. */
function connect({ process: child, exited }: Child, own: ParentFunctions) {
  const functions = createBirpc<ChildFunctions, ParentFunctions>(own, {
    // A message that can no longer be sent is rejected when the child exits.
    post: (message) => void (child.connected && child.send(message, () => undefined)),
    on: (listener) => void child.on('message', listener),
    off: (listener) => void child.off('message', listener),
    timeout: -1,
  });
  void exited.then((reason) => functions.$close(new Error(reason)));
  return functions;
}

/** Returns proxies for the child's functions, which open the photos of the job one by one. @throws NoChildError */
async function openPhotoBackend(child: Child, job: QuarantineJob): Promise<PhotoBackend & { close(): void }> {
  let openPhoto: number | undefined;
  let sources: readonly PhotoSource[] = [];
  let keep: Parameters<PhotoBackend['draw']>[3] = async () => undefined;
  /** An error of this process while serving the child; it cannot travel through the child unchanged. */
  let failure: { readonly error: unknown } | undefined;
  const answer = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      failure = { error };
      throw new Error('the parent has failed');
    }
  };
  const call = async <T>(outcome: Promise<CallResult<T>>): Promise<T> => {
    const result = await outcome.catch(async (error: unknown) => {
      throw functions.$closed ? new ChildDiedError(await child.exited, openPhoto) : error;
    });
    if (failure) throw failure.error;
    if (result.ok) return result.value;
    if ('fault' in result) throw new Error(result.fault);
    const { kind, code, message, ...rest } = result.error;
    throw new VehiError(kind, code, message, rest);
  };
  const functions = connect(child, {
    open: (position) =>
      answer(async () => {
        const photo = job.photos[position];
        const source = sources[position];
        if (photo === undefined || source?.kind !== 'stored')
          throw new Error(`there is no photo ${position}`);
        await job.onOpen(photo);
        openPhoto = photo;
        return source.read();
      }),
    close: async () => {
      openPhoto = undefined;
    },
    keep: (drawn) => answer(() => keep(drawn)),
  });
  await functions.ready().catch(async () => {
    throw new NoChildError(`the process that reads the photos did not start: ${await child.exited}`);
  });
  return {
    inspect(request) {
      sources = request.photos.map(({ source }) => source);
      const photos = request.photos.map(({ source, ...photo }) => ({ ...photo, name: nameOf(source) }));
      return call(functions.inspect({ ...request, photos }));
    },
    draw(inspection, files, { listRegions, report }, onDrawn) {
      keep = onDrawn;
      const photos = files.map(({ index, source }) => ({
        position: sources.indexOf(source),
        index,
        closeUps: listRegions?.(index) ?? null,
      }));
      return call(functions.draw({ inspection, photos, report }));
    },
    close: functions.$close,
  };
}

const nameOf = (source: PhotoSource) => (source.kind === 'file' ? source.path : source.name);

/**
 * Creates the quarantine, which opens photos in a child process, so that a photo that crashes it harms nothing else. It
 * runs one inspection at a time.
 * @param fork starts a child that runs `serveParent` over a channel that can carry bytes
 */
export function createQuarantine(fork: () => ChildProcess) {
  const serialize = pLimit(1);
  const idleChild = createIdleThread(() => {
    const child = watchChild(fork());
    void child.exited.then(() => idleChild.discard(child));
    return child;
  }, IDLE_TIMEOUT_MS);

  async function runExclusively<T>(
    job: QuarantineJob,
    callback: (backend: PhotoBackend) => Promise<T>,
  ): Promise<T> {
    const { signal } = job;
    const child = idleChild.acquire();
    const onAbort = () => {
      idleChild.discard(child);
      void child.terminate();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const backend = await openPhotoBackend(child, job);
      return await callback(backend).finally(backend.close);
    } catch (error) {
      if (signal.aborted) throw new VehiError('engine', 'TIMEOUT', 'the analysis took too long.');
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      idleChild.release(child);
    }
  }

  return {
    /** True while a job runs or waits. */
    get isBusy() {
      return serialize.activeCount + serialize.pendingCount > 0;
    },
    /** Runs a callback with the child's functions. @throws ChildDiedError, NoChildError; VehiError engine/TIMEOUT on `signal` */
    run: <T>(job: QuarantineJob, callback: (backend: PhotoBackend) => Promise<T>) =>
      serialize(() => runExclusively(job, callback)),
    close: idleChild.terminate,
  };
}
