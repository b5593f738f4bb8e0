/**
 * Time of `vehi serve --sandbox --ephemeral --port 0` to its ready line and to stop, against bare node in the same run.
 * Medians; on a busy machine, rely on processor time. Prints one JSON document; not a test.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

const ROOT = resolve(import.meta.dirname, '../../..');
const ROUNDS = 7;
const TICK_MS = 10;

/** Returns the processor time of a process in milliseconds; NaN without /proc. */
function processorMs({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function nodeMs(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

interface Start {
  readonly lineMs: number;
  readonly lineProcessorMs: number;
  readonly stopMs: number;
}

function serve(): Promise<Start> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const words = ['serve', '--sandbox', '--ephemeral', '--port', '0'];
    const child = spawn(process.execPath, [resolve(ROOT, 'bin/vehi.js'), ...words]);
    child.on('error', fail);
    child.stdout.once('data', () => {
      const line = performance.now();
      const lineProcessorMs = processorMs(child);
      child.on('close', () =>
        done({ lineMs: line - started, lineProcessorMs, stopMs: performance.now() - line }),
      );
      child.kill('SIGTERM');
    });
  });
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const rounds: (Start & { nodeMs: number })[] = [];
for (let i = 0; i < ROUNDS; i++) rounds.push({ nodeMs: nodeMs(), ...(await serve()) });
const of = (pick: (round: (typeof rounds)[number]) => number) => Math.round(median(rounds.map(pick)));
process.stdout.write(
  `${JSON.stringify(
    {
      node_ms: of((round) => round.nodeMs),
      line_ms: of((round) => round.lineMs),
      line_processor_ms: of((round) => round.lineProcessorMs),
      line_over_node: Number(median(rounds.map((round) => round.lineMs / round.nodeMs)).toFixed(1)),
      stop_ms: of((round) => round.stopMs),
    },
    null,
    2,
  )}\n`,
);
