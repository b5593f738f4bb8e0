/**
 * Cost of inspections, as ratios within one run: wall and processor time against bare decodes and bare model runs,
 * memory by number of photos, and start-up against bare node. Prints one JSON document; not a test. `npm run bench --
 * time` omits the memory over 120 photos.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { RASTER_LONG_SIDE } from '../../src/domain/photo.ts';
import { makePhotos } from './photos.ts';
import { median } from './service/load.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 3;

function json<T>(script: string, args: readonly string[]): T {
  const out = execFileSync(process.execPath, [join(ROOT, 'test/bench', script), ...args], {
    encoding: 'utf8',
  });
  return JSON.parse(out) as T;
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

interface Inspected extends Cost {
  readonly peakMb: number;
  readonly loopMaxMs: number;
  readonly loopP99Ms: number;
  /** Number of runs per model. */
  readonly runs: Readonly<Record<string, number>>;
}

/** Measures one inspection, and its lower bound with the same runs and decodes. */
function compared(photos: readonly string[]) {
  const inspect = json<Inspected>('inspect-process.js', photos);
  const given = [String(RASTER_LONG_SIDE), JSON.stringify(inspect.runs), ...photos];
  const { decodes, runs } = json<{ decodes: Cost; runs: Cost }>('floor-process.js', given);
  return {
    inspect,
    decodes,
    runs,
    wallRatio: inspect.wallMs / Math.max(decodes.wallMs, runs.wallMs),
    cpuRatio: inspect.cpuMs / (decodes.cpuMs + runs.cpuMs),
  };
}

function startMs(args: readonly string[]): number {
  const started = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - started;
}

/**
 * Measures the installed command (including its first lines, which configure glibc and V8) over `vehicles` vehicles of
 * the same photos, sequentially, in a separate folder; Linux only.
 */
async function runCommand(photos: readonly string[], vehicles: number, folder: string) {
  for (let i = 0; i < vehicles; i++) {
    mkdirSync(join(folder, 'fleet', `${i}`), { recursive: true });
    for (const photo of photos) linkSync(photo, join(folder, 'fleet', `${i}`, basename(photo)));
  }
  const flags = ['--quiet', '--output', join(folder, 'results')];
  const command = spawn(join(ROOT, 'bin/vehi.js'), ['inspect', '--many', join(folder, 'fleet'), ...flags], {
    stdio: 'ignore',
    env: { ...process.env, VEHI_CONCURRENCY: '1' },
  });
  const ended = once(command, 'exit');
  let peakKb = 0;
  let cpuMs = 0;
  const watch = setInterval(() => {
    const read = (file: string) => readFileSync(`/proc/${command.pid}/${file}`, 'utf8');
    peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(read('status'))?.[1] ?? 0));
    // User and system time of all threads in hundredths of a second, including terminated ones.
    const [user, system] = read('stat').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
    cpuMs = Math.max(cpuMs, 10 * ((user ?? 0) + (system ?? 0)));
  }, 20);
  const [code] = await ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`vehi inspect ended with ${code}`);
  return { peakMb: peakKb / 1024, cpuMs };
}

async function measureRound(photos: readonly string[], folder: string) {
  const one = compared(photos);
  const command = await runCommand(photos, 1, folder);
  return {
    ...one,
    command,
    commandRatio: command.cpuMs / (one.decodes.cpuMs + one.runs.cpuMs),
    node: startMs(['-e', '0']),
    help: startMs([join(ROOT, 'bin/vehi.js'), '--help']),
    version: startMs([join(ROOT, 'bin/vehi.js'), '--version']),
  };
}

const round = (value: number, digits = 2) => Number(value.toFixed(digits));

const folder = mkdtempSync(join(tmpdir(), 'vehi-bench-'));
try {
  const photos = await makePhotos(folder, 12);
  const rounds: Awaited<ReturnType<typeof measureRound>>[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await measureRound(photos, join(folder, `round-${i}`)));
  const of = (pick: (round: (typeof rounds)[number]) => number, digits = 2) =>
    round(median(rounds.map(pick)), digits);
  const figures = {
    model_runs: rounds[0]?.inspect.runs,
    wall_ms: of((one) => one.inspect.wallMs, 0),
    floor_decode_ms: of((one) => one.decodes.wallMs, 0),
    floor_model_runs_ms: of((one) => one.runs.wallMs, 0),
    wall_over_floor: of((one) => one.wallRatio),
    processor_ms: of((one) => one.inspect.cpuMs, 0),
    processor_decodes_ms: of((one) => one.decodes.cpuMs, 0),
    processor_model_runs_ms: of((one) => one.runs.cpuMs, 0),
    processor_over_decodes_and_runs: of((one) => one.cpuRatio),
    processor_of_command_ms: of((one) => one.command.cpuMs, 0),
    processor_of_command_over_decodes_and_runs: of((one) => one.commandRatio),
    peak_mb_12_photos: of((one) => one.command.peakMb, 0),
    peak_mb_12_photos_as_library: of((one) => one.inspect.peakMb, 0),
    event_loop_max_ms: of((one) => one.inspect.loopMaxMs, 1),
    event_loop_p99_ms: of((one) => one.inspect.loopP99Ms, 1),
    help_over_node: of((one) => one.help / one.node),
    version_over_node: of((one) => one.version / one.node),
  };
  const rest = process.argv.includes('time')
    ? {}
    : {
        peak_mb_120_photos: round((await runCommand(photos, 10, join(folder, 'many'))).peakMb, 0),
      };
  process.stdout.write(`${JSON.stringify({ ...figures, ...rest }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
