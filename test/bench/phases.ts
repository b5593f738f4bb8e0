/**
 * Cost breakdown of an inspection of 12 photos of 12 megapixels: processor milliseconds per phase, run sequentially in
 * this process (best of two), and of a whole inspection with worker threads. The remainder (`rest`) is threads, garbage
 * collection, compilation, merging and the result. Prints one JSON document; not a test. Run with `npm run build && npx
 * tsx test/bench/phases.ts`. Processor time excludes waiting but is reliable on a busy machine, unlike wall time.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '../../src/domain/geometry.ts';
import type { RgbImage } from '../../src/domain/photo.ts';
import type { PartMap } from '../../src/domain/sight/detection.ts';
import { computePerceptualHash } from '../../src/images/quality/perceptual-hash.ts';
import { judgeQuality, loadQualityLimits } from '../../src/images/quality/quality.ts';
import { type CheckedPhoto, checkPhoto } from '../../src/images/read/checked-photo.ts';
import { loadPhotoRules } from '../../src/images/read/photo-rules.ts';
import { toRaster } from '../../src/images/read/raster.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { decodeBoxes } from '../../src/vision/boxes/decode-boxes.ts';
import { decodeParts } from '../../src/vision/boxes/decode-parts.ts';
import { listSecondPassRegions } from '../../src/vision/boxes/second-pass.ts';
import { findVehicleRegion } from '../../src/vision/boxes/vehicle-region.ts';
import { readChecked } from '../../src/vision/models/checked-file.ts';
import type { ModelInput } from '../../src/vision/models/manifest.ts';
import { loadManifest, loadModel, shippedModelDir } from '../../src/vision/models/model-files.ts';
import { makeChannelTables, toPlanes } from '../../src/vision/run/network.ts';
import { openNetwork, type Results } from '../../src/vision/run/session.ts';
import { SECOND_PASS } from '../../src/vision/vision.ts';
import { makePhotos } from './photos.ts';

const ROUNDS = 2;
const PHOTOS = 12;
const whole = ({ width, height }: RgbImage): Box => ({ x: 0, y: 0, width, height });

/** Minimum processor time of each phase over all rounds, by name. */
const cost: Record<string, number> = {};

async function phase<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  cost[name] = Math.min(cost[name] ?? Number.POSITIVE_INFINITY, (user + system) / 1000);
  return result;
}

function each<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R> | R): Promise<R[]> {
  return items.reduce<Promise<R[]>>(
    async (done, item, index) => [...(await done), await work(item, index)],
    Promise.resolve([]),
  );
}

/** Copies the results, so that reading them is a separate phase. */
function kept(results: Results): Results {
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, values.slice()]));
}

/** Creates a function that converts pictures of a model's size to planes in a reused buffer. */
function filler(input: ModelInput): (picture: RgbImage) => Float32Array {
  const planes = new Float32Array(3 * input.width * input.height);
  const tables = makeChannelTables(input);
  return ({ data }) => {
    toPlanes(data, tables, planes);
    return planes;
  };
}

const folder = mkdtempSync(join(tmpdir(), 'vehi-bench-'));
try {
  const paths = await makePhotos(folder, PHOTOS);
  const rules = loadPhotoRules();
  const limits = { maxPixels: rules.maxPixels, timeoutSeconds: rules.decodeTimeoutSeconds };
  let damageRuns = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const manifest = await loadManifest(shippedModelDir());
    const { damage, parts } = manifest;
    const files = await phase('read_and_hash_models', () =>
      Promise.all([loadModel(shippedModelDir(), damage), loadModel(shippedModelDir(), parts)]),
    );
    const bytes = await Promise.all(files.map(({ file }) => readChecked(file)));
    const detector = await phase('open_damage_model', () => openNetwork(bytes[0] as Uint8Array));
    const segmenter = await phase('open_parts_model', () => openNetwork(bytes[1] as Uint8Array));

    const photos = await phase('read_and_check_photos', () =>
      each(paths, (path) => checkPhoto({ kind: 'file', path }, rules)),
    );
    const decode = (photo: CheckedPhoto) => toRaster(photo.bytes, limits);
    const rasters = await phase('decode', () => each(photos, decode));
    const quality = loadQualityLimits();
    await phase('quality', () => each(rasters, (raster) => judgeQuality(raster, raster, quality)));
    await phase('perceptual_hash', () => each(rasters, computePerceptualHash));

    const scale = (raster: RgbImage, region: Box) => resizeRgb(raster, region, damage.input);
    const small = await phase('scale_whole', () => each(rasters, (raster) => scale(raster, whole(raster))));
    const forParts = await phase('scale_for_parts', () =>
      each(rasters, (raster) => resizeRgb(raster, whole(raster), parts.input)),
    );
    const fillParts = filler(parts.input);
    const fill = filler(damage.input);
    await phase('to_planes_parts', () => each(forParts, fillParts));
    const maps = await phase('run_parts', () =>
      each(forParts, (picture) => segmenter.run({ [parts.input.name]: fillParts(picture) }, kept)),
    );
    const { logits, stride } = parts.outputs;
    const [columns, rows] = [parts.input.width / stride, parts.input.height / stride];
    const read = (map: Results): PartMap => ({
      labels: parts.labels,
      ...decodeParts(map[logits] as Float32Array, parts.labels, columns, rows),
    });
    const seen = await phase('read_parts', () => each(maps, read));
    const regions = rasters.map((raster, i) =>
      listSecondPassRegions(raster, findVehicleRegion(seen[i] as PartMap, raster), damage.input, SECOND_PASS),
    );
    const tiles = await phase('scale_tiles', () =>
      each(rasters, (raster, i) => each(regions[i] ?? [], (region) => scale(raster, region))),
    );
    const pictures = [...small, ...tiles.flat()];
    damageRuns = pictures.length;
    await phase('to_planes_damage', () => each(pictures, fill));
    const found = await phase('run_damage', () =>
      each(pictures, (picture) => detector.run({ [damage.input.name]: fill(picture) }, kept)),
    );
    await phase('read_boxes', () =>
      each(found, ({ [damage.outputs.boxes]: boxes, [damage.outputs.scores]: scores }) =>
        decodeBoxes(
          boxes as Float32Array,
          scores as Float32Array,
          damage.labels.length,
          damage.input,
          damage,
        ),
      ),
    );
    await Promise.all([detector.release(), segmenter.release()]);
  }
  // Filling the planes is counted separately.
  cost.run_parts = (cost.run_parts ?? 0) - (cost.to_planes_parts ?? 0);
  cost.run_damage = (cost.run_damage ?? 0) - (cost.to_planes_damage ?? 0);

  const wholes = Array.from({ length: ROUNDS }, () =>
    JSON.parse(
      execFileSync(process.execPath, [join(import.meta.dirname, 'inspect-process.js'), ...paths], {
        encoding: 'utf8',
      }),
    ),
  ) as { cpuMs: number; importsCpuMs: number }[];
  const inspection = Math.min(...wholes.map(({ cpuMs }) => cpuMs));
  const phases = Object.values(cost).reduce((sum, ms) => sum + ms, 0);
  const rounded = (values: Record<string, number>) =>
    Object.fromEntries(Object.entries(values).map(([name, ms]) => [name, Math.round(ms)]));
  process.stdout.write(
    `${JSON.stringify(
      {
        photos: PHOTOS,
        damage_runs: damageRuns,
        cpu_ms: rounded({
          start_and_import: Math.min(...wholes.map(({ importsCpuMs }) => importsCpuMs)),
          ...cost,
          rest: inspection - phases,
          inspection,
        }),
        inspection_over_model_runs: Number(
          (inspection / ((cost.run_parts ?? 0) + (cost.run_damage ?? 0))).toFixed(2),
        ),
      },
      null,
      2,
    )}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
