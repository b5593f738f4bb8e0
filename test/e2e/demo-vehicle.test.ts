import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../src/contract/inspection.ts';
import { makeOwnFolder } from '../helpers/own-folder.ts';
import {
  collectFigures,
  compareDemo,
  type DemoFigures,
  inspectDemo,
  listPhotos,
} from '../helpers/photos/demo-vehicle.ts';
import { listSaidTwice, readOutputs } from '../helpers/reports/said-twice.ts';

/** Written by measure.ts after a change of models; read it before it is committed. */
const EXPECTED = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected/demo-vehicle.json'), 'utf8'),
) as DemoFigures;

const dir = makeOwnFolder('demo');
let named: InspectionEnvelope;
let unnamed: { damaged: InspectionEnvelope; clean: InspectionEnvelope };
let figures: ReturnType<typeof collectFigures>;

beforeAll(async () => {
  named = await inspectDemo('damaged', dir);
  unnamed = {
    damaged: await inspectDemo('damaged', dir, { named: false }),
    clean: await inspectDemo('clean', dir, { named: false }),
  };
  figures = collectFigures(named, unnamed);
}, 300_000);

describe('the demo vehicle, damaged', () => {
  test('exactly these planted damages are found', () => {
    expect(figures.found).toEqual(EXPECTED.found);
  });

  test('and none but planted ones besides these', () => {
    expect(figures.unplanted).toEqual(EXPECTED.unplanted);
  });

  // What `npm run measure` writes moves with the models; these do not.
  test('never fewer or more than a change of models may cost', () => {
    expect(figures.found.length).toBeGreaterThanOrEqual(3);
    expect(figures.on_another_part.length).toBeLessThanOrEqual(1);
    expect(figures.unplanted.length).toBeLessThanOrEqual(2);
    expect(figures.false_alarms.length).toBeLessThanOrEqual(1);
  });

  test('no output says one sentence twice', async () => {
    const outputs = Object.entries(await readOutputs({ inspection: named, assessment: null }));
    expect(outputs.map(([name, text]) => [name, listSaidTwice(text)])).toEqual(
      outputs.map(([name]) => [name, []]),
    );
  });

  test('each on the right part and side, but for these', () => {
    expect(figures.on_another_part).toEqual(EXPECTED.on_another_part);
  });

  test('each with its length within the factor, but for these', () => {
    expect(figures.length_off).toEqual(EXPECTED.length_off);
  });
});

describe('the demo vehicle without damage', () => {
  test('exactly these false alarms are raised', () => {
    expect(figures.false_alarms).toEqual(EXPECTED.false_alarms);
  });
});

describe('the demo vehicle with one more damage', () => {
  // What the detector misses in both states is no change to compare: demo-truth.test.ts tries compare with the truth.
  test('compare reports exactly these changes', async () => {
    expect(await compareDemo(dir)).toEqual(EXPECTED.changes);
  }, 120_000);
});

describe('the views of the demo vehicle', () => {
  test('are right for every photo whose name states it', () => {
    expect(Object.fromEntries(named.data.images.map(({ url, angle }) => [url, angle]))).toEqual(
      Object.fromEntries(listPhotos('damaged').map(([name, { angle }]) => [name, angle])),
    );
  });

  // No parts show a view from above: the roof is too little of what the segmenter names, so it counts as its side's view.
  test('are read from the parts alone, but for these', () => {
    expect(figures.angles_wrong).toEqual(EXPECTED.angles_wrong);
    for (const { data } of [unnamed.damaged, unnamed.clean])
      for (const { angle, angle_source } of data.images)
        expect(angle_source).toBe(angle === null ? 'unknown' : 'parts_seen');
  });

  test('every photo is analysed, and a vehicle is seen in all but these', () => {
    for (const { data } of [unnamed.damaged, unnamed.clean]) {
      expect(data.images.filter((image) => !image.analysed)).toEqual([]);
      expect(data.rejected_images).toEqual([]);
    }
    expect(figures.photo_issues).toEqual(EXPECTED.photo_issues);
  });
});
