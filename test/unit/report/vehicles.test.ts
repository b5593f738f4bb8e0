import { describe, expect, test } from 'vitest';
import { writeFirstPage } from '../../../src/report/content/first-page.ts';
import { describePriceChange } from '../../../src/report/content/review.ts';
import { writeVehicleTable } from '../../../src/report/content/vehicles.ts';
import { formatRoundMoney } from '../../../src/report/figures.ts';
import { listFindings } from '../../../src/report/finding-rows.ts';
import { formatGithub } from '../../../src/report/formats/github.ts';
import { formatMarkdown } from '../../../src/report/formats/markdown.ts';
import { listFigures } from '../../../src/report/headline.ts';
import { gatherPictures } from '../../../src/report/pictures.ts';
import { splitVehicles } from '../../../src/report/split-vehicles.ts';
import { english } from '../../../src/report/translator.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
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
    const ids = parts.flatMap(({ results }) => listFindings({ results }).map((one) => one.damage_id));
    expect(ids.toSorted()).toEqual(
      listFindings(inspection.data)
        .map((one) => one.damage_id)
        .toSorted(),
    );
  });

  test('has figures per vehicle and none of all', () => {
    expect(listFigures({ inspection, assessment: null })).toEqual([]);
    expect(parts.every((part) => listFigures(part).length > 0)).toBe(true);
    const next = { review: 'vehi review r.json', report: 'vehi report r.json' };
    expect(printAnswer({ inspection }, { next })).toMatch(/^CHECK {2}3 places {2}vehi review r\.json$/m);
  });

  test('shows each vehicle on the first page, in its photo with the most parts', async () => {
    const input = { inspection: structuredClone(inspection), assessment: null };
    const parts = [{ part: 'hood', box: [0, 0, 9, 9], cut: false }];
    Object.assign(input.inspection.data.images[1] ?? {}, {
      record: { parts, cm_per_pixel: null, views: [] },
    });
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

  test('says what a review changes in the price of each', () => {
    const each = parts
      .map(({ results: { repair_cost: cost }, vehicle }) => {
        return `about ${formatRoundMoney(cost.estimated, cost.currency)} (vehicle ${vehicle})`;
      })
      .join(', ');
    expect(describePriceChange(inspection, inspection)).toBe(`Repair: ${each} as found, ${each} now`);
  });

  test('says what the prices include, also where the first vehicle has none', () => {
    const clean = structuredClone(inspection);
    const [first] = clean.data.results?.vehicles ?? [];
    const none = {
      damage_ids: [],
      to_check_ids: [],
      if_all_confirmed: { ...first?.if_all_confirmed, items: 0 },
    };
    Object.assign(first ?? {}, none);
    expect(printAnswer({ inspection: clean }).match(/an hour/g)).toHaveLength(1);
  });

  test('names the next photos of each vehicle, and says once what holds for all', () => {
    const asked = structuredClone(inspection);
    const { vehicles = [], next_photos: [request] = [] } = asked.data.results ?? {};
    for (const [at, vehicle] of vehicles.entries())
      vehicle.next_photos = request ? [{ ...request, code: 'part', place: `roof ${at + 1}` }] : [];
    const [first] = vehicles;
    if (first) first.damage_ids = first.to_check_ids = [];
    const words = { message: 'glare (10 %)', summary: 'glare' };
    const glare = { code: 'glare', value: 0.1, limit: 0.05, ...words } as const;
    for (const photo of asked.data.images) photo.issues = photo.index === 0 ? [glare] : [];
    const text = printAnswer({ inspection: asked });
    expect(text.match(/Next photos: .*|not judged|glare/g)).toEqual([
      'Next photos: roof 1.',
      'Next photos: roof 2.',
      'not judged',
      'glare',
    ]);
  });

  test('names the folder of photos that share their file name', () => {
    const twice = structuredClone(inspection);
    for (const [at, photo] of twice.data.images.entries())
      photo.url = `in/${at < 2 ? 'a' : 'b'}/${at % 2}.jpg`;
    expect(printAnswer({ inspection: twice })).toMatch(/red: a\/0\.jpg, a\/1\.jpg\n *2 {2}blue: b\/0\.jpg/);
  });

  test('prices each finding in the job of its vehicle, and grades no two together', () => {
    const lines = formatGithub({ inspection, assessment: null }, { failOn: 'none' }).split('\n');
    const damages = lines.filter((line) => line.includes('::No. '));
    expect(damages).toHaveLength(6);
    for (const line of damages) expect(line).toMatch(/, repair (\$[\d,]+|with no\. \d+)$/);
    const coverage = lines.find((line) => line.includes('vehi / coverage')) ?? '';
    expect(coverage).not.toMatch(/if the places? to check/);
  });

  test('is not counted twice in one annotation', () => {
    const twice = structuredClone(inspection);
    Object.assign(twice.data.results?.grade_basis ?? {}, { message: '2 vehicles, each with its own grade' });
    const [coverage] = formatGithub({ inspection: twice, assessment: null }, { failOn: 'none' }).split('\n');
    expect(coverage?.match(/2 vehicles/g)).toHaveLength(1);
  });

  test('has its tables one heading below its vehicle in Markdown', () => {
    const text = formatMarkdown({ inspection, assessment: null }, { failOn: 'none' });
    expect(text.match(/^### Vehicle \d of 2/gm)).toHaveLength(2);
    expect(text).toMatch(/^#### To check/m);
    expect(text).not.toMatch(/^### To check/m);
  });

  test('of one vehicle is not divided', () => {
    const one = exampleInspection({ damages: 2, photos: 4 });
    expect(splitVehicles({ inspection: one, assessment: null })).toEqual([]);
    expect(writeVehicleTable({ inspection: one, assessment: null })).toBeNull();
  });
});
