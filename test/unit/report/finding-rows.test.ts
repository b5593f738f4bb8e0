import { expect, test } from 'vitest';
import type { Result } from '../../../src/contract/result.ts';
import { listDamageRows, listMarks, listToCheckRows } from '../../../src/report/finding-rows.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

test('a box of a place to check is named as its photo shows it, a box of a damage as the damage', () => {
  const { data } = exampleInspection({ damages: 1, photos: 1 });
  const [damage] = data.results?.damages ?? [];
  const [shown] = damage?.evidence ?? [];
  const rust = { ...damage, type: 'rust', subtype: 'rocker_damage', evidence: [{ ...shown, type: 'dent' }] };
  const listed = (results: object) => listMarks({ index: 0 }, { ...data, results } as never);
  const [number, toCheck] = [1, true];
  expect(listed({ damages: [rust], to_check: [] })).toMatchObject([{ number, words: 'rocker rust' }]);
  expect(listed({ damages: [], to_check: [rust] })).toMatchObject([{ number, words: 'dent', toCheck }]);
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
