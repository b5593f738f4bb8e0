import { expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { FORMATTERS } from '../../../helpers/reports/formatters.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { divide } from '../../../helpers/results/two-vehicles.ts';

const REASON = 'no vehicle is recognized in this photo with any certainty';

test('a photo that shows no vehicle is skipped with the reason, not passed', () => {
  const { data, ...rest } = exampleInspection({ damages: 1, photos: 2 });
  const images = data.images.map((photo, index) =>
    index === 1
      ? { ...photo, analyzed: true, issues: [{ code: 'no_vehicle', value: 0, limit: 0.1, message: REASON }] }
      : { ...photo, analyzed: true },
  );
  const inspection: InspectionEnvelope = { ...rest, data: { ...data, images } };
  const text = FORMATTERS.junit({ inspection, assessment: null }, { failOn: 'none' });
  const photos = text.split('\n').filter((line) => /classname="vehi.photo"(?!.*<error)/.test(line));
  expect(photos.map((line) => /<skipped message="(.*?)"/.exec(line)?.[1] ?? 'passed')).toEqual([
    'passed',
    REASON,
  ]);
});

test('the properties grade no vehicle of which too little is seen', () => {
  const inspection = structuredClone(exampleInspection({ damages: 1, photos: 2 }));
  const list = () => {
    const text = FORMATTERS.junit({ inspection, assessment: null }, { failOn: 'none' });
    return [...text.matchAll(/<property name="(\w+)"/g)].map(([, name]) => name);
  };
  const grade = ['overall_condition', 'condition_score'];
  expect(list()).toEqual(expect.arrayContaining(grade));
  if (inspection.data.results) inspection.data.results.grade_basis.code = 'too_little_seen';
  expect(list().filter((name) => grade.includes(name ?? ''))).toEqual([]);
});

test('the time of a run stands once, however many vehicles the photos show', () => {
  const inspection = divide(exampleInspection({ damages: 2, photos: 2 }));
  inspection.meta.processing_time = 4.5;
  const text = FORMATTERS.junit({ inspection, assessment: null }, { failOn: 'none' });
  expect([...text.matchAll(/<testsuite .* time="(.*?)"/g)].map(([, time]) => time)).toEqual([
    '4.500',
    '0.000',
  ]);
});
