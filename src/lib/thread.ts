import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { resolvePackagePath } from './package.ts';

/**
 * Returns the entry file of a module that runs in its own thread or process: from `src` if this runs from source, else
 * from `dist` (`vite.config.ts` lists these modules).
 * @param module its path below `src`, without an extension
 */
export function resolveModuleEntry(module: string): URL {
  const isSource = extname(new URL(import.meta.url).pathname) === '.ts';
  return pathToFileURL(resolvePackagePath(isSource ? `src/${module}.ts` : `dist/${module}.js`));
}

/** Starts a worker thread with a module of this package, from source or bundle. */
export function startThread(module: string, options: WorkerOptions = {}): Worker {
  const file = resolveModuleEntry(module);
  return new Worker(file, {
    name: `vehi-${module}`,
    ...options,
    execArgv: file.pathname.endsWith('.ts') ? listTypeScriptFlags() : [],
  });
}

/** Returns the flags for a worker thread to run TypeScript sources (in development, where tsx is installed). */
function listTypeScriptFlags(): string[] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = new URL('./dist/esm/api/index.mjs', tsx).href;
  return [
    '--import',
    `data:text/javascript,import{register}from${encodeURIComponent(JSON.stringify(api))};register()`,
  ];
}

/** A worker thread, or a child process. */
interface Thread {
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** Keeps one thread or process for occasional jobs, and stops it after `idleMs` without any, to free its memory. */
export function createIdleThread<T extends Thread>(start: () => T, idleMs: number) {
  let worker: T | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Terminates the thread, busy or not. */
  const terminate = async (): Promise<void> => {
    clearTimeout(timer);
    const stopping = worker;
    worker = undefined;
    await stopping?.terminate();
  };
  return {
    /** Returns the thread, starting it if necessary; it keeps the process alive until `release`. */
    acquire(): T {
      clearTimeout(timer);
      worker ??= start();
      worker.ref();
      return worker;
    },
    /** Marks the thread as idle: it no longer keeps the process alive, and stops after a while. */
    release(thread: T): void {
      if (worker !== thread) return;
      thread.unref();
      clearTimeout(timer);
      timer = setTimeout(() => void terminate(), idleMs).unref();
    },
    /** Discards a thread that exited or hangs; the next call starts another. Returns false if it was already replaced. */
    discard(thread: T): boolean {
      if (worker !== thread && worker !== undefined) return false;
      worker = undefined;
      return true;
    },
    terminate,
  };
}
