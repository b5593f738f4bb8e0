// @module-tag slow: models run
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { runFit } from '../../../../models/evaluate/fit.ts';
import { runMeasure } from '../../../../models/evaluate/measure.ts';
import { verifyModels } from '../../../../src/vision/models/verify-models.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { FIXTURES } from '../../../helpers/cli/run-cli.ts';
import { addPlates, TINY_MODELS } from '../../../helpers/photos/drawn-car.ts';
import { makeOwnFolder, openFiles } from '../../../helpers/temporary-folder.ts';
import { draw } from '../../vision/pictures.ts';

const { folder, at, write, readJson } = openFiles(makeOwnFolder('measure'));

/** Runs `npm run models:measure` or `models:fit` in the folder with the tiny models. */
async function run(tool: typeof runMeasure, line: string) {
  const env = { VEHI_MODEL_DIR: TINY_MODELS, VEHI_THREADS: '1' };
  const terminal = fakeTerminal({ cwd: folder, env });
  await tool(line.split(' '), terminal.ctx);
  return { code: terminal.code ?? 0, stdout: terminal.stdout(), stderr: terminal.stderr() };
}
/** Measures, and reads the figures. */
const measure = async (line: string) => JSON.parse((await run(runMeasure, `${line} --json`)).stdout);

const SPOT = { color: 'red', box: { x: 16, y: 16, width: 16, height: 16 } } as const;
const HOOD = { color: 'yellow', box: { x: 64, y: 0, width: 64, height: 128 } } as const;
const SIZE = { width: 128, height: 128 };
for (const [name, boxes] of [
  ['photos/red.png', [SPOT]],
  ['photos/both.png', [SPOT, HOOD]],
  ['photos/gray.png', []],
  ['clean/gray.png', []],
  ['clean/alarm.png', [SPOT]],
] as const) {
  const { data } = draw(SIZE, boxes);
  write(
    name,
    await sharp(data, { raw: { ...SIZE, channels: 3 } })
      .png()
      .toBuffer(),
  );
}

/** Writes COCO annotations of boxes per file, each of one category, outlined as it is boxed. */
function annotate(file: string, category: string, size: typeof SIZE, boxes: Record<string, number[][]>) {
  write(file, {
    images: Object.keys(boxes).map((file_name, id) => ({ id, file_name, ...size })),
    categories: [{ id: 1, name: category }],
    annotations: Object.values(boxes).flatMap((list, image_id) =>
      list.map(([x = 0, y = 0, width = 0, height = 0]) => ({
        image_id,
        category_id: 1,
        bbox: [x, y, width, height],
        segmentation: [[x, y, x + width, y, x + width, y + height, x, y + height]],
      })),
    ),
  });
}

describe('by boxes', () => {
  const spot = [16, 16, 16, 16];
  const missed = [0, 96, 16, 16];
  annotate('damage.json', 'scratch', SIZE, {
    'red.png': [spot],
    'both.png': [spot, missed],
    'gray.png': [],
    'gone.png': [],
  });

  test.each([
    ['', { recall: expect.closeTo(2 / 3), precision: 1, clean: { photos: 3, withAlarm: 1 / 3 } }],
    // As small parts of clean photos.
    [' --far 2', {}],
  ])('the detector%s', async (far, score) => {
    expect(
      await measure(`damage --annotations damage.json --images photos --clean clean${far}`),
    ).toMatchObject({
      photos: 3,
      classes: { scratch: { boxes: 3 } },
      failures: [{ file: 'gone.png' }],
      ...score,
    });
  });

  test('the parts model, by polygons', async () => {
    annotate('parts.json', 'hood', SIZE, { 'both.png': [[64, 0, 64, 128]] });
    const score = await measure('parts --annotations parts.json --images photos');
    expect(score).toMatchObject({ photos: 1, sidePieces: 0, sideAccuracy: null });
    expect(score.iou.hood).toBeGreaterThan(0.95);
  });

  test('the plate finder, by what --redact blurs', async () => {
    addPlates(at('with-plates'));
    const size = { width: 1920, height: 1080 };
    // The demo vehicle's plate as measured in its photo.
    annotate('plates.json', 'plate', size, { 'front.jpg': [[764, 900, 330, 70]], 'gone.jpg': [] });
    const images = join(FIXTURES, 'vehicle');
    expect(
      await measure(`plates --models with-plates --annotations plates.json --images ${images}`),
    ).toMatchObject({
      models: [{ id: 'plates' }],
      photos: 1,
      failures: [{ file: 'gone.jpg' }],
      all: { plates: 1, whole: 1, inPart: 0, missed: 0, recall: 1 },
      photosWithPlate: 1,
      photosSafe: 1,
    });
  });

  test.each([
    ['models that find no plate', '', 4, 'no model that finds number plates'],
    ['a sensitivity that is none', ' --sensitivity x', 2, '--sensitivity x: one of'],
  ])('not by %s', async (_, flags, code, words) => {
    const outcome = await run(runMeasure, `plates --annotations damage.json${flags}`);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
  });
});

describe('by finds', () => {
  const damage = (x: number, more = {}) => ({
    type: 'scratch',
    severity: 'moderate',
    part: 'hood',
    bbox: [x, 16, 16, 16],
    ...more,
  });
  const labelled = (file: string, damages: object[]) => ({ file, ...SIZE, damages });
  write('photos/labels.json', [
    labelled('both.png', [damage(16), damage(96), damage(64, { sure: false })]),
    labelled('gray.png', []),
    labelled('gone.png', []),
  ]);
  const labels = '--annotations photos/labels.json --images photos';

  test('counts the labeled damages that are touched', async () => {
    expect(await measure(`finds ${labels}`)).toMatchObject({
      models: [{ id: 'damage' }, { id: 'parts' }],
      photos: 2,
      certain: { limit: 0.5, damages: 2, moderateOrWorseDamages: 2, cleanPhotos: 1 },
      toCheck: { limit: 0.3 },
      failures: [{ file: 'gone.png' }],
    });
  });

  test('as a table, with the photos that fail', async () => {
    const { code, stdout, stderr } = await run(runMeasure, `finds ${labels} --sensitivity low`);
    expect([code, stderr.includes('gone.png: ')]).toEqual([0, true]);
    expect(stdout).toContain('tiny-colors 0.0.1, sensitivity low  2 photos: 1 damaged with 2 sure damages');
    expect(stdout).toMatch(/certain\s+0\.700/);
    expect(stdout).toMatch(/with those to\s+0\.400/);
  });

  test('fit writes weights and limits that the models are used with from then on', async () => {
    cpSync(TINY_MODELS, at('fitted'), { recursive: true });
    const fitted = await run(runFit, 'photos/labels.json --models fitted --write');
    expect(fitted).toMatchObject({ code: 0, stdout: expect.stringContaining('judged by ten folds') });
    const [{ judge, limits }] = readJson('fitted/manifest.json').models;
    expect(judge.file).toBe('judge.json');
    expect(limits.default.budgets).toEqual({
      clean_photos_certain: 0.05,
      clean_photos_to_check: 0.3,
      finds_per_undamaged_walk_around: 1,
      whole_view_precision: { certain: 0.9, listed: 0.65 },
    });
    const [closeUps, wholeViews] = (await measure(`stages ${labels} --models fitted`)).rows;
    expect(closeUps).toMatchObject({ view: 'close-ups', damages: 0 });
    expect(wholeViews).toMatchObject({ view: 'whole views', damages: 2, proposed: 2 });
    const { proposed, candidates, classified, judged, listed, certain } = wholeViews;
    const left = [proposed, candidates, classified, judged, listed, certain];
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    const problems = async () => (await verifyModels(at('fitted'))).map(({ problem }) => problem?.code);
    expect(await problems()).toEqual([undefined, undefined]);
    write('fitted/judge.json', '{}');
    expect(await problems()).toEqual(['MODEL_HASH_MISMATCH', undefined]);
  });

  test.each([
    ['labels without a clean photo', [labelled('both.png', [damage(16)])], 'no photo without damage'],
    ['labels that are none', { photos: 3 }, 'photos is 3; a list of'],
  ])('fit says what is wrong with %s', async (_, bad, words) => {
    write('photos/bad.json', bad);
    const outcome = await run(runFit, 'photos/bad.json');
    expect(outcome).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(words) });
  });
});
