import { describe, expect, it } from 'vitest';
import type { Damage, InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { printAnswer } from '../../../helpers/reports/print-answer.ts';
import { exampleGrounds } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const small = { code: 'low_resolution', message: 'small', summary: 'small', value: 1280, limit: 1920 };
const blurred = {
  code: 'blurry_photo',
  message: 'blurred (sharpness 0.1, needed 0.2); hold still',
  summary: 'blurred; hold still',
  value: 0.1,
  limit: 0.2,
};

/** An inspection of photos in one folder (or as named), the first `troubled` of them with the same remark. */
function remarked(urls: readonly string[], troubled: number, issue = blurred): InspectionEnvelope {
  const example = exampleInspection({ damages: 1, photos: urls.length, rich: false });
  const images = example.data.images.map((photo, i) => ({
    ...photo,
    url: urls[i] ?? '',
    issues: i < troubled ? [issue] : [],
  }));
  return { ...example, data: { ...example.data, images } };
}

const inFolder = (count: number) => Array.from({ length: count }, (_, i) => `car/${i + 1}.jpg`);

describe('remarks on photos', () => {
  it.each([
    [inFolder(5), 1, blurred, '1.jpg: blurred; hold still.'],
    [inFolder(6), 5, blurred, '1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg: blurred; hold still.'],
    [inFolder(12), 10, blurred, '1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg and 5 more: blurred; hold still.'],
    [['a/1.jpg', 'b/2.jpg', 'c.jpg', 'd.jpg'], 2, blurred, '1.jpg, 2.jpg: blurred; hold still.'],
    [['a/1.jpg', 'b/1.jpg', 'c.jpg', 'd.jpg'], 2, blurred, 'a/1.jpg, b/1.jpg: blurred; hold still.'],
    [['a/\u001b[31m.jpg', 'b.jpg'], 1, blurred, '\\u{1b}[31m.jpg: blurred; hold still.'],
  ])('%j, of which %i: one line', (urls, troubled, issue, line) => {
    const table = printAnswer({ inspection: remarked(urls, troubled, issue) });
    expect(table).toContain(`\n${line}\n`);
    expect(table).not.toContain(issue.code);
  });

  it.each([1, 5])('nothing of the size of %i photos, which the JSON states', (troubled) => {
    expect(printAnswer({ inspection: remarked(inFolder(5), troubled, small) })).toBe(
      printAnswer({ inspection: remarked(inFolder(5), 0, small) }),
    );
  });
});

/** An inspection whose finds are changed before it is graded and priced. */
function withFinds(
  change: (find: Damage, index: number) => Partial<Damage>,
  toCheck = 0,
): InspectionEnvelope {
  const example = exampleInspection({ damages: 3, photos: 4, toCheck });
  const { results, images } = example.data;
  if (!results) throw new Error('the example has results');
  const damages = results.damages.map((find, index) => ({ ...find, ...change(find, index) }));
  const graded = createResults(damages, results.to_check, exampleGrounds(images, results.to_check));
  return { ...example, data: { ...example.data, results: graded } };
}

describe('the table of the repair', () => {
  it.each([48, 60, 80, 120])('at %i columns no line is wider', (columns) => {
    const data = {
      ...withFinds(() => ({}), 12).data,
      vehicle_id: 'a vehicle of the fleet in the north, number 4711',
    };
    const table = printAnswer({ inspection: { ...withFinds(() => ({}), 12), data } }, { columns });
    expect(table.split('\n').filter((line) => line.length > columns)).toEqual([]);
  });

  it('has one row per part, with all its numbers', () => {
    const { location } = withFinds(() => ({})).data.results?.damages[0] ?? {};
    if (!location) throw new Error('the example has damages');
    const table = printAnswer(
      { inspection: withFinds(() => ({ location, type: 'dent' })) },
      { columns: 120 },
    );
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
    const table = printAnswer({ inspection: withFinds(() => ({}), 11) }, { columns: 120 });
    expect(table).toContain('To check (11): damage or reflection? Not in the total.');
    expect(table).toContain('\n6 more, less worth a look.\n');
    expect(table.match(/, (likely|possible) /g)).toHaveLength(5);
    const all = printAnswer({ inspection: withFinds(() => ({}), 11) }, { columns: 120, all: true });
    expect(all.match(/, (likely|possible) /g)).toHaveLength(11);
  });

  it('prices all places to check together, and none by itself', () => {
    const text = printAnswer({ inspection: withFinds(() => ({}), 2) }, { columns: 120 });
    expect(text.split('To check')[1]?.split('Prices:')[0]).not.toContain('$');
    expect(text).toMatch(/^CHECK {3}2 places, then \$[\d,]+/m);
  });
});

describe('the last lines', () => {
  const inspection = withFinds(() => ({}), 2);
  const next = { review: 'vehi review car.json', report: 'vehi report car.json' };

  it('say on a screen of 24 × 80 what it costs, how bad it is and what to do next', () => {
    const lines = printAnswer({ inspection }, { next }).trimEnd().split('\n');
    const screen = lines.slice(-6).join('\n');
    expect(screen).toMatch(/^REPAIR {2}about \$[\d,]+ +up to \$[\d,]+/m);
    expect(screen).toMatch(/^DAMAGE {2}3 on \d parts? +grade \d+(\.\d)?( of 10)?, \w+/m);
    expect(screen).toMatch(/^CHECK {3}2 places, then \$[\d,]+ +vehi review car\.json$/m);
  });

  it('are all that --quiet leaves besides the rows', () => {
    const table = printAnswer({ inspection }, { next, quiet: true });
    expect(table).toMatch(/^CHECK /m);
    expect(table).not.toMatch(/To check|Prices:/);
  });

  it('name no number about the answer itself', () => {
    expect(printAnswer({ inspection }, { next })).not.toMatch(/confidence|\d %/i);
  });
});

it.each([80, 140])('a vehicle without damage takes four lines of %i columns', (columns) => {
  const { data, ...rest } = exampleInspection({ damages: 0, photos: 4, rich: false });
  const images = data.images.map((photo) => ({ ...photo, width: 1280, height: 960, issues: [small] }));
  const made = createResults([], [], exampleGrounds(images, []));
  const roof = { code: 'part', place: 'the roof from above', distance_m: 2 };
  const results = {
    ...made,
    next_photos: [{ ...made.next_photos[0], ...roof }],
    coverage: {
      ...made.coverage,
      seen: 22,
      parts: made.coverage.parts.filter(({ part }) => part === 'roof'),
    },
  } as typeof made;
  const inspection = { ...rest, data: { ...data, images, results } };
  const table = printAnswer({ inspection }, { columns });
  expect(table.trimEnd().split('\n')).toHaveLength(4);
  expect(table).toMatch(/^No damage found, nothing to check\./m);
  expect(table).toContain('22 of 23 parts seen (not the roof)');
  expect(table).toContain('Next photos: the roof from above.');
  const quiet = printAnswer({ inspection }, { columns, quiet: true });
  expect(quiet).toMatch(/\nNo damage found, nothing to check\.\n/);
  expect(quiet).not.toMatch(/Prices:|Next photos:/);
});

describe('a VIN', () => {
  const filed = (vin: string, check: 'right' | 'wrong') => {
    const example = exampleInspection({ damages: 1, photos: 4 });
    return { ...example, data: { ...example.data, vehicle: { vin, vin_check_digit: check } } };
  };
  const WARNING = 'VIN 1M8GDM9AXKP042789: the check digit does not fit: compare with the vehicle.\n';

  it('with a wrong check digit is a warning', () => {
    expect(printAnswer({ inspection: filed('1M8GDM9AXKP042789', 'wrong') })).toContain(WARNING);
    expect(printAnswer({ inspection: filed('1M8GDM9AXKP042788', 'right') })).not.toContain('VIN');
  });
});

describe('finds that are not listed are a matter of --verbose', () => {
  it.each([
    [0, null],
    [1, '1 less likely finding is not listed'],
    [7, '7 less likely findings are not listed'],
  ])('%i', (unlisted, words) => {
    const example = exampleInspection({ damages: 1, photos: 4 });
    const { results } = example.data;
    if (!results) throw new Error('the example has results');
    const dropped = { not_on_vehicle: 0, implausible: 0, below_confidence: unlisted };
    const inspection = {
      ...example,
      data: { ...example.data, results: { ...results, dropped_detections: dropped } },
    };
    const table = printAnswer({ inspection }, { verbose: true, columns: 120 });
    if (words) expect(table).toContain(words);
    else expect(table).not.toContain('less likely');
    expect(printAnswer({ inspection })).not.toContain('less likely');
  });
});

it('--verbose says how sure the inspection is and what its price holds also where there is nothing else to note', () => {
  const example = exampleInspection({ damages: 2, photos: 4, rich: false });
  const { results } = example.data;
  if (!results) throw new Error('the example has results');
  const data = { ...example.data, missing_views: [], results: { ...results, not_assessed: [] } };
  const table = printAnswer({ inspection: { ...example, data } }, { verbose: true });
  expect(table).not.toContain('Not assessed, photo issues, warnings');
  expect(table).toMatch(/Confidence of the inspection as a whole: \d+ %\./);
  expect(table).toContain('Without tax.');
});
