import { describe, expect, it, test } from 'vitest';
import { area, intersection } from '../../../src/domain/geometry.ts';
import { PART_NAMES, type PartName } from '../../../src/domain/parts.ts';
import { describeAlsoInView } from '../../../src/report/content/photos.ts';
import { type PlanLabel, placeLabels } from '../../../src/report/plan/labels.ts';
import { drawViews, listUnseenParts, type PartMark, type PlanView } from '../../../src/report/plan/plan.ts';
import { describePlan, writeNumbersLabel } from '../../../src/report/plan/plan-words.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const HOOD: PartMark = { severity: 'severe', numbers: [1, 4], toCheck: [7] };
const ROOF: PartMark = { severity: null, numbers: [], toCheck: [9] };

test.each<[string, Partial<Record<PartName, PartMark>>, PartName[], string]>([
  ['nothing', {}, [], 'Plan of the vehicle.'],
  [
    'damage and a place to check on one part, another to check alone',
    { hood: HOOD, roof: ROOF },
    [],
    'Plan of the vehicle. Damaged: Hood: severe (no. 1, 4). To check: Hood (no. 7); Roof (no. 9).',
  ],
  ['parts not seen', {}, ['roof', 'hood'], 'Plan of the vehicle. Not seen well enough: Roof; Hood.'],
])('the plan in words: %s', (_, marks, unseen, words) => {
  const entries = Object.entries(marks) as [PartName, PartMark][];
  expect(describePlan({ marks: new Map(entries), unseen: new Set(unseen) })).toBe(words);
});

test('an inspection without results leaves every part of the drawing unseen, an assessment alone none', () => {
  const inspection = exampleInspection({});
  inspection.data.results = null;
  const drawn = drawViews().flatMap(({ shapes }) => shapes.flatMap(({ part }) => part ?? []));
  expect([...listUnseenParts(inspection.data.results)].sort()).toEqual([...new Set(drawn)].sort());
  expect(listUnseenParts(undefined).size).toBe(0);
});

test.each([
  [{ severity: 'minor', numbers: [3], toCheck: [] }, '3'],
  [{ severity: 'minor', numbers: [3], toCheck: [7] }, '3, 7?'],
  [{ severity: 'minor', numbers: [3, 4, 5], toCheck: [7] }, '3, 4 +2'],
] as const)('numbers of %j fit on a part', (mark, label) => {
  expect(writeNumbersLabel(mark)).toBe(label);
});

test('finds described at another photo are named with it, those described here are not', () => {
  const [damage = expect.fail()] = exampleInspection({ damages: 1, photos: 3 }).data.results?.damages ?? [];
  const [evidence] = damage.evidence;
  const at = (image_index: number, number: number, toCheck = false) => ({
    damage: { ...damage, number, evidence: evidence ? [{ ...evidence, image_index }] : [] },
    toCheck,
    box: { x: 0, y: 0, width: 1, height: 1, image_width: 9, image_height: 9 },
    confidence: 0.9,
  });
  const sighted = [at(0, 1), at(2, 2), at(1, 3, true)];
  expect(describeAlsoInView(sighted, { index: 0 })).toBe('Also in view: no. 2 (photo 3), no. 3? (photo 2).');
  expect(describeAlsoInView([at(0, 1)], { index: 0 })).toBeNull();
});

const size = { height: 16, measureWidth: (text: string) => text.length * 6.4 + 8 };

const marked = (parts: readonly PartName[]): ReadonlyMap<PartName, PartMark> =>
  new Map(parts.map((part) => [part, { severity: 'minor', numbers: [12], toCheck: [] }]));

describe('the numbers on the plan', () => {
  it.each<[readonly PartName[]]>([[['hood']], [PART_NAMES]])(
    'of %j: none over another, none outside the view',
    (parts) => {
      const drawn = drawViews().map((view) => ({ view, labels: placeLabels(view, marked(parts), size) }));
      const shapes = drawViews().flatMap((view) => view.shapes);
      const named = shapes.filter(({ part, at }) => at && part && parts.includes(part));
      expect(drawn.flatMap(({ labels }) => labels)).toHaveLength(named.length);
      for (const { view, labels } of drawn)
        for (const [k, label] of labels.entries()) {
          expect(labels.slice(k + 1).filter((other) => intersection(label, other) > 0)).toEqual([]);
          expect(intersection(label, { x: 0, y: 0, ...view.size })).toBeCloseTo(area(label));
        }
    },
  );

  it('stands inside the view, of which every path is closed', () => {
    for (const { shapes, size } of drawViews())
      for (const { at, path } of shapes) {
        expect(path).toMatch(/^M[\d\s,.A-Z]+Z$/);
        if (at) expect(at[0] < size.width && at[1] < size.height && Math.min(...at) > 0).toBe(true);
      }
  });

  it('stays on its part where nothing is in the way', () => {
    const [left] = drawViews() as unknown as [PlanView];
    const door = left.shapes.find((shape) => shape.part === 'front_door_left');
    const [label] = placeLabels(left, marked(['front_door_left']), size) as [PlanLabel];
    expect([label.x + label.width / 2, label.y + label.height / 2]).toEqual(door?.at);
  });
});
