import { describe, expect, it } from 'vitest';
import { renderComparisonTable } from '../../../src/cli/tables/comparison-table.ts';
import type { Angle } from '../../../src/domain/damage.ts';
import { compareInspections } from '../../../src/engine/compare/comparison.ts';
import { listCautions } from '../../../src/report/compare/comparison-words.ts';
import { listDamages } from '../../../src/report/input.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const before = exampleInspection({ damages: 12, photos: 6 });

/** The same vehicle without a finding, one thing of it not assessed. */
function nothingFound(what: string) {
  const { results } = before.data;
  if (!results) throw new Error('the example has results');
  const not_assessed = [{ what, code: 'view_missing', reason: 'no photo' }];
  // Photos of the same files would show no change of the vehicle.
  const images = before.data.images.map((photo) => ({ ...photo, sha256: `f${photo.sha256.slice(1)}` }));
  return { ...before, data: { ...before.data, images, results: { ...results, damages: [], not_assessed } } };
}

type Inspection = typeof before;

it.each([
  ['the same limits', 'a', 'a', []],
  ['other limits', 'a', 'b', ['other_models']],
  ['a result from before limits were recorded', 'a', undefined, []],
] as const)('%s', (_, one, other, wanted) => {
  const ruled = (rules: string | undefined, of = before) => ({
    ...of,
    data: {
      ...of.data,
      models: of.data.models.map((model) => ({ ...model, ...(rules ? { rules_sha256: rules } : {}) })),
    },
  });
  const { differences } = compareInspections(ruled(one), ruled(other, nothingFound('engine')));
  expect(differences).toEqual(wanted);
});

describe.each([
  {
    name: 'not found again',
    gone: 'repaired',
    side: 'before',
    compare: (found: Inspection, other: Inspection) => compareInspections(found, other),
  },
  {
    name: 'not found before',
    gone: 'new',
    side: 'after',
    compare: (found: Inspection, other: Inspection) => compareInspections(other, found),
  },
] as const)('a damage that is $name', ({ gone, side, compare }) => {
  it.each(['left', 'right', 'front', 'rear'])(
    `is not called ${gone} where the other inspection has no photo of the %s`,
    (where) => {
      const { pairs } = compare(before, nothingFound(where));
      const ofSide = pairs.filter((pair) => pair[side]?.damage.location.side === where);
      expect(ofSide.length).toBeGreaterThan(0);
      for (const { change } of ofSide) expect(change).toBe('not_comparable');
      expect(pairs.filter((pair) => pair.change === 'not_comparable')).toHaveLength(ofSide.length);
      expect(pairs.some((pair) => pair.change === gone)).toBe(true);
    },
  );

  it.each([
    ['rear_left', gone],
    ['rear', gone],
    ['rear_right', 'not_comparable'],
    [null, 'not_comparable'],
  ] as const)("on a bumper's left corner, which the other photographed from %s only: %s", (angle, change) => {
    const corner = seenFrom(before, 'rear_left');
    const [one] = listDamages(corner.data).filter(({ location }) => location.part === 'rear_bumper');
    if (!one) throw new Error('the example has a damaged rear bumper');
    const { pairs } = compare(corner, seenFrom(nothingFound('engine'), angle));
    expect(pairs.find((pair) => pair[side]?.id === one.damage_id)?.change).toBe(change);
  });
});

function seenFrom(inspection: Inspection, angle: Angle | null) {
  const { data } = inspection;
  return { ...inspection, data: { ...data, images: data.images.map((photo) => ({ ...photo, angle })) } };
}

describe('what is said before the changes', () => {
  const other = nothingFound('engine');

  it('places to check are not compared, and no damage means no certain one', () => {
    const to_check = (before.data.results?.damages ?? []).slice(0, 2);
    const checked = { ...other, data: { ...other.data, results: { ...other.data.results, to_check } } };
    const none = compareInspections(other, checked);
    const text = renderComparisonTable(none, 0, 200);
    expect(text).toContain('no certain damage before or after');
    expect(text).toContain('Places to check are not compared: 0 before, 2 after.');
  });

  it('damage that a person added to one of them may have been missed in the other', () => {
    const review = {
      reviewed_at: '2026-01-31T12:00:00Z',
      decisions: [],
      photos_checked: [],
      not_reviewed: [],
    };
    const reviewed = { ...other, review };
    const said = (...[first, second]: Parameters<typeof compareInspections>) =>
      listCautions(compareInspections(first, second)).find((one) => one.includes('reviewed by a person'));
    expect(said(before, reviewed)).toContain('Only the later inspection');
    expect(said(reviewed, before)).toContain('Only the earlier inspection');
    expect(said(reviewed, reviewed)).toBeUndefined();
    expect(said(before, other)).toBeUndefined();
  });
});
