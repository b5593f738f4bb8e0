import { describe, expect, it } from 'vitest';
import { intersection } from '../../../../src/domain/geometry.ts';
import { PART_NAMES, type PartName } from '../../../../src/domain/parts.ts';
import { layLabels, type PlanLabel } from '../../../../src/report/plan/labels.ts';
import { type PartMark, PLAN_VIEWS, type PlanView } from '../../../../src/report/plan/plan.ts';

const size = { height: 16, measureWidth: (text: string) => text.length * 6.4 + 8 };

function marked(parts: readonly PartName[], numbers: readonly number[]): ReadonlyMap<PartName, PartMark> {
  return new Map(parts.map((part) => [part, { severity: 'minor', numbers }]));
}

describe('the numbers on the plan', () => {
  it.each<readonly [string, readonly PartName[], readonly number[]]>([
    ['neighbours at the rear', ['trunk_lid', 'rear_bumper'], [8, 12]],
    ['one part', ['hood'], [3]],
    ['every part, one number each', PART_NAMES, [7]],
  ])('%s: none over another, none outside the view', (_, parts, numbers) => {
    const drawn = PLAN_VIEWS.map((view) => ({
      view,
      labels: layLabels(view, marked(parts, numbers), size),
    }));
    const named = PLAN_VIEWS.flatMap(({ shapes }) => shapes).filter(
      ({ part, at }) => at && part && parts.includes(part),
    );
    expect(named).not.toEqual([]);
    expect(drawn.flatMap(({ labels }) => labels)).toHaveLength(named.length);
    for (const { view, labels } of drawn) {
      for (const [k, label] of labels.entries()) {
        expect(labels.slice(k + 1).filter((other) => intersection(label, other) > 0)).toEqual([]);
        expect(label.x).toBeGreaterThanOrEqual(0);
        expect(label.x + label.width).toBeLessThanOrEqual(view.size.width);
      }
    }
  });

  it('stays on its part where nothing is in the way', () => {
    const [left] = PLAN_VIEWS as [PlanView];
    const door = left.shapes.find((shape) => shape.part === 'front_door_left');
    const [label] = layLabels(left, marked(['front_door_left'], [1]), size) as [PlanLabel];
    expect([label.x + label.width / 2, label.y + label.height / 2]).toEqual(door?.at);
  });
});
