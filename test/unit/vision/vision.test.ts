// @module-tag slow: the models run
import { createHash } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeAny } from '../../../models/evaluate/decode-any.ts';
import { resizeRgb } from '../../../src/images/read/resize-rgb.ts';
import { FEATURES, FIRST_FEATURES } from '../../../src/vision/judge/features.ts';
import { shippedModelDir } from '../../../src/vision/models/model-files.ts';
import { createVision, type PhotoVision, type VisionOptions } from '../../../src/vision/vision.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { draw, makeTinyClassifier, makeTinyManifest, nearest, TINY } from './pictures.ts';

// threads start slowly on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open: PhotoVision[] = [];
async function vision(options: Partial<VisionOptions> = {}): Promise<PhotoVision> {
  const made = await createVision({ modelDir: TINY, threads: 1, resize: nearest, ...options });
  open.push(made);
  return made;
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A raster of 640 x 320 (the original is twice as large) whose yellow vehicle covers the right half. */
const size = { width: 1280, height: 640 };
const vehicle = { color: 'yellow', box: { x: 320, y: 0, width: 320, height: 320 } } as const;
const raster = { width: 640, height: 320 };

describe('detect', () => {
  it('finds what fills a cell, in pixels of the original, and says which part the cell is', async () => {
    const spot = { color: 'red', box: { x: 80, y: 40, width: 80, height: 40 } } as const;
    const { detect, models } = await vision();
    const { detections, parts } = await detect({ raster: draw(raster, [vehicle, spot]), size });
    expect(detections[0]).toMatchObject({ label: 'scratch', box: { x: 160, y: 80, width: 160, height: 80 } });
    expect(detections[0]?.confidence).toBeCloseTo(0.9, 2);
    expect([parts.width, parts.height]).toEqual([16, 16]);
    expect(parts.labels[parts.bestLabels[15] as number]).toBe('hood');
    expect(parts.labels[parts.bestLabels[0] as number]).toBe('background');
    expect(models.map((model) => model.id)).toEqual(['damage', 'parts']);
  });

  it('finds what is small in the photo by looking closer', async () => {
    const spot = { color: 'green', box: { x: 412, y: 229, width: 40, height: 20 } } as const;
    const { detect } = await vision();
    // A photo of an eighth has too few pixels for a closer look.
    const small = { color: 'green', box: { x: 51, y: 28, width: 5, height: 3 } } as const;
    expect((await detect({ raster: draw({ width: 80, height: 40 }, [small]), size })).detections).toEqual([]);
    const { detections } = await detect({ raster: draw(raster, [spot]), size });
    expect(detections.length).toBeGreaterThan(0);
    for (const { label, box } of detections) {
      expect(label).toBe('dent');
      expect(Math.abs(box.x + box.width / 2 - 864)).toBeLessThan(40);
      expect(Math.abs(box.y + box.height / 2 - 478)).toBeLessThan(40);
    }
  });

  it('states the calibrated confidence next to the raw score', async () => {
    const half = { color: 'blue', box: { x: 10, y: 5, width: 5, height: 5 } } as const;
    const { detect, runModels } = await vision();
    const picture = { raster: draw({ width: 80, height: 40 }, [half]), size };
    const { detections } = await detect(picture);
    expect(detections.map(({ label }) => label)).toEqual(['crack']);
    const { findings } = await runModels(picture);
    expect(findings[0]?.score).toBeCloseTo(0.5, 1);
    expect(findings[0]?.confidence).toBeCloseTo(0.25, 1);
  });

  it('gives the same answer from any thread, in any order, and waits for photos in flight when closed', async () => {
    const { detect, close } = await vision({ threads: 2 });
    const pictures = Array.from({ length: 8 }, (_, i) => ({
      raster: draw(raster, [{ color: 'red', box: { x: 80 * i, y: 40, width: 80, height: 40 } }]),
      size,
    }));
    const answers = Promise.all(pictures.map((picture) => detect(picture)));
    await close();
    for (const [i, { detections }] of (await answers).entries()) {
      expect(detections.some(({ box }) => box.x === 160 * i && box.y === 80)).toBe(true);
    }
    await expect(detect(pictures[0] as never)).rejects.toMatchObject({
      kind: 'engine',
      code: 'VISION_CLOSED',
    });
  });

  it('does not touch the raster', async () => {
    const picture = draw({ width: 64, height: 64 }, [
      { color: 'red', box: { x: 8, y: 8, width: 8, height: 8 } },
    ]);
    const { detect } = await vision({ resize: async (same) => same });
    const { detections } = await detect({ raster: picture, size: picture });
    expect(detections).toHaveLength(1);
    expect(picture.data).toHaveLength(64 * 64 * 3);
  });

  it('passes on what stops the resize', async () => {
    const { detect } = await vision({ resize: () => Promise.reject(new Error('no memory')) });
    await expect(detect({ raster: draw(raster, []), size })).rejects.toThrow('no memory');
  });
});

describe('a folder of models that', () => {
  let dir: string;
  beforeEach(async () => {
    dir = makeOwnFolder('vision');
    await cp(TINY, dir, { recursive: true });
  });
  afterEach(() => rm(dir, { recursive: true }));
  const picture = { raster: draw(raster, []), size };

  /** Replaces the detector's file and updates the manifest. */
  async function replaceDetector(content: Buffer): Promise<void> {
    const manifest = makeTinyManifest();
    const sha256 = createHash('sha256').update(content).digest('hex');
    Object.assign(manifest.models[0] ?? {}, {
      weights: { precision: 'fp32', file: 'damage-fp32.onnx', sha256, bytes: content.length },
    });
    await writeFile(join(dir, 'damage-fp32.onnx'), content);
    await writeFile(join(dir, 'manifest.json'), JSON.stringify(manifest));
  }

  it('has a classifier weighs each candidate by what it says of the box', async () => {
    const manifest = makeTinyManifest();
    manifest.models.push(makeTinyClassifier());
    await writeFile(join(dir, 'manifest.json'), JSON.stringify(manifest));
    const spots = (['red', 'green'] as const).map((color, at) => ({
      color,
      box: { x: 80 + 160 * at, y: 40, width: 80, height: 40 },
    }));
    const { listCandidates, scoreCandidates, models } = await vision({ modelDir: dir });
    const picture = { raster: draw(raster, spots), size };
    /** Lets everything through. */
    const first = { intercept: 5, terms: FIRST_FEATURES.map(() => ({ mean: 0, deviation: 1, weight: 0 })) };
    const { findings } = await scoreCandidates(picture, first);
    const said = (label: string, name: (typeof FEATURES)[number]) =>
      findings.find((one) => one.label === label)?.features[FEATURES.indexOf(name)];
    expect(models.map(({ id }) => id)).toEqual(['damage', 'parts', 'classifier']);
    expect(findings[0]?.confidence).toBeCloseTo(1 / (1 + Math.exp(-5)));
    expect(said('scratch', 'classified')).toBeGreaterThan(2);
    expect(said('dent', 'classified')).toBeLessThan(-2);
    expect(said('dent', 'classified_elsewhere')).toBe(said('scratch', 'classified'));
    expect(said('dent', 'classified_others')).toBeGreaterThan(0);
    const considered = await listCandidates(picture);
    expect(considered.findings[0]?.features).toHaveLength(FIRST_FEATURES.length);
    const alone = await (await vision()).scoreCandidates(picture, first);
    expect(alone.findings[0]?.features).toHaveLength(FIRST_FEATURES.length);
    expect((await scoreCandidates(picture, { ...first, intercept: -5 })).findings).toEqual([]);
  });

  it('lacks a file stops before any photo', async () => {
    await rm(join(dir, 'parts-fp32.onnx'));
    await expect(vision({ modelDir: dir })).rejects.toMatchObject({
      kind: 'engine',
      code: 'MODEL_FILE_MISSING',
    });
  });

  it('holds another file than the manifest says stops before any photo', async () => {
    await cp(join(TINY, 'parts-fp32.onnx'), join(dir, 'damage-fp32.onnx'));
    await expect(vision({ modelDir: dir })).rejects.toMatchObject({ kind: 'engine' });
  });

  it.each([
    ['garbage', Buffer.from('not a model at all')],
    ['half a model', null],
  ])('holds %s says so for every photo', async (_, content) => {
    await replaceDetector(content ?? (await readFile(join(TINY, 'damage-fp32.onnx'))).subarray(0, 4000));
    const { detect } = await vision({ modelDir: dir });
    const unloadable = {
      kind: 'engine',
      code: 'MODEL_UNLOADABLE',
      message: expect.stringContaining('tiny-colors'),
    };
    await expect(detect(picture)).rejects.toMatchObject(unloadable);
    await expect(detect(picture)).rejects.toMatchObject(unloadable);
  });

  it('holds a model of another kind says what was found and what is needed', async () => {
    await replaceDetector(await readFile(join(TINY, 'parts-fp32.onnx')));
    const { detect } = await vision({ modelDir: dir });
    await expect(detect(picture)).rejects.toMatchObject({
      kind: 'engine',
      code: 'MODEL_SHAPE_MISMATCH',
      message: expect.stringContaining('logits'),
    });
  });
});

describe('the vehicle check that comes with vehi', () => {
  it('is asked of a landscape, which it denies, and not of a car', async () => {
    const { detect } = await vision({ modelDir: shippedModelDir(), resize: resizeRgb });
    const grass = (x: number, y: number) => [60 + ((x * 7 + y * 13) % 40), 120 + ((x * 5 + y * 3) % 40), 50];
    const landscape = Uint8Array.from({ length: 640 * 480 * 3 }, (_, i) => {
      const [x, y] = [Math.floor(i / 3) % 640, Math.floor(i / 3 / 640)];
      const color = y < 240 + 48 * Math.sin(x / 60) ? [120, 170, 230] : grass(x, y);
      return color[i % 3] as number;
    });
    const size = { width: 640, height: 480 };
    const { presence } = await detect({ raster: { data: landscape, ...size }, size });
    expect(presence?.score).toBeLessThan(presence?.limit ?? 0);
    const car = fileURLToPath(new URL('../../../fixtures/vehicle/left_side.jpg', import.meta.url));
    const photo = await decodeAny(car);
    // Small enough for a single look.
    const raster = await resizeRgb(photo.raster, { x: 0, y: 0, ...photo.size }, { width: 640, height: 360 });
    expect((await detect({ raster, size: photo.size })).presence).toBeUndefined();
  });
});
