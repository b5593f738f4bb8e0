import { expect, it } from 'vitest';
import type { Damage } from '../../../../src/contract/inspection.ts';
import {
  type ComparedPlace,
  type Comparison,
  compareVisits,
  summarize,
} from '../../../../src/engine/compare/comparison.ts';
import { decideRows } from '../../../../src/engine/compare/decide-rows.ts';
import { compareInliers, type PlacedCounterpart } from '../../../../src/engine/compare/find-counterparts.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const inspection = exampleInspection({ damages: 2, photos: 2 });
/** A visit compared with itself: two rows, both unchanged. */
const comparison = await compareVisits({ inspection }, { inspection }, null);
const [place, other] = comparison.places as [ComparedPlace, ComparedPlace];
const SOURCE = { photo: { sha256: 'a' } };
const earlierName = `B${place.before?.number}`;

it.each([
  [[], 'there is no row 1: the comparison has no rows.'],
  [['3', '2'], 'there is no row 1: the rows are 2, 3.'],
])('refuses a row that is none of %j', (rows, message) => {
  const places = rows.map((row) => ({ row, before: null }) as unknown as ComparedPlace);
  expect(() => decideRows({ places } as unknown as Comparison, [['1', { decision: 'new' }]])).toThrow(
    message,
  );
});

it('decides a row by the number of its earlier finding as well', () => {
  const decided = decideRows(comparison, [[earlierName, { decision: 'new' }]]);
  expect(decided.places.map(({ change }) => change)).toEqual(['new', 'unchanged']);
  const changed = { ...comparison, places: [{ ...place, change: 'changed' as const }, other] };
  const { counts } = decideRows(changed, [[place.row, { decision: 'new' }]]);
  expect(counts).toMatchObject({ new: 1, changed: 0 });
});

it('grades a changed place by the likelihood of a later place to check, unless a person decided', () => {
  const certain = { ...(place.after as Damage), severity_score: 9, confidence: 0.2 };
  const gradeWith = (more: Partial<ComparedPlace>) =>
    summarize(comparison, [{ ...place, change: 'changed', ...more }, other]).grade?.onSamePlaces;
  const possible = { ...certain, damage_id: 'chk_hood_001' };
  expect(gradeWith({ after: possible })).toBeGreaterThan(gradeWith({ after: certain }) ?? 10);
  const decided = { decision: 'new', instead: 'changed' } as const;
  expect(gradeWith({ after: possible, decided })).toBe(gradeWith({ after: certain }));
});

it.each([
  [true, 'cannot_tell'],
  [false, 'not_photographed'],
])('a part in photos with analyzed: %s is %s', async (analyzed, change) => {
  const { data } = inspection;
  const images = data.images.map((photo) => ({ ...photo, sha256: 'other', analyzed }));
  const results = data.results && { ...data.results, damages: [] };
  const after = { ...inspection, data: { ...data, images, results, missing_views: [] } };
  const { places } = await compareVisits({ inspection }, { inspection: after }, null);
  expect(places).toMatchObject([{ change }, { change }]);
});

it.each([place.row, earlierName])('refuses a second decision on a row, also as %s', (name) => {
  const decisions = [place.row, name].map((row) => [row, { decision: 'new' }] as const);
  expect(() => decideRows(comparison, decisions)).toThrow(`row ${place.row} has two decisions`);
});

it('ranks counterparts of equal inliers by their photos, and none of one pair of photos first', () => {
  const at = (sha256: string) =>
    ({ inliers: 9, source: SOURCE, target: { photo: { sha256 } } }) as PlacedCounterpart;
  expect(compareInliers(at('a'), at('b'))).toBeLessThan(0);
  expect(compareInliers(at('b'), at('a'))).toBeGreaterThan(0);
  expect(compareInliers(at('a'), at('a'))).toBe(0);
});
