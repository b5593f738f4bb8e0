import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { placeOfModule } from './places.ts';

/**
 * Starts a thread that runs a module of this package, built or not.
 * @param module its path below `src`, without an extension
 * @param options what the thread is given besides
 */
export function startThread(module: string, options: WorkerOptions = {}): Worker {
  const file = placeOfModule(module);
  return new Worker(file, {
    name: `vehi-${module}`,
    ...options,
    execArgv: file.pathname.endsWith('.ts') ? runTypeScript() : [],
  });
}

/**
 * Returns the flags that let a thread run this project's sources unbuilt (in tests and in development, where tsx is
 * installed).
 */
function runTypeScript(): string[] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = new URL('./dist/esm/api/index.mjs', tsx).href;
  return [
    '--import',
    `data:text/javascript,import{register}from${encodeURIComponent(JSON.stringify(api))};register()`,
  ];
}

/** One thread that starts with the first work and ends after a time without any. */
interface IdleThread {
  /** Returns the thread, started where none runs; it keeps the process alive until `rest`. */
  wake(): Worker;
  /** Marks a thread as idle: it no longer keeps the process alive, and ends after a while. */
  rest(thread: Worker): void;
  /** Forgets a thread that ended or no longer answers; the next work starts another. Returns false for one replaced already. */
  forget(thread: Worker): boolean;
  /** Ends the thread, busy or not. */
  end(): Promise<void>;
}

/**
 * Keeps one thread for work that comes now and then: idle it would hold the memory of the largest work it did.
 * @param start starts the thread
 * @param idleMs time without work after which it ends
 */
export function createIdleThread(start: () => Worker, idleMs: number): IdleThread {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = async (): Promise<void> => {
    clearTimeout(timer);
    const leaving = worker;
    worker = undefined;
    await leaving?.terminate();
  };
  return {
    wake() {
      clearTimeout(timer);
      worker ??= start();
      worker.ref();
      return worker;
    },
    rest(thread) {
      if (worker !== thread) return;
      thread.unref();
      clearTimeout(timer);
      timer = setTimeout(() => void end(), idleMs).unref();
    },
    forget(thread) {
      if (worker !== thread && worker !== undefined) return false;
      worker = undefined;
      return true;
    },
    end,
  };
}
