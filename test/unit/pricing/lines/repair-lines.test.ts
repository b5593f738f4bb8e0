import { expect, test } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const damage = (id: string, type: string, location: string, length: number, score: number) => ({
  damage_id: id,
  type,
  location,
  severity_score: score,
  measurements: { length, unit: 'cm' },
});

test('a part stands once, with what is there and what is done, at the price of its chosen repair', () => {
  const { data } = assessed({
    damages: [
      damage('a', 'scratch', 'front_door_left', 60, 4),
      damage('b', 'dent', 'front_door_left', 20.4, 6),
      damage('c', 'scratch', 'front_door_left', 31, 3),
      damage('d', 'glass_damage', 'headlight_left', 12, 6),
    ],
  });
  const rows = data.estimate.repair_lines ?? [];
  const shown = rows.map((row) => [row.kind, row.part, row.damage_ids.join(' '), row.words, row.action]);
  expect(shown).toEqual([
    ['part', 'front_door_left', 'a b c', 'scratches 60, 31 cm, dent 20 cm', 'repair, paint'],
    ['part', 'headlight_left', 'd', 'broken lamp 12 cm', 'replace'],
    ['access', null, '', 'handle, mirror and moldings + 2 more', 'access'],
    ['small_parts', null, '', 'sand and polish + 5 more', 'small_parts'],
  ]);
  const prices = data.assessed_damages.map((one) => one.recommended_repair.estimated_cost);
  expect(new Set(prices.slice(0, 3)).size).toBe(1);
  const { recommended_repairs_total: single } = data.summary.repair_cost_summary;
  expect(single.estimated).toBeCloseTo(3 * (prices[0] ?? 0) + (prices[3] ?? 0), 2);
  expect(rows.slice(0, 2).map((row) => row.cost)).toEqual([prices[0], prices[3]]);
});

const FENDER = damage('a', 'dent', 'front_fender_left', 20, 6);
test.each([
  [[damage('a', 'frame_damage', 'hood', 20, 6)], 'bent frame 20 cm', 'straighten, replace, paint'],
  [[{ ...damage('a', 'hail', 'roof', 2, 3), count: 25 }], '25 dents 2 cm', 'push out'],
  [
    [FENDER, { ...FENDER, damage_id: 'b', type: 'wheel_damage' }],
    'dent 20 cm, wheel bent or torn 20 cm',
    'repair, replace, paint',
  ],
])('a row says what is done, also to a component, and how many dents are: %#', (damages, words, action) => {
  const [row] = assessed({ damages }).data.estimate.repair_lines;
  expect(row).toMatchObject({ words, action });
});

test('what several parts share is taken off in one row, and each part keeps the price of its repair', () => {
  const { data } = assessed({
    damages: [damage('a', 'dent', 'front_door_left', 20, 6), damage('b', 'dent', 'rear_door_left', 20, 6)],
  });
  const rows = data.estimate.repair_lines;
  const prices = data.assessed_damages.map((one) => one.recommended_repair.estimated_cost);
  expect(rows.filter(({ kind }) => kind === 'part').map(({ cost }) => cost)).toEqual(prices);
  const shared = rows.find(({ kind }) => kind === 'shared');
  const sum = (prices[0] ?? 0) + (prices[1] ?? 0);
  expect(shared?.cost).toBeLessThan(0);
  expect(shared?.cost).toBeCloseTo(data.summary.repair_cost_summary.adjusted_total.estimated - sum, 2);
});

test('an agreed price of one part leaves the others the paint materials of their clear coat', () => {
  const painted = ['hood', 'front_door_left', 'rear_door_left'];
  const priced = (line_edits: readonly object[]) => {
    const damages = painted.map((part) => damage(part, 'dent', part, 20, 6));
    const assessment = assessed({ damages, line_edits });
    const { lines } = assessment.data.estimate;
    const counted = lines.filter(({ counted_in }) => counted_in === 'total');
    const materials = lines.find(({ group }) => group === 'materials');
    const { departments } = assessment.data.summary.repair_cost_summary;
    return { counted, departments, materialHours: Number.parseFloat(materials?.note ?? '') };
  };
  const [before, after] = [priced([]), priced([{ part: 'hood', price: 1000 }])];
  const sum = (...match: readonly string[]) =>
    before.counted
      .filter(({ operation, part }) => match.every((one) => one === operation || one === part))
      .reduce((hours, line) => hours + line.hours, 0);
  const hood = sum('Refn', 'hood');
  const clearOfHood = (sum('Clear') * hood) / sum('Refn');
  expect(clearOfHood).toBeGreaterThan(0.5);
  // A rate stands where hours x rate is the total, which an agreed price is not.
  const listHourly = ({ departments }: typeof before) =>
    departments.flatMap(({ department, rate_per_hour: rate }) => (rate === null ? [] : [department]));
  expect([before, after].map(listHourly)).toEqual([['body', 'refinish', 'materials'], ['materials']]);
  expect(Math.abs(before.materialHours - hood - clearOfHood - after.materialHours)).toBeLessThan(0.1);
});

const HOOD = damage('a', 'dent', 'hood', 20, 6);
const SPOT = { ...damage('b', 'scratch', 'rear_bumper', 5, 3) };

/** Computes the rows of an estimate, which add up to its first bill to the cent. */
function rowsOf(damages: readonly object[], line_edits: readonly object[]) {
  const { data } = assessed({ damages, line_edits });
  const { repair_lines: rows, lines } = data.estimate;
  const { adjusted_total, first_bill: bill = adjusted_total } = data.summary.repair_cost_summary;
  const cents = rows.reduce((sum, { cost }) => sum + Math.round(cost * 100), 0);
  expect(cents).toBe(Math.round(bill.estimated * 100));
  return { rows, lines };
}

test.each([
  ['one panel', [HOOD]],
  ['a spot repair with another panel', [HOOD, SPOT]],
  ['two panels that share paint', [HOOD, damage('b', 'dent', 'front_door_left', 20, 6)]],
])('%s: a value set to what it is changes no row, and more hours cost more', (_, damages) => {
  const { rows, lines } = rowsOf(damages, []);
  const panelLines = lines.filter(({ group, rate_per_hour }) => group === 'part' && rate_per_hour !== null);
  expect(panelLines.length).toBeGreaterThan(1);
  for (const { number: line, hours, because_of: because, rate_per_hour: rate } of panelLines) {
    expect(rowsOf(damages, [{ line, hours }]).rows).toEqual(rows);
    const raised = rowsOf(damages, [{ line, hours: hours + 2 }]).rows;
    const find = (list: typeof rows) => list.find(({ part }) => part === because);
    expect(find(raised)?.cost).toBeGreaterThanOrEqual((find(rows)?.cost ?? 0) + 2 * (rate ?? 0) - 0.05);
    expect(find(raised)?.hours).toBeCloseTo((find(rows)?.hours ?? 0) + 2, 5);
    const kinds = (list: typeof rows) => list.map(({ kind }) => kind);
    expect(kinds(raised)).toEqual(kinds(rows));
  }
});

test.each([
  ['removed', { action: 'remove' }],
  ['without hours', { hours: 0 }],
])('paint %s takes its clear coat, blends and overlap with it', (_, edit) => {
  const other = damage('b', 'dent', 'front_fender_left', 20, 6);
  const alone = rowsOf([other], []);
  const { rows, lines } = rowsOf([HOOD, other], [{ line: 'hood/refn', ...edit }]);
  const { amount: cost, hours } = lines.find(({ line_id: id }) => id === 'hood/rpr') ?? expect.fail();
  expect(rows[0]).toMatchObject({ part: 'hood', action: 'repair', cost, hours });
  expect(rows.slice(1)).toEqual(alone.rows);
  const listPaint = (all: typeof lines) =>
    all
      .filter((line) => line.department === 'refinish' && line.because_of !== 'hood')
      .map(({ line_id, hours }) => [line_id, hours]);
  expect(listPaint(lines)).toEqual(listPaint(alone.lines));
  // An edit may name a line that the job no longer needs, and an agreed price covers the rest of the clear coat.
  const blend = { line: 'front_fender_right/blnd', action: 'remove' };
  const agreed = { part: 'front_fender_left', price: 500 };
  const edited = rowsOf([HOOD, other], [{ line: 'hood/refn', ...edit }, blend, agreed]).rows;
  expect(edited.filter(({ kind }) => kind === 'part').map(({ cost }) => cost)).toEqual([cost, 500]);
});

test('parts whose lines are all set to nothing cost nothing, not even the set-up that they share', () => {
  const damages = ['hood', 'rear_door_left'].map((part) => damage(part, 'frame_damage', part, 20, 6));
  const own = rowsOf(damages, []).lines.filter(({ group }) => group === 'part' || group === 'refinish');
  const edits = own.map(({ number: line, hours, price }) => ({
    line,
    ...(hours > 0 && { hours: 0 }),
    ...(price !== null && { price: 0 }),
  }));
  const rows = rowsOf(damages, edits).rows.filter(({ kind }) => kind === 'part' || kind === 'shared');
  expect(rows.map(({ part, cost, hours }) => [part, cost, hours])).toEqual(
    damages.map(({ location }) => [location, 0, 0]),
  );
});

test.each([1, 0.05])('paint materials of %d are a row where every other line is removed', (price) => {
  const { lines } = rowsOf([HOOD], []);
  const edits = lines.map(({ number: line, group }) =>
    group === 'materials' ? { line, price } : { line, action: 'remove' },
  );
  expect(rowsOf([HOOD], edits).rows.map(({ kind, cost }) => [kind, cost])).toEqual([['shared', price]]);
});
