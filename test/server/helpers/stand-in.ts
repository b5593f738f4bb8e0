import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend } from '../../../src/server/backend.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../../../src/server/server-settings.ts';
import { listProcessWords } from '../../helpers/services/own-process.ts';
import { makeFakeBackend, readText } from './backend.ts';

/** Settings of a service that is a process of its own, to be killed. */
export const STAND_IN_SETTINGS: ServerSettings = {
  ...DEFAULT_SETTINGS,
  environment: 'sandbox',
  sandbox: true,
  allowPrivate: true,
  // More tries than the receiver of the test refuses, even if one message should get every refusal.
  webhookRetrySeconds: Array.from({ length: 30 }, () => 1),
  // Nothing here is about slowness: a machine that is busy with other things must not make a photo unavailable.
  fetchTimeoutMs: 120_000,
  requestTimeoutMs: 300_000,
  webhookTimeoutMs: 120_000,
  // What a killed process held comes back within a test.
  webhookLeaseMs: 2_000,
};

/** Times of a queue on PostgreSQL, shorter for the same reason. */
export const SHORT_TIMING = { lockMs: 3_000, missingMs: 1_000, countMs: 200 };

/** A backend whose analysis takes a while; a photo with `abort` in it ends the process, as a fault of a decoder does. */
export function standInBackend(workMs: number): Backend {
  const backend = makeFakeBackend();
  const engine: Backend['engine'] = {
    ...backend.engine,
    async inspect(...args) {
      await sleep(workMs);
      for (const { source } of args[0].photos)
        if ((await readText(source)).includes('abort')) process.abort();
      // The fake remembers every request; nobody looks here.
      backend.fake.seen.length = 0;
      return backend.engine.inspect(...args);
    },
  };
  return { ...backend, engine };
}

/** Starts a process with the same backend. */
export function startStandInChild(workMs: number): ChildProcess {
  const words = listProcessWords('server/helpers/photo-child');
  return fork(words.at(-1) ?? '', [String(workMs)], {
    execArgv: words.slice(0, -1),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
