/**
 * Memory of `vehi inspect --many` by number of photos: `tsx test/bench/fleet.ts [real photos] [all photos]`. The first
 * run uses the whole pipeline. The second uses an instantaneous engine, to reveal memory retained by the fleet over ten
 * thousand photos. Prints one JSON document: resident memory in MB after a tenth, half and all of the vehicles. Photos
 * are hard links of one small file.
 */
import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import sharp from 'sharp';
import { type EngineMaker, runFleet } from '../../src/cli/fleet/run-fleet.ts';
import type { CliContext } from '../../src/cli/terminal/context.ts';
import { createEngine, DEFAULT_OPTIONS } from '../../src/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PHOTOS_PER_VEHICLE = 4;
const VIEWS = ['front', 'rear', 'left_side', 'right_side'];

/** Creates an engine that returns copies of one real result. */
async function quickEngine(photo: string): Promise<EngineMaker> {
  const engine = await createEngine();
  const photos = VIEWS.map((view) => ({
    source: { kind: 'file', path: photo } as const,
    url: `${view}.jpg`,
  }));
  const answer = await engine.inspect({ vehicleId: 'bench', photos, options: DEFAULT_OPTIONS });
  await engine.close();
  return async () => ({
    ...engine,
    inspect: async ({ vehicleId }) => {
      const copy = structuredClone(answer);
      copy.data.vehicle_id = vehicleId;
      return copy;
    },
    close: async () => undefined,
  });
}

function makeFleet(folder: string, photo: string, vehicles: number): void {
  for (let i = 0; i < vehicles; i++) {
    const car = join(folder, `car_${i}`);
    mkdirSync(car, { recursive: true });
    for (const view of VIEWS) linkSync(photo, join(car, `${view}.jpg`));
  }
}

/** Returns the resident memory in MB after each vehicle reported on stderr. */
async function memoryOf(cwd: string, fleet: string, out: string, maker?: EngineMaker): Promise<number[]> {
  const samples: number[] = [];
  const stderr = new Writable({
    write(chunk, _, done) {
      if (/^ *\d+\/\d+ /.test(String(chunk))) samples.push(process.memoryUsage.rss() / 2 ** 20);
      done();
    },
  });
  const ctx: CliContext = {
    stdin: new PassThrough(),
    stdout: new Writable({ write: (_chunk, _encoding, done) => done() }),
    stderr,
    env: { VEHI_THREADS: '1' },
    cwd,
    now: () => new Date(),
    interactive: false,
    colour: { stdout: 0, stderr: 0 },
    setExitCode: () => undefined,
    onStop: () => () => undefined,
  };
  await runFleet([], { many: fleet, output: [out] }, ctx, maker);
  return samples;
}

function figures(samples: readonly number[]): Record<string, number> {
  const at = (share: number) => Math.round(samples[Math.ceil(samples.length * share) - 1] ?? Number.NaN);
  return {
    photos: samples.length * PHOTOS_PER_VEHICLE,
    rss_mb_at_tenth: at(0.1),
    rss_mb_at_half: at(0.5),
    rss_mb_at_end: at(1),
    rss_mb_peak: Math.round(Math.max(...samples)),
  };
}

const [real = 1000, quick = 10_000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'vehi-fleet-bench-'));
try {
  const photo = join(folder, 'photo.jpg');
  const view = join(ROOT, 'fixtures/vehicle/right_side.jpg');
  await sharp(view).resize(1280, 720, { fit: 'cover' }).jpeg({ quality: 60 }).toFile(photo);
  makeFleet(join(folder, 'quick'), photo, quick / PHOTOS_PER_VEHICLE);
  const quickRun = figures(await memoryOf(folder, 'quick', 'quick-out', await quickEngine(photo)));
  makeFleet(join(folder, 'real'), photo, real / PHOTOS_PER_VEHICLE);
  const realRun = figures(await memoryOf(folder, 'real', 'real-out'));
  process.stdout.write(`${JSON.stringify({ quick_engine: quickRun, whole_pipeline: realRun }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
