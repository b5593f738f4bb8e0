import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread that runs the module `name` next to the caller's, built or not.
 * @param name the module's file name without its extension
 * @param from the calling module's `import.meta.url`
 * @param options what the thread is given besides
 */
export function startThread(name: string, from: string, options: WorkerOptions = {}): Worker {
  const extension = extname(new URL(from).pathname);
  return new Worker(new URL(`./${name}${extension}`, from), {
    name: `vehi-${name}`,
    ...options,
    execArgv: extension === '.ts' ? runTypeScript() : [],
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
  /** Says that this thread has nothing to do: it no longer keeps the process alive, and ends in time. */
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
