// @module-tag slow: every output is written
import { expect, test } from 'vitest';
import { assessed } from '../../helpers/pricing/assessments.ts';
import { listSaidTwice, readOutputs } from '../../helpers/reports/said-twice.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const some = exampleInspection({ damages: 6, photos: 6, toCheck: 1 });

/** The example with two finds whose close-ups leave the side open, as a scrape on a bumper does. */
function leaveOpen() {
  const open = structuredClone(some);
  for (const one of open.data.results?.damages.slice(0, 2) ?? []) {
    one.detail = 'side uncertain: the close-up could be of the left or the right';
    one.location.uncertain = 'side';
  }
  return open;
}

const ROWS = [
  ['damages and places to check', some, null],
  ['places to check alone', exampleInspection({ damages: 0, photos: 3, toCheck: 2 }), null],
  ['nothing', exampleInspection({ damages: 0, photos: 3, rich: false }), null],
  ['finds whose part is open', leaveOpen(), null],
  ['an estimate', null, assessed({ damages: [{ damage_id: 'd', type: 'dent', location: 'hood' }] })],
] as const;

test.each(ROWS)('%s: no output says one sentence twice', async (_, inspection, assessment) => {
  const outputs = Object.entries(await readOutputs({ inspection, assessment }));
  expect(outputs.filter(([, text]) => text.length < 100)).toEqual([]);
  expect(outputs.filter(([, text]) => listSaidTwice(text).length > 0)).toEqual([]);
});
