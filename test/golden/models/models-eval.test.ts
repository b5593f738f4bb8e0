import { afterAll, describe, expect, test } from 'vitest';
import { makeModelsFolder } from '../../helpers/photos/models-folder.ts';

const { run, remove } = await makeModelsFolder();
afterAll(remove);

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
    expect(stdout).toContain('tiny-colours 0.0.1 int8  1 photo, sensitivity high');
    expect(stdout).toMatch(/scratch +1 +1\.000/);
  });

  test('spreads --limit over the file', async () => {
    const { stdout } = await run(...damage, '--limit', '2', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ photos: 2, failures: [] });
  });
});
