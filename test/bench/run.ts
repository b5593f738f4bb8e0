/**
 * What inspecting costs, as ratios within one run: against the floor of bare decodes and bare model runs, in memory
 * over the number of photos, and start-up against bare node. Prints one JSON document; nothing here is a test.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { makePhotos } from './photos.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 3;

function json<T = Record<string, number>>(script: string, args: readonly string[]): T {
  const out = execFileSync(process.execPath, [join(ROOT, 'test/bench', script), ...args], {
    encoding: 'utf8',
  });
  return JSON.parse(out) as T;
}

interface Inspected extends Record<string, unknown> {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly loopMaxMs: number;
  readonly loopP99Ms: number;
  /** How often each model was run. */
  readonly runs: Readonly<Record<string, number>>;
}

/** One inspection, and the floor of the very runs and decodes it took. */
function compared(photos: readonly string[]) {
  const inspect = json<Inspected>('inspect-process.js', photos);
  return { inspect, floor: json('floor-process.js', [JSON.stringify(inspect.runs), ...photos]) };
}

/**
 * What a careful Python program around the same models takes, with first looks alone or with second ones; null where Python
 * lacks Pillow, numpy or onnxruntime. `VEHI_BENCH_PYTHON` names another Python.
 */
function pipelineMs(looks: 'once' | 'again', photos: readonly string[]): number | null {
  const python = process.env.VEHI_BENCH_PYTHON ?? 'python3';
  if (spawnSync(python, ['-c', 'import PIL, numpy, onnxruntime']).status !== 0) return null;
  const script = join(ROOT, 'test/bench/pipeline.py');
  const out = execFileSync(python, [script, join(ROOT, 'models'), looks, ...photos], { encoding: 'utf8' });
  return (JSON.parse(out) as { wallMs: number }).wallMs;
}

const overPipeline = (wall: number, pipeline: number | null) =>
  pipeline === null ? 'left out: no Python with Pillow, numpy and onnxruntime' : round(wall / pipeline);

function startMs(args: readonly string[]): number {
  const started = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - started;
}

/**
 * Peak memory of the command as it is installed (by its first line, which sets what glibc keeps), over as many vehicles
 * of the same photos, one after the other; Linux only.
 */
async function peakOfCommandMb(photos: readonly string[], vehicles: number, folder: string): Promise<number> {
  const fleet = join(folder, `fleet-${vehicles}`);
  for (let i = 0; i < vehicles; i++) {
    mkdirSync(join(fleet, `${i}`), { recursive: true });
    for (const photo of photos) linkSync(photo, join(fleet, `${i}`, basename(photo)));
  }
  const flags = ['--quiet', '--output', join(folder, `results-${vehicles}`)];
  const command = spawn(join(ROOT, 'bin/vehi.js'), ['inspect', '--many', fleet, ...flags], {
    stdio: 'ignore',
    env: { ...process.env, VEHI_CONCURRENCY: '1' },
  });
  const ended = once(command, 'exit');
  let peakKb = 0;
  const watch = setInterval(() => {
    const status = readFileSync(`/proc/${command.pid}/status`, 'utf8');
    peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 20);
  const [code] = await ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`vehi inspect ended with ${code}`);
  return peakKb / 1024;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const round = (value: number, digits = 2) => Number(value.toFixed(digits));

const folder = mkdtempSync(join(tmpdir(), 'vehi-bench-'));
try {
  const photos = await makePhotos(folder, 12);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    ...compared(photos),
    node: startMs(['-e', '0']),
    help: startMs([join(ROOT, 'bin/vehi.js'), '--help']),
    version: startMs([join(ROOT, 'bin/vehi.js'), '--version']),
  }));
  const command = {
    few: await peakOfCommandMb(photos, 1, folder),
    many: await peakOfCommandMb(photos, 10, folder),
  };
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  const wall = of((one) => one.inspect.wallMs);
  const decode = of((one) => one.floor.decodeMs ?? Number.NaN);
  const bare = of((one) => one.floor.runsMs ?? Number.NaN);
  process.stdout.write(
    `${JSON.stringify(
      {
        photos: 12,
        megapixels: 12,
        model_runs: rounds[0]?.inspect.runs,
        wall_ms: round(wall, 0),
        processor_ms: round(
          of((one) => one.inspect.cpuMs),
          0,
        ),
        floor_decode_ms: round(decode, 0),
        floor_model_runs_ms: round(bare, 0),
        wall_over_floor: round(
          of((one) => one.inspect.wallMs / Math.max(one.floor.decodeMs ?? 0, one.floor.runsMs ?? 0)),
        ),
        wall_over_python_pipeline: overPipeline(wall, pipelineMs('once', photos)),
        wall_over_python_pipeline_with_second_looks: overPipeline(wall, pipelineMs('again', photos)),
        peak_mb_12_photos: round(command.few, 0),
        peak_mb_120_photos: round(command.many, 0),
        peak_mb_12_photos_as_library: round(
          of((one) => one.inspect.peakMb),
          0,
        ),
        event_loop_max_ms: round(
          of((one) => one.inspect.loopMaxMs),
          1,
        ),
        event_loop_p99_ms: round(
          of((one) => one.inspect.loopP99Ms),
          1,
        ),
        help_over_node: round(of((one) => one.help / one.node)),
        version_over_node: round(of((one) => one.version / one.node)),
      },
      null,
      2,
    )}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
