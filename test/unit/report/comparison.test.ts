import { describe, expect, it } from 'vitest';
import { compareInspections } from '../../../src/report/compare/comparison.ts';
import { exampleInspection } from '../../helpers/report-examples.ts';

const before = exampleInspection({ damages: 12, photos: 6 });

/** The same vehicle without a finding, one thing of it not assessed. */
function nothingFound(what: string) {
  const { results } = before.data;
  if (!results) throw new Error('the example has results');
  const not_assessed = [{ what, code: 'view_missing', reason: 'no photo' }];
  return { ...before, data: { ...before.data, results: { ...results, damages: [], not_assessed } } };
}

describe('a damage that is not found again', () => {
  it.each(['left', 'right', 'front', 'rear'])(
    'is not called repaired where nobody photographed the %s',
    (side) => {
      const { pairs } = compareInspections(before, nothingFound(side));
      const ofSide = pairs.filter((pair) => pair.before?.damage.location.side === side);
      for (const { change } of ofSide) expect(change).toBe('not_comparable');
      expect(pairs.filter((pair) => pair.change === 'not_comparable')).toHaveLength(ofSide.length);
      expect(pairs.some((pair) => pair.change === 'repaired')).toBe(true);
    },
  );
});
