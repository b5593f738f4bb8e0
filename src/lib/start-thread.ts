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
