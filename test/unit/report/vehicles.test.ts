import { describe, expect, test } from 'vitest';
import { writeFirstPage } from '../../../src/report/content/first-page.ts';
import { writeVehicleTable } from '../../../src/report/content/vehicles.ts';
import { listFigures } from '../../../src/report/headline.ts';
import { gatherPictures } from '../../../src/report/pictures.ts';
import { splitVehicles } from '../../../src/report/split-vehicles.ts';
import { english } from '../../../src/report/translator.ts';
import { paintedOnce } from '../../helpers/reports/report-pictures.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { divide } from '../../helpers/results/two-vehicles.ts';

describe('a result of several vehicles', () => {
  const inspection = divide(exampleInspection({ damages: 6, photos: 4, toCheck: 3 }));
  const parts = splitVehicles({ inspection, assessment: null });

  test('is one result per vehicle, with its photos and findings only', () => {
    expect(parts.map(({ vehicle }) => vehicle)).toEqual([1, 2]);
    expect(parts.map((part) => part.inspection?.data.images.map(({ index }) => index))).toEqual([
      [0, 1],
      [2, 3],
    ]);
    const ids = parts.flatMap(({ results }) =>
      [...results.damages, ...results.to_check].map((one) => one.damage_id),
    );
    const { damages = [], to_check: places = [] } = inspection.data.results ?? {};
    expect(ids.toSorted()).toEqual([...damages, ...places].map((one) => one.damage_id).toSorted());
  });

  test('has figures per vehicle and none of all', () => {
    expect(listFigures({ inspection, assessment: null })).toEqual([]);
    expect(parts.every((part) => listFigures(part).length > 0)).toBe(true);
  });

  test('shows each vehicle on the first page, in its photo with the most parts', async () => {
    const input = { inspection: structuredClone(inspection), assessment: null };
    const [, second] = input.inspection.data.images;
    if (second)
      second.record = {
        parts: [{ part: 'hood', box: [0, 0, 9, 9], cut: false }],
        cm_per_pixel: null,
        views: [],
      };
    const pictures = await gatherPictures(input, paintedOnce);
    const shown = writeFirstPage(input, pictures, english).blocks.find(
      (block) => block.kind === 'pictures' && block.size === 'photos',
    );
    expect(shown).toMatchObject({
      pictures: [
        { caption: 'Vehicle 1 of 2: red', picture: pictures.photos.get(1) },
        { caption: 'Vehicle 2 of 2: blue', picture: pictures.photos.get(2) },
      ],
    });
  });

  test('has a table with a row per vehicle and no total', () => {
    const section = writeVehicleTable({ inspection, assessment: null });
    const [table] = section?.blocks ?? [];
    expect(table?.kind === 'table' && table.rows.map(({ cells }) => cells[0])).toEqual(['1 red', '2 blue']);
  });

  test('of one vehicle is not divided', () => {
    const one = exampleInspection({ damages: 2, photos: 4 });
    expect(splitVehicles({ inspection: one, assessment: null })).toEqual([]);
    expect(writeVehicleTable({ inspection: one, assessment: null })).toBeNull();
  });
});
