import { expect, it } from 'vitest';
import {
  type ComparedPlace,
  type Comparison,
  compareVisits,
  summarize,
} from '../../../../src/engine/compare/comparison.ts';
import { decideRows } from '../../../../src/engine/compare/decide-rows.ts';
import { compareInliers, type PlacedCounterpart } from '../../../../src/engine/compare/find-counterparts.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

it.each([
  [[], 'there is no row 1: the comparison has no rows.'],
  [['3', '2'], 'there is no row 1: the rows are 2, 3.'],
])('refuses a row that is none of %j', (rows, message) => {
  const places = rows.map((row) => ({ row, before: null }) as unknown as ComparedPlace);
  expect(() => decideRows({ places } as unknown as Comparison, [['1', { decision: 'new' }]])).toThrow(
    message,
  );
});

it('decides a row by the number of its earlier finding as well', async () => {
  const inspection = exampleInspection({ damages: 2, photos: 2 });
  const comparison = await compareVisits({ inspection }, { inspection }, null);
  const number = comparison.places[0]?.before?.number;
  const decided = decideRows(comparison, [[`B${number}`, { decision: 'new' }]]);
  expect(decided.places.map(({ change }) => change)).toEqual(['new', 'unchanged']);
  const [place, other] = comparison.places as [ComparedPlace, ComparedPlace];
  const changed = { ...comparison, places: [{ ...place, change: 'changed' as const }, other] };
  expect(decideRows(changed, [[place.row, { decision: 'new' }]]).counts).toMatchObject({
    new: 1,
    changed: 0,
  });
});

it('grades a changed place by the likelihood of a later place to check, unless a person decided', async () => {
  const inspection = exampleInspection({ damages: 2, photos: 2 });
  const comparison = await compareVisits({ inspection }, { inspection }, null);
  const [place, ...others] = comparison.places;
  if (!place?.after) throw new Error('an example has damages');
  const certain = { ...place.after, severity_score: 9, confidence: 0.2 };
  const gradeWith = (more: Partial<ComparedPlace>) =>
    summarize(comparison, [{ ...place, change: 'changed', ...more }, ...others]).grade?.onSamePlaces;
  const possible = { ...certain, damage_id: 'chk_hood_001' };
  expect(gradeWith({ after: possible })).toBeGreaterThan(gradeWith({ after: certain }) ?? 10);
  const decided = { decision: 'new', instead: 'changed' } as const;
  expect(gradeWith({ after: possible, decided })).toBe(gradeWith({ after: certain }));
});

it.each([
  [true, 'cannot_tell'],
  [false, 'not_photographed'],
])('a part in photos with analyzed: %s is %s', async (analyzed, change) => {
  const inspection = exampleInspection({ damages: 1, photos: 1 });
  const { data } = inspection;
  const images = data.images.map((photo) => ({ ...photo, sha256: 'other', analyzed }));
  const results = data.results && { ...data.results, damages: [] };
  const after = { ...inspection, data: { ...data, images, results, missing_views: [] } };
  const { places } = await compareVisits({ inspection }, { inspection: after }, null);
  expect(places).toMatchObject([{ change }]);
});

it('refuses a second decision on a row, also under its other name', async () => {
  const inspection = exampleInspection({ damages: 2, photos: 2 });
  const comparison = await compareVisits({ inspection }, { inspection }, null);
  const [place] = comparison.places;
  const row = place?.row ?? '';
  for (const other of [row, `B${place?.before?.number}`])
    expect(() =>
      decideRows(comparison, [
        [row, { decision: 'new' }],
        [other, { decision: 'was_there' }],
      ]),
    ).toThrow(`row ${row} has two decisions; one is needed.`);
});

it('puts neither of two counterparts of one pair of photos first', () => {
  const photo = { sha256: 'a' };
  const one = { inliers: 9, source: { photo }, target: { photo } } as PlacedCounterpart;
  expect(compareInliers(one, { ...one })).toBe(0);
});
