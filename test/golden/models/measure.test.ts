import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { TINY_MODELS } from '../../helpers/photos/drawn-car.ts';
import { bundleProcesses } from '../../helpers/services/processes.ts';
import { makeModelsFolder } from './models-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const { dir, run } = await makeModelsFolder();
const tools = await bundleProcesses('evaluate', ['models/evaluate/measure', 'models/evaluate/fit']);
afterAll(() => tools.remove());

/** Runs a program of models/evaluate in the folder with the tiny models. */
function runTool(tool: 'measure' | 'fit', ...args: string[]) {
  const words = [join(tools.dir, `models/evaluate/${tool}.js`), ...args];
  const env = { ...process.env, VEHI_MODEL_DIR: TINY_MODELS, NO_COLOR: '1' };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, words, { cwd: dir, env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('npm run models:measure', () => {
  test('measures the same boxes as small parts of clean photos', async () => {
    const damage = ['damage', '--annotations', 'damage.json', '--images', 'photos', '--far', '2'];
    const { code, stdout } = await runTool('measure', ...damage, '--clean', 'clean', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ photos: 3, classes: { scratch: { boxes: 3 } } });
  });

  test('measures the parts model by polygons', async () => {
    const parts = ['parts', '--annotations', 'parts.json', '--images', 'photos', '--json'];
    const { code, stdout } = await runTool('measure', ...parts);
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
        labelled('gray.png', []),
        labelled('gone.png', []),
      ];
      writeFileSync(join(dir, 'photos', 'labels.json'), JSON.stringify(labels));
    });
    const finds = ['finds', '--annotations', 'photos/labels.json', '--images', 'photos'];

    test('counts the labeled damages that are touched', async () => {
      const { code, stdout, stderr } = await runTool('measure', ...finds, '--json');
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
      const { stdout } = await runTool('measure', ...finds, '--sensitivity', 'low');
      expect(stdout).toContain('tiny-colors 0.0.1, sensitivity low  2 photos: 1 damaged with 2 sure damages');
      expect(stdout).toMatch(/certain\s+0\.700/);
      expect(stdout).toMatch(/with those to\s+0\.400/);
    });

    test('fit writes weights and limits that the models are used with from then on', async () => {
      cpSync(TINY_MODELS, join(dir, 'fitted'), { recursive: true });
      const fitted = await runTool('fit', 'photos/labels.json', '--models', 'fitted', '--write');
      expect(fitted.code).toBe(0);
      expect(fitted.stdout).toContain('judged by ten folds');
      const manifest = JSON.parse(readFileSync(join(dir, 'fitted', 'manifest.json'), 'utf8'));
      expect(manifest.models[0].judge.file).toBe('judge.json');
      expect(manifest.models[0].limits.default.budgets).toEqual({
        clean_photos_certain: 0.05,
        clean_photos_to_check: 0.3,
        finds_per_undamaged_walk_around: 1,
        whole_view_precision: { certain: 0.9, listed: 0.65 },
      });
      expect((await run('doctor', '--models', 'fitted')).stdout).not.toContain('FAIL');
      expect((await runTool('measure', ...finds, '--models', 'fitted')).code).toBe(0);
      const stages = await runTool('measure', 'stages', ...finds.slice(1), '--models', 'fitted', '--json');
      const [closeUps, wholeViews] = JSON.parse(stages.stdout).rows;
      expect(closeUps).toMatchObject({ view: 'close-ups', damages: 0 });
      expect(wholeViews).toMatchObject({ view: 'whole views', damages: 2, proposed: 2 });
      const { proposed, candidates, classified, judged, listed, certain } = wholeViews;
      const left = [proposed, candidates, classified, judged, listed, certain];
      expect(left).toEqual(left.toSorted((a, b) => b - a));
      writeFileSync(join(dir, 'fitted', 'judge.json'), '{}');
      expect(await run('doctor', '--models', 'fitted')).toMatchObject({ code: 4 });
    });

    test.each([
      ['labels without a clean photo', [labelled('both.png', [damage(16)])], 'no photo without damage'],
      ['labels that are none', { photos: 3 }, 'photos is 3; a list of'],
    ])('fit says what is wrong with %s', async (_, labels, words) => {
      writeFileSync(join(dir, 'photos', 'bad.json'), JSON.stringify(labels));
      const outcome = await runTool('fit', 'photos/bad.json');
      expect(outcome).toMatchObject({ code: 3, stdout: '' });
      expect(outcome.stderr).toContain(words);
    });
  });

  describe('of the plate finder', () => {
    const VEHICLE = join(FIXTURES, 'vehicle');
    // The demo vehicle's plate as measured in its photo of 1920x1080.
    const labels = (boxes: Record<string, number[] | undefined>) => ({
      categories: [{ id: 1, name: 'plate' }],
      images: Object.keys(boxes).map((file_name, id) => ({ id, file_name, width: 1920, height: 1080 })),
      annotations: Object.values(boxes).flatMap((bbox, id) =>
        bbox ? [{ id, image_id: id, category_id: 1, bbox }] : [],
      ),
    });
    const plates = (...args: string[]) => {
      const labelled = ['--annotations', join(dir, 'plates.json'), '--images', VEHICLE];
      return runTool('measure', 'plates', '--models', join(ROOT, 'models'), ...labelled, ...args);
    };
    beforeAll(() => {
      const boxes = { 'front.jpg': [764, 900, 330, 70], 'gone.jpg': undefined };
      writeFileSync(join(dir, 'plates.json'), JSON.stringify(labels(boxes)));
    });

    test('counts plates that --redact blurs', async () => {
      const { code, stdout, stderr } = await plates('--json');
      expect(code).toBe(0);
      expect(stderr).toContain('gone.jpg');
      expect(JSON.parse(stdout)).toMatchObject({
        models: [{ id: 'plates' }],
        photos: 1,
        all: { plates: 1, whole: 1, inPart: 0, missed: 0, recall: 1 },
        photosWithPlate: 1,
        photosSafe: 1,
        failures: [{ file: 'gone.jpg' }],
      });
    });

    test.each([
      ['models that find none', ['--models', TINY_MODELS], 4, 'no model that finds number plates'],
      ['a sensitivity that is none', ['--sensitivity', 'x'], 2, '--sensitivity x: one of'],
    ])('says what is wrong with %s', async (_, args, code, words) => {
      const outcome = await plates(...args);
      expect(outcome).toMatchObject({ code, stdout: '' });
      expect(outcome.stderr).toContain(words);
    });
  });
});
