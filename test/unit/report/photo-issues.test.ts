import { expect, test } from 'vitest';
import type { PhotoIssue } from '../../../src/contract/inspection.ts';
import { listOtherNotAssessed, writeCaveats } from '../../../src/report/content/caveats.ts';
import { describePhotoRemarks, groupIssues } from '../../../src/report/photo-issues.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const issue = (code: PhotoIssue['code'], value: number, message: string = code, limit = 0.05): PhotoIssue => {
  return { code, value, limit, message, summary: message.replace(/ \(\d.*\)$/, '') };
};
const { images } = exampleInspection({ photos: 4, damages: 0, rich: false }).data;
const withIssues = (issues: readonly (readonly PhotoIssue[])[]) =>
  images.map((photo, index) => ({ ...photo, issues: [...(issues[index] ?? [])] }));
const grouped = (...issues: readonly (readonly PhotoIssue[])[]) =>
  groupIssues(withIssues(issues)).map(({ photos, message, measured, limit }) => [
    photos.map(({ index }) => index),
    message,
    measured,
    limit,
  ]);

test.each([
  ['a share is shown in percent', [[issue('glare', 0.125)]], [[[0], 'glare', '12.5 %', '5 %']]],
  ['another figure as it is', [[issue('blur', 31.256, 'blur', 40)]], [[[0], 'blur', '31.26', '40']]],
  [
    'one issue of several photos is one span, without the figures in its message, with each limit',
    [[issue('glare', 0.1, 'glare (10 %)')], [], [issue('glare', 0.3, 'glare (30 %)', 0.07)]],
    [[[0, 2], 'glare', '10 %–30 %', '5 %–7 %']],
  ],
  [
    'repeated photos stay apart by what they repeat',
    [[issue('near_duplicate', 3, 'repeats a', 8)], [issue('near_duplicate', 3, 'repeats b', 8)]],
    [
      [[0], 'repeats a', '3', '8'],
      [[1], 'repeats b', '3', '8'],
    ],
  ],
])('%s', (_, issues, wanted) => {
  expect(grouped(...issues)).toEqual(wanted);
});

test('a photo without a vehicle, and mechanical parts, are said once', () => {
  const images = withIssues([[issue('no_vehicle', 0.1)], [issue('blur', 30)]]).slice(0, 2);
  const photos = images.map(({ url }) => ({ what: url, code: 'no_vehicle' as const, reason: '' }));
  const engine = { what: 'mechanical', code: 'not_visible' as const, reason: '' };
  const { data } = exampleInspection({ damages: 1, photos: 2, rich: false });
  const results = data.results ?? expect.fail();
  const not_assessed = [...photos, engine];
  expect(listOtherNotAssessed({ images, results: { ...results, not_assessed } })).toEqual(photos.slice(1));
});

test.each([
  ['leaves its figures out', issue('blur', 31, 'out of focus (31 of 40)'), 'out of focus.'],
  ['keeps the parentheses of a name', issue('near_duplicate', 3, 'like IMG (2).jpg', 8), 'like IMG (2).jpg.'],
  ['ends with one full stop', issue('dark', 10, 'The photo is dark.'), 'The photo is dark.'],
])('a remark %s', (_, remark, said) => {
  const urls = ['a/1.jpg', 'b/1.jpg', 'c/\u001b[31m.jpg', 'd.jpg'];
  const photos = withIssues(urls.map(() => [remark])).map((photo, at) => ({ ...photo, url: urls[at] ?? '' }));
  expect(describePhotoRemarks(photos)).toEqual([`a/1.jpg, b/1.jpg, \\u{1b}[31m.jpg, d.jpg: ${said}`]);
});

test('a warning of a report and of the answer is a sentence', () => {
  const inspection = exampleInspection({ damages: 0 });
  inspection.data.warnings = [{ code: 'coverage', message: 'only 3 of at least 4 photos' }];
  const caveats = writeCaveats({ inspection, assessment: null }, new Map());
  expect(JSON.stringify(caveats)).toContain('"Only 3 of at least 4 photos."');
  expect(printAnswer({ inspection })).toContain('Only 3 of at least 4 photos.');
});

test('no report says that photos are small, which changes nothing; the JSON does', () => {
  const small = issue('low_resolution', 1280, 'small', 1920);
  expect(grouped([small], [small, issue('glare', 0.125)])).toEqual([[[1], 'glare', '12.5 %', '5 %']]);
});
