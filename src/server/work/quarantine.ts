import type { ChildProcess } from 'node:child_process';
import { type BirpcReturn, createBirpc } from 'birpc';
import pLimit from 'p-limit';
import { MINUTE_MS } from '../../lib/durations.ts';
import { VehiError } from '../../lib/errors.ts';
import type { CloseUp, Picture, ReportPictures } from '../../report/pictures.ts';
import type { PhotoPrograms } from '../ports.ts';
import type { ChildFunctions, Outcome } from './quarantine-child.ts';

/** Idle time after which the child ends; it holds its own models, hundreds of megabytes. */
const IDLE_MS = MINUTE_MS;

/** The child exited during a job; `photo` was open then, undefined if none was. */
export class ChildDied extends Error {
  override readonly name = 'ChildDied';
  readonly photo: number | undefined;

  constructor(how: string, photo: number | undefined) {
    super(`the process that looked at the photos ended: ${how}`);
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
  readonly opening: (photo: number) => Promise<void>;
  /** Kills the child. */
  readonly signal: AbortSignal;
}

/** Opens photos in a child process, so a photo that crashes it harms nothing else. Runs one inspection at a time. */
export interface Quarantine {
  /** Starts the child if none runs, and resolves once it has loaded its models. @throws NoChild */
  ready(): Promise<void>;
  /** Runs a callback with the child's programs. @throws ChildDied, NoChild; VehiError engine/TIMEOUT on `signal` */
  run<T>(order: QuarantineJob, work: (programs: PhotoPrograms) => Promise<T>): Promise<T>;
  /** Total processor time of all runs; a run whose child died counts its wall time. */
  readonly processorSeconds: number;
  close(): Promise<void>;
}

interface Child {
  readonly process: ChildProcess;
  readonly functions: BirpcReturn<ChildFunctions, Record<string, never>>;
  /** Resolves with the exit signal, exit code or error message. */
  readonly ended: Promise<string>;
}

function unwrapOutcome<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  if ('fault' in outcome) throw new Error(outcome.fault);
  const { kind, code, message, field, details } = outcome.error;
  throw new VehiError(kind, code, message, { field, details });
}

function listenTo(child: ChildProcess): Child {
  const ended = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(signal ?? `code ${code}`));
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
  void ended.then((how) => functions.$close(new Error(how)));
  return { process: child, functions, ended };
}

/** Returns proxies for the child's programs, which send, open and draw photos one by one. */
function createPrograms(
  { functions }: Child,
  order: QuarantineJob,
  open: (photo: number | undefined) => void,
): PhotoPrograms {
  const positions = new Map<Uint8Array, number>();
  const unwrapCall = async <T>(call: Promise<Outcome<T>>): Promise<T> => {
    const outcome = await call.catch((error: unknown) => {
      throw functions.$closed ? new ChildGone() : error;
    });
    return unwrapOutcome(outcome);
  };
  const withOpenPhoto = async <T>(position: number, ask: () => Promise<Outcome<T>>): Promise<T> => {
    const photo = order.photos[position];
    if (photo === undefined) throw new Error(`photo ${position} has no name`);
    await order.opening(photo);
    open(photo);
    const value = await unwrapCall(ask());
    open(undefined);
    return value;
  };
  return {
    async inspect({ photos, ...request }) {
      for (const [position, photo] of photos.entries()) {
        if (photo.source.kind === 'bytes') positions.set(photo.source.bytes, position);
        const rejected = await withOpenPhoto(position, () => functions.look(position, photo, request));
        if (rejected && request.allOrNothing) break;
      }
      return unwrapCall(functions.inspect(request));
    },
    async draw(inspection, photos, { listCloseUps, report }, keep): Promise<ReportPictures> {
      const pictures = new Map<number, Picture>();
      const closeUps = new Map<string, CloseUp>();
      const missing = new Map<number, string>();
      let redaction: string | undefined;
      for (const { index, bytes } of photos) {
        const position = positions.get(bytes) ?? -1;
        const closer = listCloseUps?.(index) ?? null;
        const alone = await withOpenPhoto(position, () =>
          functions.draw({ inspection, position, index, closeUps: closer, report }),
        );
        if (alone.drawn) await keep(alone.drawn);
        for (const [photoIndex, picture] of alone.pictures.photos) pictures.set(photoIndex, picture);
        for (const [key, closeUp] of alone.pictures.closeUps) closeUps.set(key, closeUp);
        for (const [photoIndex, why] of alone.pictures.missing) missing.set(photoIndex, why);
        redaction = alone.pictures.redaction;
      }
      return { photos: pictures, closeUps, missing, redaction };
    },
  };
}

/**
 * Creates the quarantine, which runs jobs in a child process.
 * @param fork starts a child that serves `answerParent` over a channel that carries bytes
 */
export function createQuarantine(fork: () => ChildProcess, { idleMs = IDLE_MS } = {}): Quarantine {
  const serialize = pLimit(1);
  let child: Child | undefined;
  let idle: NodeJS.Timeout | undefined;
  let processorSeconds = 0;

  function ensureChild(): Child {
    clearTimeout(idle);
    if (child) return child;
    const started = listenTo(fork());
    child = started;
    void started.ended.then(() => {
      if (child === started) child = undefined;
    });
    return started;
  }

  async function waitUntilReady(busy: Child): Promise<void> {
    await busy.functions.ready().catch(async () => {
      throw new NoChild(`no process to look at photos in: ${await busy.ended}`);
    });
  }

  function scheduleEnd(): void {
    clearTimeout(idle);
    idle = setTimeout(() => void end(), idleMs).unref();
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const leaving = child;
    child = undefined;
    leaving?.process.kill('SIGKILL');
    await leaving?.ended;
  }

  async function runAlone<T>(
    order: QuarantineJob,
    work: (programs: PhotoPrograms) => Promise<T>,
  ): Promise<T> {
    const { signal } = order;
    const busy = ensureChild();
    const startedMs = performance.now();
    let photo: number | undefined;
    const onAbort = () => {
      if (child === busy) child = undefined;
      busy.process.kill('SIGKILL');
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await waitUntilReady(busy);
      return await work(
        createPrograms(busy, order, (opened) => {
          photo = opened;
        }),
      );
    } catch (error) {
      if (signal.aborted) throw new VehiError('engine', 'TIMEOUT', 'the analysis took too long.');
      throw error instanceof ChildGone ? new ChildDied(await busy.ended, photo) : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      // If the child has exited, its photos are gone as well.
      processorSeconds += await busy.functions.forget().catch(() => (performance.now() - startedMs) / 1000);
      scheduleEnd();
    }
  }

  return {
    ready: () =>
      serialize(async () => {
        await waitUntilReady(ensureChild());
        scheduleEnd();
      }),
    run: (order, work) => serialize(() => runAlone(order, work)),
    get processorSeconds() {
      return processorSeconds;
    },
    close: end,
  };
}
