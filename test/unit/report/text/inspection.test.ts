import { describe, expect, it } from 'vitest';
import type { Damage, InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { printAnswer } from '../../../helpers/reports/print-answer.ts';
import { exampleGrounds } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

/** An inspection whose finds are changed before it is graded and priced. */
function withFinds(
  change: (find: Damage, index: number) => Partial<Damage>,
  toCheck = 0,
): InspectionEnvelope {
  const example = exampleInspection({ damages: 3, photos: 4, toCheck });
  const { images } = example.data;
  const results = example.data.results ?? expect.fail();
  const damages = results.damages.map((find, index) => ({ ...find, ...change(find, index) }));
  const graded = createResults(damages, results.to_check, exampleGrounds(images, results.to_check));
  return { ...example, data: { ...example.data, results: graded } };
}

describe('the table of the repair', () => {
  it('is no wider than 48 columns', () => {
    const vehicleId = 'a vehicle of the fleet in the north, number 4711';
    const inspection = exampleInspection({ damages: 3, photos: 4, toCheck: 12, vehicleId });
    const lines = printAnswer({ inspection }, { columns: 48 }).split('\n');
    expect(lines.filter((line) => line.length > 48)).toEqual([]);
  });

  it('has one row per part, with all its numbers', () => {
    const [first] = exampleInspection({ damages: 3, photos: 4 }).data.results?.damages ?? [];
    const inspection = withFinds(({ location }) => ({ location: first?.location ?? location, type: 'dent' }));
    const table = printAnswer({ inspection }, { columns: 120 });
    expect(table.match(/^1 2 3 {2}/gm)).toHaveLength(1);
    expect(table).not.toMatch(/^[23] /m);
  });

  it.each([
    ['names like those of a camera', (i: number) => `car/IMG_000${i}.jpg`, 'IMG_0000\n'],
    ['the same name with two endings', (i: number) => `car/IMG.${i === 1 ? 'heic' : 'jpg'}`, 'IMG.jpg\n'],
    ['long names', (i: number) => `inspection-of-the-vehicle-${i}.jpg`, '…e-vehicle-0\n'],
    ['control characters', (i: number) => `\u001b[31m${i}.jpg`, '\\u{1b}[31m0\n'],
  ])('names a photo: %s', (_, nameOf, shown) => {
    const inspection = withFinds((_find, i) => ({ image_url: nameOf(i) }));
    const images = inspection.data.images.map((photo, i) => ({ ...photo, url: nameOf(i) }));
    const table = printAnswer({ inspection: { ...inspection, data: { ...inspection.data, images } } });
    expect(table).toContain(shown);
  });

  it('prints the five places to check most worth a look and counts the rest, or all', () => {
    const inspection = exampleInspection({ damages: 3, photos: 4, toCheck: 11 });
    const table = printAnswer({ inspection }, { columns: 120 });
    expect(table).toContain('To check (11): damage or reflection? Not in the total.');
    expect(table).toContain('\n6 more, less worth a look.\n');
    expect(table.match(/, (likely|possible) /g)).toHaveLength(5);
    const all = printAnswer({ inspection }, { columns: 120, all: true });
    expect(all.match(/, (likely|possible) /g)).toHaveLength(11);
  });
});

describe('the last lines', () => {
  const inspection = exampleInspection({ damages: 3, photos: 4, toCheck: 2 });
  const next = { review: 'vehi review car.json', report: 'vehi report car.json' };

  it('say what it costs, how bad it is and what to do next, and no number about the answer itself', () => {
    const text = printAnswer({ inspection }, { next });
    expect(text).not.toMatch(/confidence|\d %/i);
    const screen = text.trimEnd().split('\n').slice(-6).join('\n');
    expect(screen).toMatch(/^REPAIR {2}about \$[\d,]+ +up to \$[\d,]+/m);
    expect(screen).toMatch(/^DAMAGE {2}3 on \d parts? +grade \d+(\.\d)?( of 10)?, \w+/m);
    expect(screen).toMatch(/^CHECK {3}2 places, then \$[\d,]+ +vehi review car\.json$/m);
  });

  it('are all that --quiet leaves besides the rows', () => {
    const table = printAnswer({ inspection }, { next, quiet: true });
    expect(table).toMatch(/^CHECK /m);
    expect(table).not.toMatch(/To check|Prices:/);
  });
});

it('a vehicle without damage takes four lines', () => {
  const { data, ...rest } = exampleInspection({ damages: 0, photos: 4, rich: false });
  const made = createResults([], [], exampleGrounds(data.images, []));
  const roof = { code: 'part', place: 'the roof from above', distance_m: 2 };
  const parts = made.coverage.parts.filter(({ part }) => part === 'roof');
  const results = {
    ...made,
    next_photos: [{ ...made.next_photos[0], ...roof }],
    coverage: { ...made.coverage, seen: 22, parts },
  } as typeof made;
  const inspection = { ...rest, data: { ...data, results } };
  const table = printAnswer({ inspection });
  expect(table.trimEnd().split('\n')).toHaveLength(4);
  expect(table).toMatch(/^No damage found, nothing to check\./m);
  expect(table).toContain('22 of 23 parts seen (not the roof)');
  expect(table).toContain('Next photos: the roof from above.');
  const quiet = printAnswer({ inspection }, { quiet: true });
  expect(quiet).toMatch(/\nNo damage found, nothing to check\.\n/);
  expect(quiet).not.toMatch(/Prices:|Next photos:/);
});

it.each([
  [0, undefined],
  [1, '1 less likely finding is not listed'],
  [7, '7 less likely findings are not listed'],
])('%i finds that are not listed are a matter of --verbose', (below_confidence, words) => {
  const inspection = exampleInspection({ damages: 1, photos: 4 });
  Object.assign(inspection.data.results?.dropped_detections ?? {}, { below_confidence });
  const table = printAnswer({ inspection }, { verbose: true, columns: 120 });
  expect(table.match(/\d less likely findings? (is|are) not listed/)?.[0]).toBe(words);
  expect(printAnswer({ inspection })).not.toContain('less likely');
});

it('--verbose says how sure the inspection is and what its price holds also where there is nothing else to note', () => {
  const inspection = exampleInspection({ damages: 2, photos: 4, rich: false });
  inspection.data.missing_views = [];
  const table = printAnswer({ inspection }, { verbose: true });
  expect(table).not.toContain('Not assessed, photo issues, warnings');
  expect(table).toMatch(/Confidence of the inspection as a whole: \d+ %\./);
  expect(table).toContain('Without tax.');
});
