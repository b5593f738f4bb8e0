import { type ChildProcess, execFile } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { startProgram } from '../../helpers/services/own-process.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Draws views of the demo vehicle at the contract's minimum size, 1280x720. */
export const makeSmallPhotos = (views: readonly string[]): Promise<Buffer[]> =>
  Promise.all(
    views.map((view) =>
      sharp(join(ROOT, 'fixtures/vehicle', `${view}.jpg`))
        .resize(1280, 720, { fit: 'cover' })
        .jpeg({ quality: 85 })
        .toBuffer(),
    ),
  );

/** A program under load: the output of its start, and its process. */
export interface Running {
  readonly address: string;
  /** Address of `/metrics`, if it has a port of its own. */
  readonly metrics?: string;
  readonly key: string;
  readonly keys: readonly string[];
  readonly child: ChildProcess;
}

/** Starts a node program that prints a JSON line with its address; its log goes to a file. */
export async function start(args: readonly string[], log: string): Promise<Running> {
  const started = await startProgram<Running & { readonly api_key?: string }>(args, openSync(log, 'w'));
  // `vehi serve --sandbox` prints `api_key`, the stand-in `key` and `keys`, the bare route none.
  return { ...started, key: started.key ?? started.api_key ?? '' };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the resident memory of a process in MB. */
export function readRssMb({ child: { pid } }: Running): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

/** Returns the processor time of a process in microseconds; the kernel counts in hundredths of a second. */
export function readCpuUs({ child: { pid } }: Running): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10_000;
}

interface Load {
  readonly requests: { readonly average: number; readonly total: number };
  readonly statusCodeStats?: Readonly<Record<string, { readonly count: number }>>;
}

/** Loads a URL with autocannon in a separate process. */
export async function runAutocannon(
  url: string,
  headers: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Load> {
  const all = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'node_modules/autocannon/autocannon.js'), '--json', '--no-progress', ...args, ...all, url],
    { maxBuffer: 2 ** 24 },
  );
  return JSON.parse(stdout) as Load;
}
