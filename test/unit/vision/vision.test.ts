// @module-tag slow: models run
import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Size } from '../../../src/domain/geometry.ts';
import { resizeRgb } from '../../../src/images/read/resize-rgb.ts';
import { FEATURES, FIRST_FEATURES } from '../../../src/vision/judge/features.ts';
import { createVision, type PhotoVision, type VisionOptions } from '../../../src/vision/vision.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { type Color, draw, makeTinyClassifier, makeTinyManifest, TINY } from './pictures.ts';

// threads start slowly on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open: PhotoVision[] = [];
async function vision(options: Partial<VisionOptions> = {}): Promise<PhotoVision> {
  const made = await createVision({ modelDir: TINY, threads: 1, resize: resizeRgb, ...options });
  open.push(made);
  return made;
}
const tiny = await vision();
afterAll(async () => {
  for (const one of open) await one.close();
});

/** A photo decoded to the raster, by default at half its size. */
const size = { width: 1280, height: 640 };
const photo = (boxes: Parameters<typeof draw>[1], raster: Size = { width: 640, height: 320 }) => ({
  raster: draw(raster, boxes),
  size,
});
const spot = (color: Color, x: number, y: number, width: number, height: number) => ({
  color,
  box: { x, y, width, height },
});

describe('detect', () => {
  it('finds what fills a cell, in pixels of the original, and says which part the cell is', async () => {
    const { detect, models, findPlates } = tiny;
    // The yellow vehicle covers the right half.
    const picture = photo([spot('yellow', 320, 0, 320, 320), spot('red', 80, 40, 80, 40)]);
    const { detections, parts } = await detect(picture);
    expect(detections[0]).toMatchObject({ label: 'scratch', box: { x: 160, y: 80, width: 160, height: 80 } });
    expect(detections[0]?.confidence).toBeCloseTo(0.9, 2);
    expect([parts.width, parts.height]).toEqual([16, 16]);
    const labelOf = (cell: number) => parts.labels[parts.bestLabels[cell] as number];
    expect([labelOf(15), labelOf(0)]).toEqual(['hood', 'background']);
    expect(models.map((model) => model.id)).toEqual(['damage', 'parts']);
    expect(await findPlates(picture, null)).toBeNull();
  });

  it('finds what is small in the photo by looking closer', async () => {
    const { detect } = tiny;
    // A photo of an eighth has too few pixels for a closer look.
    const small = photo([spot('green', 51, 28, 5, 3)], { width: 80, height: 40 });
    expect((await detect(small)).detections).toEqual([]);
    const { detections } = await detect(photo([spot('green', 412, 229, 40, 20)]));
    expect(detections.length).toBeGreaterThan(0);
    for (const { label, box } of detections) {
      expect(label).toBe('dent');
      expect(Math.abs(box.x + box.width / 2 - 864)).toBeLessThan(40);
      expect(Math.abs(box.y + box.height / 2 - 478)).toBeLessThan(40);
    }
  });

  it('states the calibrated confidence next to the raw score', async () => {
    const { detections } = await tiny.runModels(photo([spot('blue', 8, 8, 4, 8)], { width: 64, height: 64 }));
    expect(detections).toMatchObject([{ label: 'crack' }]);
    expect(detections[0]?.score).toBeCloseTo(0.5, 1);
    expect(detections[0]?.confidence).toBeCloseTo(0.25, 1);
  });

  it('leaves the raster as it is', async () => {
    const { detect } = await vision({ resize: async (same) => same });
    const picture = photo([spot('red', 8, 8, 8, 8)], { width: 64, height: 64 });
    expect((await detect(picture)).detections).toHaveLength(1);
    expect(picture.raster.data).toHaveLength(64 * 64 * 3);
  });

  it('gives the same answer from any thread, in any order, and waits for photos in flight when closed', async () => {
    const { detect, close } = await vision({ threads: 2 });
    const pictures = Array.from({ length: 8 }, (_, i) => photo([spot('red', 80 * i, 40, 80, 40)]));
    const answers = Promise.all(pictures.map((picture) => detect(picture)));
    await close();
    for (const [i, { detections }] of (await answers).entries())
      expect(detections.some(({ box }) => box.x === 160 * i && box.y === 80)).toBe(true);
    await expect(detect(photo([]))).rejects.toMatchObject({ kind: 'engine', code: 'VISION_CLOSED' });
  });
});

describe('a folder of models that', () => {
  let dir: string;
  beforeEach(async () => {
    dir = makeOwnFolder('vision');
    await cp(TINY, dir, { recursive: true });
  });

  it('has a classifier weighs each candidate by what it says of the box', async () => {
    const manifest = makeTinyManifest();
    manifest.models.push(makeTinyClassifier());
    await writeFile(join(dir, 'manifest.json'), JSON.stringify(manifest));
    const { listCandidates, scoreCandidates, models } = await vision({ modelDir: dir });
    const picture = photo([spot('red', 80, 40, 80, 40), spot('green', 240, 40, 80, 40)]);
    /** Lets everything through. */
    const first = { intercept: 5, terms: FIRST_FEATURES.map(() => ({ mean: 0, deviation: 1, weight: 0 })) };
    const { detections } = await scoreCandidates(picture, first);
    const said = (label: string, name: (typeof FEATURES)[number]) =>
      detections.find((one) => one.label === label)?.features[FEATURES.indexOf(name)];
    expect(models.map(({ id }) => id)).toEqual(['damage', 'parts', 'classifier']);
    expect(detections[0]?.confidence).toBeCloseTo(1 / (1 + Math.exp(-5)));
    expect(said('scratch', 'classified')).toBeGreaterThan(2);
    expect(said('dent', 'classified')).toBeLessThan(-2);
    for (const { detections: others } of [
      await listCandidates(picture),
      await tiny.scoreCandidates(picture, first),
    ])
      expect(others[0]?.features).toHaveLength(FIRST_FEATURES.length);
  });

  it('holds another file than the manifest says stops before any photo', async () => {
    await cp(join(TINY, 'parts-fp32.onnx'), join(dir, 'damage-fp32.onnx'));
    await expect(vision({ modelDir: dir })).rejects.toMatchObject({ code: 'MODEL_HASH_MISMATCH' });
  });

  it.each([
    ['half a model', 'MODEL_UNLOADABLE', 'damage', 4000, 'tiny-colors'],
    ['a model of another kind', 'MODEL_SHAPE_MISMATCH', 'parts', undefined, 'logits'],
  ])('holds %s says so for every photo', async (_, code, file, length, found) => {
    const content = (await readFile(join(TINY, `${file}-fp32.onnx`))).subarray(0, length);
    const manifest = makeTinyManifest();
    const sha256 = createHash('sha256').update(content).digest('hex');
    const weights = { precision: 'fp32', file: 'damage-fp32.onnx', sha256, bytes: content.length };
    Object.assign(manifest.models[0] ?? {}, { weights });
    await writeFile(join(dir, 'damage-fp32.onnx'), content);
    await writeFile(join(dir, 'manifest.json'), JSON.stringify(manifest));
    const { detect } = await vision({ modelDir: dir });
    const refusal = { kind: 'engine', code, message: expect.stringContaining(found) };
    for (let i = 0; i < 2; i++) await expect(detect(photo([]))).rejects.toMatchObject(refusal);
  });
});
