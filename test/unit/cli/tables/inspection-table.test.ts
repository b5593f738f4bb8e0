import { describe, expect, it } from 'vitest';
import { inspectionTable } from '../../../../src/cli/tables/inspection-table.ts';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
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
    [inFolder(6), 5, '1.jpg, 2.jpg and 3 more: small'],
    [inFolder(6), 6, 'all 6 photos: small'],
    [['a/1.jpg', 'b/2.jpg', 'c.jpg', 'd.jpg'], 2, '1.jpg, 2.jpg: small'],
    [['a/1.jpg', 'b/1.jpg', 'c.jpg', 'd.jpg'], 2, 'a/1.jpg, b/1.jpg: small'],
  ])('%j, of which %i: one line', (urls, troubled, line) => {
    const table = inspectionTable(remarked(urls, troubled), options);
    expect(table).toContain(`\n  ${line}\n`);
    expect(table).not.toContain('low_resolution');
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
    const table = inspectionTable(reported, options);
    if (words) expect(table).toContain(words);
    else expect(table).not.toContain('less certain');
  });
});
