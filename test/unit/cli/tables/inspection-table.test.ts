import { describe, expect, it } from 'vitest';
import { renderInspectionTable } from '../../../../src/cli/tables/inspection-table.ts';
import type { Damage, InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const options = { colour: 0, columns: 120, quiet: false } as const;
const small = { code: 'low_resolution', message: 'small', value: 1280, limit: 1920 };

/** An inspection of photos in one folder (or as named), the first `troubled` of them with the same remark. */
function remarked(urls: readonly string[], troubled: number): InspectionEnvelope {
  const example = exampleInspection({ damages: 1, photos: urls.length });
  const images = example.data.images.map((photo, i) => ({
    ...photo,
    url: urls[i] ?? '',
    issues: i < troubled ? [small] : [],
  }));
  return { ...example, data: { ...example.data, images } };
}

const inFolder = (count: number) => Array.from({ length: count }, (_, i) => `car/${i + 1}.jpg`);

describe('remarks on photos', () => {
  it.each([
    [inFolder(5), 1, '1.jpg: small'],
    [inFolder(5), 3, '1.jpg, 2.jpg, 3.jpg: small'],
    [inFolder(6), 5, '1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg: small'],
    [inFolder(12), 10, '1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg, 6.jpg, 7.jpg and 3 more: small'],
    [inFolder(6), 6, 'all 6 photos: small'],
    [['a/1.jpg', 'b/2.jpg', 'c.jpg', 'd.jpg'], 2, '1.jpg, 2.jpg: small'],
    [['a/1.jpg', 'b/1.jpg', 'c.jpg', 'd.jpg'], 2, 'a/1.jpg, b/1.jpg: small'],
    [['a/\u001b[31m.jpg', 'b.jpg'], 1, '\\u{1b}[31m.jpg: small'],
  ])('%j, of which %i: one line', (urls, troubled, line) => {
    const table = renderInspectionTable(remarked(urls, troubled), options);
    expect(table).toContain(`\n  ${line}\n`);
    expect(table).not.toContain('low_resolution');
  });
});

/** An inspection whose finds are changed. */
function withFinds(change: (find: Damage, index: number) => Partial<Damage>): InspectionEnvelope {
  const example = exampleInspection({ damages: 3, photos: 4 });
  const { results } = example.data;
  if (!results) throw new Error('the example has results');
  const damages = results.damages.map((find, index) => ({ ...find, ...change(find, index) }));
  return { ...example, data: { ...example.data, results: { ...results, damages } } };
}

describe('the table of finds', () => {
  const SIZE = /^# {2}part .* size /m;

  it('has a column for sizes only where one is known', () => {
    const { measurements: _, ...bare } = withFinds(() => ({})).data.results?.damages[0] ?? {};
    expect(bare).toBeDefined();
    expect(
      renderInspectionTable(
        withFinds(() => ({})),
        options,
      ),
    ).toMatch(SIZE);
    expect(
      renderInspectionTable(
        withFinds(() => ({ measurements: undefined, explain: [] }) as unknown as Partial<Damage>),
        options,
      ),
    ).not.toMatch(SIZE);
  });

  it.each([48, 56, 80])('at %i columns all above the finds fits, and no price is broken', (columns) => {
    const found = withFinds(() => ({}));
    const data = { ...found.data, vehicle_id: 'a vehicle of the fleet in the north, number 4711' };
    const table = renderInspectionTable({ ...found, data }, { ...options, columns });
    const lines = table.slice(0, table.indexOf('\n\n')).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.some((line) => /\$[\d,]+ \(\$[\d,]+–[\d,]+\)$/.test(line))).toBe(true);
  });

  it.each([80, 120])('at %i columns says below a find what its place leaves open', (columns) => {
    const detail = 'one scratch, continued on the right rear door';
    const table = renderInspectionTable(
      withFinds((_, index) => (index === 1 ? { detail } : {})),
      { ...options, columns },
    );
    expect(table).toMatch(/\n2 {2}.*\n {3}one scratch, continued on the right rear door\n3 {2}/);
  });

  it.each([
    ['names like those of a camera', (i: number) => `IMG_000${i}.jpg`, 80, 'IMG_0000 +2\n'],
    ['names of several kinds', (i: number) => `IMG_0${i}.${i === 1 ? 'heic' : 'jpg'}`, 80, 'IMG_00.jpg +2\n'],
    ['long names', (i: number) => `inspection-of-the-vehicle-${i}.jpg`, 70, '-0 +2\n'],
  ])('%s stay known in a narrow terminal', (_, nameOf, columns, shown) => {
    const [evidence] = withFinds(() => ({})).data.results?.damages[0]?.evidence ?? [];
    if (!evidence) throw new Error('the example has evidence');
    const location = {
      part: 'quarter_panel_right',
      side: 'right',
      coordinates: evidence.coordinates,
    } as const;
    const table = renderInspectionTable(
      withFinds((_find, i) => ({
        location,
        type: 'panel_damage',
        severity: 'moderate',
        image_url: `car/${nameOf(i)}`,
        evidence: [evidence, evidence, evidence],
        estimated_repair: {
          min: 12000,
          max: 13000,
          estimated: 12500,
          currency: 'USD',
          repair_type: 'panel_repair',
        },
      })),
      { ...options, columns },
    );
    expect(table).toContain(shown);
    expect(table.split('\n').filter((line) => line.length > columns)).toEqual([]);
  });
});

describe('a VIN', () => {
  const filed = (vin: string, check: 'right' | 'wrong') => {
    const example = exampleInspection({ damages: 1, photos: 4 });
    return { ...example, data: { ...example.data, vehicle: { vin, vin_check_digit: check } } };
  };
  const WARNING = 'VIN 1M8GDM9AXKP042789: the check digit does not fit: compare with the vehicle\n';

  it('with a wrong check digit is a warning', () => {
    expect(renderInspectionTable(filed('1M8GDM9AXKP042789', 'wrong'), options)).toContain(WARNING);
    expect(renderInspectionTable(filed('1M8GDM9AXKP042788', 'right'), options)).not.toContain('VIN');
  });
});

describe('finds that are not listed', () => {
  it.each([
    [0, null],
    [1, '1 less certain find is not listed'],
    [7, '7 less certain finds are not listed'],
  ])('%i', (unlisted, words) => {
    const example = exampleInspection({ damages: 1, photos: 4 });
    const { results } = example.data;
    if (!results) throw new Error('the example has results');
    const dropped = { not_on_vehicle: 0, implausible: 0, below_confidence: unlisted };
    const reported = {
      ...example,
      data: { ...example.data, results: { ...results, dropped_detections: dropped } },
    };
    const table = renderInspectionTable(reported, options);
    if (words) expect(table).toContain(words);
    else expect(table).not.toContain('less certain');
  });
});
