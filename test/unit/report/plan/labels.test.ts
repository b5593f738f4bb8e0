import { describe, expect, it } from 'vitest';
import { area, intersection } from '../../../../src/domain/geometry.ts';
import { PART_NAMES, type PartName } from '../../../../src/domain/parts.ts';
import { type PlanLabel, placeLabels } from '../../../../src/report/plan/labels.ts';
import { drawViews, type PartMark, type PlanView } from '../../../../src/report/plan/plan.ts';

const size = { height: 16, measureWidth: (text: string) => text.length * 6.4 + 8 };

const marked = (parts: readonly PartName[]): ReadonlyMap<PartName, PartMark> =>
  new Map(parts.map((part) => [part, { severity: 'minor', numbers: [12] }]));

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
