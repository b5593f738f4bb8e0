import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIXTURES, runCli } from '../helpers/run-cli.ts';
import { draw } from '../unit/vision/pictures.ts';

const TINY = join(FIXTURES, 'models');
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-models-'));
  cpSync(TINY, join(dir, 'cut'), { recursive: true });
  truncateSync(join(dir, 'cut', 'parts-fp32.onnx'), 1000);
  mkdirSync(join(dir, 'photos'));
  mkdirSync(join(dir, 'clean'));
  const spot = { colour: 'red', box: { x: 16, y: 16, width: 16, height: 16 } } as const;
  const hood = { colour: 'yellow', box: { x: 64, y: 0, width: 64, height: 128 } } as const;
  await photo('photos/red.webp', [spot]);
  await photo('photos/both.png', [spot, hood]);
  await photo('photos/grey.png', []);
  await photo('clean/grey.png', []);
  await photo('clean/alarm.png', [spot]);
  const image = (id: number, file_name: string, more = {}) => ({
    id,
    file_name,
    width: 128,
    height: 128,
    ...more,
  });
  const box = (id: number, image_id: number, category_id: number, bbox: number[]) => ({
    id,
    image_id,
    category_id,
    bbox,
    segmentation: [[bbox[0], bbox[1], bbox[2], bbox[1], bbox[2], bbox[3], bbox[0], bbox[3]]],
  });
  const categories = ['scratch', 'dent', 'hood'].map((name, id) => ({ id, name }));
  const damage = {
    images: [
      image(1, 'red.webp'),
      image(2, 'both.png', { labelled: ['scratch'] }),
      image(3, 'grey.png'),
      image(4, 'gone.png'),
    ],
    categories,
    annotations: [
      box(1, 1, 0, [16, 16, 16, 16]),
      box(2, 2, 0, [16, 16, 16, 16]),
      box(3, 2, 0, [0, 96, 16, 16]),
    ],
  };
  writeFileSync(join(dir, 'damage.json'), JSON.stringify(damage));
  const parts = {
    images: [image(2, 'both.png')],
    categories,
    annotations: [box(1, 2, 2, [64, 0, 128, 128])],
  };
  writeFileSync(join(dir, 'parts.json'), JSON.stringify(parts));
  writeFileSync(join(dir, 'only.txt'), 'red.webp\n');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function photo(name: string, boxes: Parameters<typeof draw>[1]): Promise<void> {
  const { data, width, height } = draw({ width: 128, height: 128 }, boxes);
  const picture = sharp(data, { raw: { width, height, channels: 3 } });
  await (name.endsWith('.webp') ? picture.webp({ lossless: true }) : picture.png()).toFile(join(dir, name));
}

const run = (...args: string[]) => runCli(['models', ...args], { cwd: dir, env: { VEHI_MODEL_DIR: TINY } });

describe('vehi models', () => {
  test('list shows what is there, from VEHI_MODEL_DIR or --models', async () => {
    const { code, stdout, stderr } = await run('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of [
      'damage',
      'tiny-colours',
      '0.0.1',
      'fp32 (default), int8',
      '64x64',
      'Apache-2.0',
      TINY,
    ]) {
      expect(stdout).toContain(word);
    }
    const other = await run('list', '--models', join(dir, 'cut'), '--json');
    expect(JSON.parse(other.stdout)).toMatchObject({
      dir: join(dir, 'cut'),
      models: [{ id: 'damage' }, { id: 'parts' }],
    });
  });

  test('the packaged models are listed and verified without any setting', async () => {
    const { code, stdout } = await runCli(['models', 'verify', '--json'], { cwd: dir });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    expect(code).toBe(0);
  });

  test('verify goes through every file and exits 4 when one is wrong', async () => {
    const good = await run('verify', '--json');
    expect(good.code).toBe(0);
    const { ok, files } = JSON.parse(good.stdout);
    expect(ok).toBe(true);
    expect(files.map((file: { file: string }) => file.file)).toEqual([
      'damage-fp32.onnx',
      'damage-int8.onnx',
      'parts-fp32.onnx',
    ]);
    const bad = await run('verify', '--models', 'cut');
    expect(bad.code).toBe(4);
    expect(bad.stdout).toContain('ok     damage int8');
    expect(bad.stdout).toContain('MODEL_HASH_MISMATCH');
    expect(bad.stdout).toContain('1 of 3 files');
  });

  test('info shows one model, or names those there are', async () => {
    const { stdout } = await run('info', 'tiny-colours', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'damage',
      limits: { default: { certain: 0.5, to_check: 0.3 } },
      thresholds: { high: { dent: 0.1 } },
      nms_iou: 0.6,
    });
    const text = await run('info', 'parts');
    expect(text.stdout).toContain('Labels: background, front_bumper');
    const unknown = await run('info', 'engine');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Known: damage, tiny-colours, parts, tiny-panels.');
  });

  test.each([
    ['a folder without models', ['list', '--models', '/nonexistent'], 4, 'manifest.json does not exist'],
    [
      'a file of annotations that is not there',
      ['eval', '--annotations', 'no.json', '--images', '.'],
      3,
      'no.json',
    ],
    [
      'annotations that are none',
      ['eval', '--annotations', 'only.txt', '--images', '.'],
      3,
      'not valid JSON',
    ],
    ['no annotations', ['eval', '--images', '.'], 2, '--annotations'],
    [
      'far views without clean photos',
      ['eval', '--annotations', 'damage.json', '--images', 'photos', '--far', '2'],
      2,
      '--clean DIR',
    ],
    [
      'an empty folder of clean photos',
      ['eval', '--annotations', 'damage.json', '--images', 'photos', '--clean', TINY],
      3,
      'no photos',
    ],
  ])('says what is wrong with %s', async (_, args, code, words) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toContain(words);
  });
});

describe('vehi models eval', () => {
  const damage = ['eval', '--annotations', 'damage.json', '--images', 'photos'];

  test('measures the damage model; a photo that fails is reported and left out', async () => {
    const { code, stdout, stderr } = await run(...damage, '--clean', 'clean', '--json');
    expect(code).toBe(0);
    expect(stderr).toContain('gone.png');
    const score = JSON.parse(stdout);
    expect(score).toMatchObject({
      photos: 3,
      sensitivity: 'default',
      partial: false,
      precision: 1,
      clean: { photos: 3, alarmsPerPhoto: 1 / 3 },
      failures: [{ file: 'gone.png' }],
      confusion: { scratch: { scratch: 2, nothing: 1 } },
    });
    expect(score.classes.scratch).toMatchObject({
      boxes: 3,
      findings: 2,
      threshold: 0.5,
      cleanPhotosWithAlarm: 1 / 3,
    });
    // two of three boxes found, nothing else said as surely: precision 1 up to recall 2/3
    expect(score.classes.scratch.ap50).toBeCloseTo(67 / 101, 4);
    expect(score.classes.dent.ap50).toBeNull();
    expect(score.meanAp50).toBe(score.classes.scratch.ap50);
  });

  test('as a table, with the photos and thresholds asked for', async () => {
    const { code, stdout, stderr } = await run(
      ...damage,
      '--only',
      'only.txt',
      '--sensitivity',
      'high',
      '--precision',
      'int8',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('tiny-colours 0.0.1 int8  1 photos, sensitivity high');
    expect(stdout).toMatch(/scratch +1 +1\.000/);
  });

  test('spreads --limit over the file', async () => {
    const { stdout } = await run(...damage, '--limit', '2', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ photos: 2, failures: [] });
  });

  test('measures the same boxes as small parts of clean photos', async () => {
    const { code, stdout } = await run(...damage, '--clean', 'clean', '--far', '2', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ photos: 3, classes: { scratch: { boxes: 3 } } });
  });

  test('measures the parts model by polygons', async () => {
    const { code, stdout } = await run(
      'eval',
      '--parts',
      '--annotations',
      'parts.json',
      '--images',
      'photos',
      '--json',
    );
    expect(code).toBe(0);
    const score = JSON.parse(stdout);
    expect(score).toMatchObject({ photos: 1, sidePieces: 0, sideAccuracy: null });
    expect(score.iou.hood).toBeGreaterThan(0.95);
  });

  describe('by finds', () => {
    const damage = (x: number, more = {}) => ({
      type: 'scratch',
      severity: 'moderate',
      part: 'hood',
      bbox: [x, 16, 16, 16],
      ...more,
    });
    const labelled = (file: string, damages: object[]) => ({ file, width: 128, height: 128, damages });
    beforeAll(() => {
      const labels = [
        labelled('both.png', [damage(16), damage(96), damage(64, { sure: false })]),
        labelled('grey.png', []),
        labelled('gone.png', []),
      ];
      writeFileSync(join(dir, 'photos', 'labels.json'), JSON.stringify(labels));
    });
    const finds = ['eval', '--finds', '--annotations', 'photos/labels.json', '--images', 'photos'];

    test('counts the labelled damages that are touched', async () => {
      const { code, stdout, stderr } = await run(...finds, '--json');
      expect(code).toBe(0);
      expect(stderr).toContain('gone.png');
      expect(JSON.parse(stdout)).toMatchObject({
        models: [{ id: 'damage' }, { id: 'parts' }],
        photos: 2,
        certain: { limit: 0.5, damages: 2, moderateOrWorseDamages: 2, cleanPhotos: 1 },
        toCheck: { limit: 0.3 },
        failures: [{ file: 'gone.png' }],
      });
    });

    test('as a table', async () => {
      const { stdout } = await run(...finds, '--sensitivity', 'low');
      expect(stdout).toContain(
        'tiny-colours 0.0.1, sensitivity low  2 photos: 1 damaged with 2 sure damages',
      );
      expect(stdout).toMatch(/certain\s+0\.700/);
      expect(stdout).toMatch(/with those to check\s+0\.400/);
    });

    test('fit writes weights and limits that the models are used with from then on', async () => {
      cpSync(TINY, join(dir, 'fitted'), { recursive: true });
      const fitted = await run('fit', 'photos/labels.json', '--models', 'fitted', '--write');
      expect(fitted.code).toBe(0);
      expect(fitted.stdout).toContain('judged by ten folds');
      const manifest = JSON.parse(readFileSync(join(dir, 'fitted', 'manifest.json'), 'utf8'));
      expect(manifest.models[0].judge.file).toBe('judge.json');
      expect(manifest.models[0].limits.default.budgets).toEqual({
        clean_photos_certain: 0.05,
        clean_photos_to_check: 0.3,
        finds_per_undamaged_walk_around: 1,
      });
      expect((await run('verify', '--models', 'fitted')).code).toBe(0);
      expect((await run(...finds, '--models', 'fitted')).code).toBe(0);
      writeFileSync(join(dir, 'fitted', 'judge.json'), '{}');
      expect(await run('verify', '--models', 'fitted')).toMatchObject({ code: 4 });
    });

    test.each([
      ['labels without a clean photo', [labelled('both.png', [damage(16)])], 'no photo without damage'],
      ['labels that are none', { photos: 3 }, 'photos is 3'],
    ])('fit says what is wrong with %s', async (_, labels, words) => {
      writeFileSync(join(dir, 'photos', 'bad.json'), JSON.stringify(labels));
      const outcome = await run('fit', 'photos/bad.json');
      expect(outcome).toMatchObject({ code: 3, stdout: '' });
      expect(outcome.stderr).toContain(words);
    });
  });

  describe('of the plate finder', () => {
    const VEHICLE = join(FIXTURES, 'vehicle');
    // The demo vehicle's plates as measured in its photos of 1920x1080.
    const labels = (boxes: Record<string, number[] | undefined>) => ({
      categories: [{ id: 1, name: 'plate' }],
      images: Object.keys(boxes).map((file_name, id) => ({ id, file_name, width: 1920, height: 1080 })),
      annotations: Object.values(boxes).flatMap((bbox, id) =>
        bbox ? [{ id, image_id: id, category_id: 1, bbox }] : [],
      ),
    });
    const plates = (...args: string[]) =>
      runCli(
        [
          'models',
          'eval',
          '--plates',
          '--annotations',
          join(dir, 'plates.json'),
          '--images',
          VEHICLE,
          ...args,
        ],
        { cwd: dir },
      );
    beforeAll(() => {
      const boxes = {
        'front.jpg': [764, 900, 330, 70],
        'rear.jpg': [772, 701, 328, 70],
        'gone.jpg': undefined,
      };
      writeFileSync(join(dir, 'plates.json'), JSON.stringify(labels(boxes)));
    });

    test('counts plates that --redact blurs', async () => {
      const { code, stdout, stderr } = await plates('--json');
      expect(code).toBe(0);
      expect(stderr).toContain('gone.jpg');
      expect(JSON.parse(stdout)).toMatchObject({
        models: [{ id: 'plates' }],
        photos: 2,
        all: { plates: 2, whole: 2, inPart: 0, missed: 0, recall: 1 },
        photosWithPlate: 2,
        photosSafe: 2,
        failures: [{ file: 'gone.jpg' }],
      });
    });

    test('as a table', async () => {
      const { stdout } = await plates('--limit', '1');
      expect(stdout).toMatch(/^vehi-plates-\S+ \S+ fp32 {2}1 photos\n/);
      expect(stdout).toMatch(/all +1 +1 +0 +0 +1\.000/);
      expect(stdout).toContain('1 of 1 photos with a plate have all their plates blurred whole');
    });

    test.each([
      ['models that find none', ['--models', TINY], 4, 'no model that finds number plates'],
      ['options of other measurements', ['--far', '2'], 2, '--far'],
    ])('says what is wrong with %s', async (_, args, code, words) => {
      const outcome = await plates(...args);
      expect(outcome).toMatchObject({ code, stdout: '' });
      expect(outcome.stderr).toContain(words);
    });
  });
});
