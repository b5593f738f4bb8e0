import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend } from '../../../src/server/backend.ts';
import { listProcessWords } from '../../helpers/services/own-process.ts';
import { makeFakeBackend, readText } from './backend.ts';

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
