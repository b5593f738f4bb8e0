import { expect, test } from 'vitest';
import type { Result } from '../../../src/contract/result.ts';
import { describeDamages } from '../../../src/domain/damage-words.ts';
import { listDamageRows, listMarks, listToCheckRows } from '../../../src/report/finding-rows.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

test('a box on a photo has the words of the table', () => {
  const { data } = exampleInspection({ damages: 3, photos: 4 });
  const marks = data.images.flatMap((photo) => listMarks(photo, data));
  expect(marks.length).toBeGreaterThan(0);
  for (const { number, words } of marks) {
    const damage = data.results?.damages.find((one) => one.number === number);
    expect(damage && describeDamages([{ ...damage, part: damage.location.part }])).toContain(words);
  }
});

test('an assessed damage that the inspection does not list gets a number of its own', () => {
  const makeDamage = (damage_id: string, number: number) => ({
    damage_id,
    number,
    type: 'dent',
    severity: 'minor',
    severity_score: 1,
    location: { part: 'hood' },
  });
  const results = { damages: [makeDamage('d1', 1), makeDamage('d2', 2)], to_check: [makeDamage('chk_1', 3)] };
  const assessed_damages = [{ ...makeDamage('d9', 0), location: 'roof' }];
  const result = {
    inspection: { data: { results } },
    assessment: { data: { assessed_damages } },
  } as unknown as Result;
  const numbers = [...listDamageRows(result), ...listToCheckRows(result)].map(({ number }) => number);
  expect(numbers).toEqual([1, 2, 4, 3]);
});
