import { describe, expect, it } from 'vitest';
import type { Angle } from '../../../src/domain/damage.ts';
import { compareInspections } from '../../../src/report/compare/comparison.ts';
import { damagesOf } from '../../../src/report/input.ts';
import { exampleInspection } from '../../helpers/example-inspection.ts';

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

  it.each([
    ['rear_left', 'repaired'],
    ['rear', 'repaired'],
    ['rear_right', 'not_comparable'],
    [null, 'not_comparable'],
  ] as const)("a bumper's left corner, photographed later from %s only: %s", (angle, change) => {
    const corner = seenFrom(before, 'rear_left');
    const [one] = damagesOf(corner.data).filter(({ location }) => location.part === 'rear_bumper');
    if (!one) throw new Error('the example has a damaged rear bumper');
    const { pairs } = compareInspections(corner, seenFrom(nothingFound('engine'), angle));
    expect(pairs.find((pair) => pair.before?.id === one.damage_id)?.change).toBe(change);
  });
});

describe('a damage that was not found before', () => {
  it.each(['left', 'right', 'front', 'rear'])(
    'is not called new where nobody had photographed the %s',
    (side) => {
      const { pairs } = compareInspections(nothingFound(side), before);
      const ofSide = pairs.filter((pair) => pair.after?.damage.location.side === side);
      expect(ofSide.length).toBeGreaterThan(0);
      for (const { change } of ofSide) expect(change).toBe('not_comparable');
      expect(pairs.filter((pair) => pair.change === 'not_comparable')).toHaveLength(ofSide.length);
      expect(pairs.some((pair) => pair.change === 'new')).toBe(true);
    },
  );

  it.each([
    ['rear', 'new'],
    ['rear_right', 'not_comparable'],
  ] as const)("a bumper's left corner, photographed before from %s only: %s", (angle, change) => {
    const corner = seenFrom(before, 'rear_left');
    const [one] = damagesOf(corner.data).filter(({ location }) => location.part === 'rear_bumper');
    if (!one) throw new Error('the example has a damaged rear bumper');
    const { pairs } = compareInspections(seenFrom(nothingFound('engine'), angle), corner);
    expect(pairs.find((pair) => pair.after?.id === one.damage_id)?.change).toBe(change);
  });
});

function seenFrom(inspection: typeof before, angle: Angle | null) {
  const { data } = inspection;
  return { ...inspection, data: { ...data, images: data.images.map((photo) => ({ ...photo, angle })) } };
}
