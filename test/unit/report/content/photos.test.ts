import { expect, test } from 'vitest';
import { writePhotoCaption } from '../../../../src/report/content/photos.ts';
import { listReportSections } from '../../../../src/report/content/report.ts';
import { NO_PICTURES } from '../../../../src/report/pictures.ts';
import { english } from '../../../../src/report/translator.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const [photo] = exampleInspection({ photos: 1 }).data.images;
const long = `${'a'.repeat(30)}${'b'.repeat(30)}.jpg`;

test.each([
  ['a name of 44 characters as it is', `${'a'.repeat(40)}.jpg`, `${'a'.repeat(40)}.jpg`],
  ['a longer name without its middle', long, `${'a'.repeat(21)}…${'b'.repeat(18)}.jpg`],
])('a caption has %s', (_, url, name) => {
  if (!photo) throw new Error('the example has a photo');
  expect(writePhotoCaption({ ...photo, url, angle: null }, [])).toBe(`Photo 1: ${name}`);
  expect(writePhotoCaption({ ...photo, index: 4, url, angle: 'left_side' }, [])).toBe(
    `Photo 5: ${name}, left side`,
  );
});

test('a report names two photos of one name with their folders', () => {
  const { data, ...rest } = exampleInspection({ photos: 2, damages: 1 });
  const [first] = data.images;
  if (!first || !data.results) throw new Error('the example has photos and results');
  const issue = { code: 'blur', message: 'blurred', value: 1, limit: 2 } as const;
  const images = ['a/IMG.jpg', 'b/IMG.jpg'].map((url, index) => {
    return { ...(data.images[index] ?? first), url, index, issues: index === 0 ? [issue] : [] };
  });
  const rejected = data.rejected_images.map((one) => ({ ...one, url: 'c/IMG.jpg' }));
  const results = { ...data.results, not_assessed: [{ code: 'part', what: 'b/IMG.jpg', reason: 'dark' }] };
  const shown = { ...data, images, rejected_images: rejected, results };
  const input = { inspection: { ...rest, data: shown }, assessment: null } as never;
  const said = JSON.stringify(listReportSections(input, NO_PICTURES, new Date(0), english));
  expect(said.match(/[abc]\/IMG\.jpg/g)?.length).toBeGreaterThan(6);
  expect(said.match(/(?<![abc]\/)IMG\.jpg/g)).toBeNull();
});
