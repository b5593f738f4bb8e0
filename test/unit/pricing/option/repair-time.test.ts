import { expect, it } from 'vitest';
import { combineJobs, timeRepair } from '../../../../src/pricing/option/repair-time.ts';
import { TABLES } from '../../../helpers/pricing/assessments.ts';

it.each([
  ['the longest in full, the other at half', [21, 5], 24],
  ['whichever comes first', [5, 21], 24],
  ['three, each half rounded up', [7, 23, 6], 30], // 23 + 4 + 3
  ['one', [9], 9],
  ['none', [], 0],
])('several jobs on one part: %s', (_, times, all) => {
  expect(combineJobs(times)).toBe(all);
});

const dent = { id: 'd', type: 'dent', part: 'hood', severity: 'moderate', severityScore: 3.75 } as const;
// Repair hours 4.0 of a hood; factor 0.4 + 0.16 x score; root of length / 12 cm, from 0.7 to 2.
it.each([
  ['a moderate dent of 12 cm', { sizeCm: 12 }, 40],
  ['a severe one', { severityScore: 6.25, sizeCm: 12 }, 56], // x 1.4
  ['one of 48 cm', { sizeCm: 48 }, 80], // x 2
  ['one of a meter, at most twice', { sizeCm: 100 }, 80],
  ['one of 1 cm, at least 0.7', { sizeCm: 1 }, 28],
  ['kinked metal', { type: 'panel_damage', sizeCm: 12 }, 50], // x 1.25
  ['a scratch', { type: 'scratch', sizeCm: 12 }, 12], // x 0.3
  ['a scratch through to the metal', { type: 'scratch', severityScore: 6.25, sizeCm: 12 }, 28], // x 0.5 x 1.4
  ['the least', { type: 'scratch', severityScore: 0, sizeCm: 1 }, 3], // 4.0 x 0.3 x 0.4 x 0.7
])('judgment time of %s', (_, more, tenths) => {
  expect(timeRepair({ ...dent, ...more } as never, 4, TABLES.operations).tenths).toBe(tenths);
});
