import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Programs } from '../../../src/server/programs.ts';
import { listProcessWords } from '../../helpers/services/own-process.ts';
import { makeFakePrograms, readText } from './programs.ts';

/** Programs whose analysis takes a while; a photo with `abort` in it ends the process, as a fault of a decoder does. */
export function standInPrograms(workMs: number): Programs {
  const programs = makeFakePrograms();
  const engine: Programs['engine'] = {
    ...programs.engine,
    async inspect(...args) {
      await sleep(workMs);
      for (const { source } of args[0].photos)
        if ((await readText(source)).includes('abort')) process.abort();
      // The fake remembers every request; nobody looks here.
      programs.fake.seen.length = 0;
      return programs.engine.inspect(...args);
    },
  };
  return { ...programs, engine };
}

/** Starts a process with the same programs. */
export function startStandInChild(workMs: number): ChildProcess {
  const words = listProcessWords('server/helpers/photo-child');
  return fork(words.at(-1) ?? '', [String(workMs)], {
    execArgv: words.slice(0, -1),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
