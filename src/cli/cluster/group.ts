import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';

/** A program of a group. */
export interface Part {
  readonly name: string;
  /** Programs of a lower number are ended first: those that need the others. */
  readonly order: number;
  /** Asks the program to end. */
  readonly endBy: NodeJS.Signals;
  /** Time it has for that; then it is killed. */
  readonly graceMs: number;
  /** Starts it, says so by `onSpawn` at once, and resolves when it is ready. Rejects where it ends before. */
  start(onSpawn: (child: Child) => void): Promise<void>;
}

/** Programs that run together. */
export interface Group {
  /** Starts a program and keeps it running: one that ends is started again. Resolves when it is ready. */
  add(part: Part): Promise<void>;
  /** Rejects when a program cannot be kept running. */
  readonly failed: Promise<never>;
  /** Ends all, in their order; at once when `hurry` resolves. */
  end(hurry: Promise<void>): Promise<void>;
}

/** A program that ended so often within this time is not started again. */
const ENDS_MAX = 5;
const WITHIN_MS = 60_000;
const PAUSE_MS = 1_000;

/** Creates an empty group. `say` informs the person of what ended and is started again. */
export function createGroup(say: (text: string) => void, { pauseMs = PAUSE_MS } = {}): Group {
  const running = new Map<Part, Child>();
  let ending = false;
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_done, reject) => {
    fail = reject;
  });
  // It may be that nobody waits any more.
  failed.catch(() => undefined);

  async function start(part: Part): Promise<Child> {
    let spawned: Child | undefined;
    await part.start((child) => {
      spawned = child;
      running.set(part, child);
      void child.ended.then(() => {
        if (running.get(part) === child) running.delete(part);
      });
    });
    return spawned as unknown as Child;
  }

  async function keep(part: Part, first: Child): Promise<void> {
    const endsMs: number[] = [];
    let child = first;
    let how = await child.ended;
    for (;;) {
      if (ending) return;
      endsMs.push(performance.now());
      const recent = endsMs.filter((ms) => performance.now() - ms < WITHIN_MS).length;
      if (recent >= ENDS_MAX) throw child.failure(how);
      say(`${part.name} ended (${how}); it is started again`);
      await sleep(pauseMs * recent);
      if (ending) return;
      try {
        child = await start(part);
        say(`${part.name} runs again`);
        how = await child.ended;
      } catch (error) {
        if (ending) return;
        how = (error as Error).message.split('\n')[0] ?? '';
      }
    }
  }

  async function endOne(part: Part, child: Child, hurry: Promise<void>): Promise<void> {
    child.signal(part.endBy);
    const late = new AbortController();
    const pause = sleep(part.graceMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([child.ended, pause, hurry]);
    late.abort();
    child.signal('SIGKILL');
    await child.ended;
  }

  return {
    async add(part) {
      if (ending) return;
      const child = await start(part);
      keep(part, child).catch(fail);
    },
    failed,
    async end(hurry) {
      ending = true;
      const orders = [...new Set([...running.keys()].map(({ order }) => order))].sort((a, b) => a - b);
      for (const order of orders) {
        const these = [...running].filter(([part]) => part.order === order);
        await Promise.all(these.map(([part, child]) => endOne(part, child, hurry)));
      }
    },
  };
}
