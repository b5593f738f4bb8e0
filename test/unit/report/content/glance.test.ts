import { describe, expect, it } from 'vitest';
import type { PartName } from '../../../../src/domain/parts.ts';
import { writeGlanceNotes } from '../../../../src/report/content/glance.ts';
import { listDamageRows } from '../../../../src/report/input.ts';
import { listPartMarks, type PartMark } from '../../../../src/report/plan/plan.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const makeInput = () => ({ inspection: exampleInspection({ damages: 2, photos: 2 }), assessment: null });
const undrawn = new Map<PartName, PartMark>([['brake_system', { severity: 'minor', numbers: [2, 5] }]]);

describe('what score, cost and drawing leave out', () => {
  it.each([
    [0, []],
    [1, [expect.stringMatching(/^A number with a question mark/)]],
  ])('explains the question mark where %i place is to check', (places, notes) => {
    const inspection = exampleInspection({ toCheck: 2 });
    if (!inspection.data.results) throw new Error('the example has results');
    inspection.data.results.to_check.splice(places);
    expect(writeGlanceNotes({ inspection, assessment: null }, new Map(), new Set())).toEqual(notes);
  });

  it('names damaged parts that are not drawn, with the numbers of their damages', () => {
    expect(writeGlanceNotes(makeInput(), undrawn, new Set())).toEqual([
      'Damaged, but not on the plan: Brake system (no. 2, 5).',
    ]);
  });

  it.each([
    ['part', true],
    ['end', false],
    ['side', false],
  ] as const)('a find whose %s is open is on the plan: %s; else a note names it', (uncertain, drawn) => {
    const input = makeInput();
    const [first] = input.inspection.data.results?.damages ?? [];
    if (!first) throw new Error('the example has damages');
    first.location.uncertain = uncertain;
    const rows = listDamageRows(input);
    expect(listPartMarks(rows).get(first.location.part)?.numbers.includes(first.number) ?? false).toBe(drawn);
    expect(writeGlanceNotes(input, listPartMarks(rows), new Set())).toEqual(
      drawn
        ? []
        : [`Not on the plan: no. ${first.number}; the close-up leaves open where on the vehicle it is.`],
    );
  });

  it('has nothing to say of an assessment alone', () => {
    expect(writeGlanceNotes({ inspection: null, assessment: null }, new Map(), new Set())).toEqual([]);
  });
});
