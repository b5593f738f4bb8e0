import { expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const DENT = { damage_id: 'd1', type: 'dent', location: 'front_door_left', severity: 'severe' };
const BUMPER = { damage_id: 'd2', type: 'crack', location: 'front_bumper', severity: 'severe' };

function linesOf(request: object) {
  return assessed({ damages: [DENT], ...request }).data.estimate.lines ?? [];
}

it('a line that a person adds follows those of the estimate, expected ones keep a hundred of their own', () => {
  const before = linesOf({});
  const alignment = { part: 'wheel_alignment', price: 120 };
  const after = linesOf({ line_edits: [{ add: { ...alignment, operation: 'Subl' } }] });
  const row = (operation: string) => {
    const line_edits = [{ add: { ...alignment, operation, hours: 1 } }];
    const { repair_lines: rows } = assessed({ damages: [DENT], line_edits }).data.estimate;
    return rows.find(({ part }) => part === 'wheel_alignment');
  };
  expect([row('Subl')?.action, row('R&I')?.action]).toEqual(['sublet', 'remove and install']);
  const estimate = before.filter((line) => line.group !== 'expected');
  const expected = before.filter((line) => line.group === 'expected');
  expect(estimate.map((line) => line.number)).toEqual(estimate.map((_, i) => i + 1));
  expect(expected.map((line) => line.number)).toEqual(expected.map((_, i) => 101 + i));
  expect(after.find((line) => line.group === 'added')?.number).toBe(estimate.length + 1);
  for (const { line_id, number } of before)
    expect(after.find((line) => line.line_id === line_id)?.number).toBe(number);
});

const TOUCHED = { damage_id: 'd', type: 'scratch', location: 'hood', severity: 'minor' };

it.each([
  [[DENT], /^Lines are 1 to \d+, expected ones 101 to 1\d\d, or /],
  [[{ ...TOUCHED, type: 'dent' }], /^The line is 1, expected one 101, or /],
])('a number that no line has is answered with those there are: %j', (damages, hint) => {
  expect(() => linesOf({ damages, line_edits: [{ line: 99, action: 'remove' }] })).toThrowError(
    expect.objectContaining({ hint: expect.stringMatching(hint) }),
  );
});

it.each([
  ['paint_materials/add', [DENT]],
  ['hood/touch_up_paint/add', [TOUCHED]],
  ['small_parts/fee', [BUMPER]],
  ['scan_after_repair/subl', [BUMPER]],
])('%s takes a price, not hours', (line, damages) => {
  const edit = (change: object) =>
    linesOf({
      damages,
      assessment_options: { labor_rate_region: 'EU_GERMANY' },
      line_edits: [{ line, ...change }],
    });
  expect(() => edit({ hours: 2 })).toThrowError(expect.objectContaining({ hint: 'Set its price.' }));
  expect(edit({ price: 99 }).find(({ line_id }) => line_id === line)?.amount).toBe(99);
});

it('an acceptance of a line of the estimate is to be left out', () => {
  const accept = { line_edits: [{ line: 'front_door_left/refn', action: 'accept' }] };
  expect(() => linesOf(accept)).toThrowError(expect.objectContaining({ hint: 'Leave this edit out.' }));
});

it('clear coat is the same line, whichever panel carries most of it', () => {
  const clear = (damages: object[]) => linesOf({ damages }).filter((line) => line.operation === 'Clear');
  const [one, two] = [clear([DENT]), clear([DENT, BUMPER])];
  expect(one.map((line) => [line.line_id, line.part])).toEqual([['painted_panels/clear', 'front_door_left']]);
  expect(two.map((line) => [line.line_id, line.part])).toEqual([['painted_panels/clear', 'front_bumper']]);
});

const noHours = (line: string) => ({ line: `hood/${line}`, hours: 0 });
it.each([
  ['price', TOUCHED, [noHours('tch'), { line: 'hood/touch_up_paint/add', price: 0 }]],
  ['hours', { ...TOUCHED, type: 'dent', severity: 'severe' }, [noHours('rpr'), noHours('refn')]],
])('a part whose lines are all 0 takes no price until one of them has its %s', (value, damage, edits) => {
  const line_edits = [...edits, { part: 'hood', price: 300 }];
  expect(() => linesOf({ damages: [damage], line_edits })).toThrowError(
    expect.objectContaining({ hint: `Set the ${value} of one of its lines.` }),
  );
});
