import type { ChildProcess } from 'node:child_process';
import { type BirpcReturn, createBirpc } from 'birpc';
import pLimit from 'p-limit';
import type { PhotoSource } from '../../engine/request.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { VehiError } from '../../lib/errors.ts';
import type { CloseUp, Picture, ReportPictures } from '../../report/pictures.ts';
import type { PhotoPrograms } from '../programs.ts';
import type { ChildFunctions, Outcome } from './quarantine-child.ts';

/** Idle time after which the child ends; it holds its own models, hundreds of megabytes. */
const IDLE_TIMEOUT_MS = MINUTE_MS;

/** The child exited during a job; `photo` was open then, undefined if none was. */
export class ChildDied extends Error {
  override readonly name = 'ChildDied';
  readonly photo: number | undefined;

  constructor(reason: string, photo: number | undefined) {
    super(`the process that looked at the photos ended: ${reason}`);
    this.photo = photo;
  }
}

/** The child exited before its first call, so no photo is to blame. */
export class NoChild extends Error {
  override readonly name = 'NoChild';
}

/** The child exited during a call. */
class ChildGone extends Error {}

/** An inspection whose photos are opened in a child. */
interface QuarantineJob {
  /** Photo numbers, in the order of the engine request. */
  readonly photos: readonly number[];
  /** Called and awaited before each photo is opened. */
  readonly onOpen: (photo: number) => Promise<void>;
  /** Kills the child. */
  readonly signal: AbortSignal;
}

/** Opens photos in a child process, so a photo that crashes it harms nothing else. Runs one inspection at a time. */
export interface Quarantine {
  /** True while a job runs or waits for its turn. */
  readonly isBusy: boolean;
  /** Runs a callback with the child's programs. @throws ChildDied, NoChild; VehiError engine/TIMEOUT on `signal` */
  run<T>(job: QuarantineJob, callback: (programs: PhotoPrograms) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Child {
  readonly process: ChildProcess;
  readonly functions: BirpcReturn<ChildFunctions, Record<string, never>>;
  /** Resolves with the exit signal, exit code or error message. */
  readonly exited: Promise<string>;
}

function unwrapOutcome<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  if ('fault' in outcome) throw new Error(outcome.fault);
  const { kind, code, message, field, details } = outcome.error;
  throw new VehiError(kind, code, message, { field, details });
}

function connectChild(child: ChildProcess): Child {
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const functions = createBirpc<ChildFunctions, Record<string, never>>(
    {},
    {
      // A message that can no longer be sent is rejected when the child exits.
      post: (message) => void (child.connected && child.send(message, () => undefined)),
      on: (listener) => void child.on('message', listener),
      timeout: -1,
    },
  );
  void exited.then((reason) => functions.$close(new Error(reason)));
  return { process: child, functions, exited };
}

/** Returns proxies for the child's programs, which send, open and draw photos one by one. */
function createPrograms(
  { functions }: Child,
  job: QuarantineJob,
  setOpenPhoto: (photo: number | undefined) => void,
): PhotoPrograms {
  const positions = new Map<PhotoSource, number>();
  const unwrapCall = async <T>(call: Promise<Outcome<T>>): Promise<T> => {
    const outcome = await call.catch((error: unknown) => {
      throw functions.$closed ? new ChildGone() : error;
    });
    return unwrapOutcome(outcome);
  };
  const withOpenPhoto = async <T>(position: number, call: () => Promise<Outcome<T>>): Promise<T> => {
    const photo = job.photos[position];
    if (photo === undefined) throw new Error(`photo ${position} has no name`);
    await job.onOpen(photo);
    setOpenPhoto(photo);
    const value = await unwrapCall(call());
    setOpenPhoto(undefined);
    return value;
  };
  return {
    async inspect({ photos, ...request }) {
      for (const [position, photo] of photos.entries()) {
        const { source } = photo;
        positions.set(source, position);
        const rejected = await withOpenPhoto(position, async () => {
          // The child reads no store.
          const sent: PhotoSource =
            source.kind === 'stored'
              ? { kind: 'bytes', bytes: await source.read(), name: source.name }
              : source;
          return functions.analyse(position, { ...photo, source: sent }, request);
        });
        if (rejected && request.allOrNothing) break;
      }
      return unwrapCall(functions.inspect(request));
    },
    async draw(inspection, photos, { listCloseUps, report }, keep): Promise<ReportPictures> {
      const pictures = new Map<number, Picture>();
      const closeUps = new Map<string, CloseUp>();
      const missing = new Map<number, string>();
      let redaction: string | undefined;
      for (const { index, source } of photos) {
        const position = positions.get(source) ?? -1;
        const boxes = listCloseUps?.(index) ?? null;
        const drawing = await withOpenPhoto(position, () =>
          functions.draw({ inspection, position, index, closeUps: boxes, report }),
        );
        if (drawing.drawn) await keep(drawing.drawn);
        for (const [photoIndex, picture] of drawing.pictures.photos) pictures.set(photoIndex, picture);
        for (const [key, closeUp] of drawing.pictures.closeUps) closeUps.set(key, closeUp);
        for (const [photoIndex, reason] of drawing.pictures.missing) missing.set(photoIndex, reason);
        redaction = drawing.pictures.redaction;
      }
      return { photos: pictures, closeUps, missing, redaction };
    },
  };
}

/**
 * Creates the quarantine, which runs jobs in a child process.
 * @param fork starts a child that serves `answerParent` over a channel that carries bytes
 */
export function createQuarantine(fork: () => ChildProcess, { idleMs = IDLE_TIMEOUT_MS } = {}): Quarantine {
  const serialize = pLimit(1);
  let child: Child | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function ensureChild(): Child {
    clearTimeout(idleTimer);
    if (child) return child;
    const started = connectChild(fork());
    child = started;
    void started.exited.then(() => {
      if (child === started) child = undefined;
    });
    return started;
  }

  async function waitUntilReady(active: Child): Promise<void> {
    await active.functions.ready().catch(async () => {
      throw new NoChild(`no process to look at photos in: ${await active.exited}`);
    });
  }

  function scheduleEnd(): void {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => void stopChild(), idleMs).unref();
  }

  async function stopChild(): Promise<void> {
    clearTimeout(idleTimer);
    const endingChild = child;
    child = undefined;
    endingChild?.process.kill('SIGKILL');
    await endingChild?.exited;
  }

  async function runExclusively<T>(
    job: QuarantineJob,
    callback: (programs: PhotoPrograms) => Promise<T>,
  ): Promise<T> {
    const { signal } = job;
    const active = ensureChild();
    let photo: number | undefined;
    const onAbort = () => {
      if (child === active) child = undefined;
      active.process.kill('SIGKILL');
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await waitUntilReady(active);
      return await callback(
        createPrograms(active, job, (openPhoto) => {
          photo = openPhoto;
        }),
      );
    } catch (error) {
      if (signal.aborted) throw new VehiError('engine', 'TIMEOUT', 'the analysis took too long.');
      throw error instanceof ChildGone ? new ChildDied(await active.exited, photo) : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      // If the child has exited, its photos are gone as well.
      await active.functions.reset().catch(() => undefined);
      scheduleEnd();
    }
  }

  return {
    get isBusy() {
      return serialize.activeCount + serialize.pendingCount > 0;
    },
    run: (job, callback) => serialize(() => runExclusively(job, callback)),
    close: stopChild,
  };
}
