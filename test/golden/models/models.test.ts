import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { makeModelsFolder, TINY } from '../../helpers/photos/models-folder.ts';

const { dir, run, remove } = await makeModelsFolder();
afterAll(remove);

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
    const { code, stdout } = await runInside(['models', 'verify', '--json'], { cwd: dir });
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
