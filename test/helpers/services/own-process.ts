import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

/** Words behind `node` that run a module below `test` as a process of its own: bundled where the run has done so. */
export function listProcessWords(module: string): readonly string[] {
  const bundled = process.env.VEHI_TEST_PROCESSES;
  if (bundled) return [join(bundled, `test/${module}.js`)];
  return ['--import', 'tsx', resolve(import.meta.dirname, `../../${module}.ts`)];
}

/** Starts a program of Node; returns it with the line of JSON that it prints once it is ready. */
export async function startProgram<Line extends object>(
  words: readonly string[],
  stderr: 'inherit' | 'ignore' | number = 'inherit',
): Promise<Line & { readonly child: ChildProcess }> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', stderr] });
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`${words} ended with ${code}`)),
  );
  const [line] = await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
  return { ...JSON.parse(String(line)), child };
}

/** Ends a program and waits until it is gone. */
export async function endProgram(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
