import { expect, it } from 'vitest';
import { assessed, TABLES, workOf } from '../../helpers/pricing/assessments.ts';

const one = (location: string, type: string, more: object = {}) => ({
  damage_id: location,
  type,
  location,
  ...more,
});
/** Recommended option, its operations, its hours and its total; the vehicle's total and value loss. */
function result(damages: readonly object[], more: Record<string, unknown> = {}) {
  const { data } = assessed({ damages, ...more });
  const { summary, assessed_damages } = data;
  const option = assessed_damages[0]?.repair_options.find((each) => each.recommended);
  return {
    option: option?.option,
    lines: workOf({ data }),
    operations: workOf({ data }).map((line) => line.operation),
    hours: option?.labor.hours ?? 0,
    total: option?.total_cost.total ?? 0,
    damage: assessed_damages[0],
    vehicle: summary.repair_cost_summary.adjusted_total.estimated,
    summary,
  };
}

// diminishedvalueoforegon.com/beware-insurance-appraiser: 0.00 without structural damage or replaced panels.
it('R2: a repaired door loses no value, a replaced one a quarter of 10 %, bent structure up to 10 %', () => {
  const percent = (damage: object, more = {}) =>
    result([damage], more).summary.total_value_reduction_percentage;
  expect(percent(one('front_door_left', 'dent', { severity: 'severe' }))).toBe(0);
  expect(percent(one('front_door_left', 'panel_damage', { severity: 'critical' }))).toBe(2.5);
  expect(percent(one('quarter_panel_left', 'frame_damage', { severity: 'critical' }))).toBe(10);
  // 60,000 km: 37,282 miles, modifier 0.8; 200,000 km: 124,274 miles, modifier 0.
  const driven = (mileage_km: number) =>
    percent(one('quarter_panel_left', 'frame_damage', { severity: 'severe' }), { vehicle: { mileage_km } });
  expect([60_000, 200_000].map(driven)).toEqual([6, 0]);
  // schuster-gutachter-muenchen.de/merkantile-wertminderung: no formula is binding in Germany.
  const german = { assessment_options: { labor_rate_region: 'EU_GERMANY' } };
  expect(percent(one('quarter_panel_left', 'frame_damage', { severity: 'critical' }), german)).toBe(0);
});

// Nine Pennsylvania repairs of 2025/26: 3.0 h of bench time at most, and none for a bolted part.
it.each(['front_bumper', 'front_door_right'])(
  'R3: a critical dent on the %s, which is bolted on, brings no bench work',
  (location) => {
    const dent = result([one(location, 'dent', { severity_score: 9.5 })]);
    expect(dent.operations).not.toContain('Pull');
    expect(result([one(location, 'frame_damage', { severity: 'severe' })]).operations).toContain('Pull');
  },
);

// What a repair usually brings is no reason for a more expensive one: an expected part is hidden behind either.
it.each([
  ['front_bumper', 110],
  ['rear_bumper', 33],
])('R4: a %s bent over %d cm is replaced where that costs less than its repair', (location, length) => {
  const bent = one(location, 'panel_damage', { severity: 'severe', measurements: { length, unit: 'cm' } });
  const { option, damage, total } = result([bent]);
  expect(option).toBe('bumper_replacement');
  const repair = damage?.repair_options.find((each) => each.option === 'panel_repair');
  expect(repair?.total_cost.total).toBeGreaterThan(total);
});

const HOOD = one('hood', 'dent', { severity: 'moderate' });
const DOOR = one('front_door_left', 'dent', { severity: 'severe' });
const FRAME = one('quarter_panel_left', 'frame_damage', { severity: 'severe' });
const BUMPER = one('front_bumper', 'crack', { severity: 'severe' });
const LAMP = one('headlight_left', 'headlight_damage', { severity: 'severe' });
const labor = { add: { operation: 'Rpr', part: 'hood', hours: 60 } };
const hinge = { add: { operation: 'R&R', part: 'hood_hinge', price: 90 } };
const onDoor = (edit: object) =>
  ['rpr', 'refn'].map((line) => ({ line: `front_door_left/${line}`, ...edit }));
const [gone, free] = [onDoor({ action: 'remove' }), onDoor({ hours: 0 })];
it.each<[string, object[], line_edits: object[], days: number]>([
  ['one repair', [HOOD], [], 1],
  ['with more labor', [HOOD], [labor], 16],
  ['with a part to wait for', [HOOD], [hinge], 3],
  ['with paint to wait for', [HOOD], [{ add: { operation: 'Refn', part: 'cowl', hours: 1 } }], 2],
  ['repairs in parallel', [HOOD, DOOR], [], 4],
  ['with more labor', [HOOD, DOOR], [labor], 19],
  ['with less labor', [HOOD, DOOR], gone.slice(0, 1), 3],
  ['with a part to wait for', [HOOD, DOOR], [hinge], 6],
  ['a part next to one that is awaited', [HOOD, LAMP], [hinge], 3],
  ['one of two repairs removed', [HOOD, DOOR], gone, 1],
  ['one of two repairs without hours', [HOOD, DOOR], free, 1],
  ['the only repair removed', [DOOR], gone, 1],
  ['structural work alone', [FRAME], [], 10],
  ['with more labor', [FRAME], [labor], 25],
  ['structural work, one wait for parts and paint, then the rest', [FRAME, BUMPER], [], 12],
  ['with more labor', [FRAME, BUMPER], [labor], 27],
  ['structural work and another repair without the third', [FRAME, HOOD, DOOR], gone, 11],
])('days of the work and of what a person changes: %s', (_, damages, line_edits, days) => {
  expect(result(damages, { line_edits }).summary.repair_timeline?.estimated_total_days).toBe(days);
});

it('a fixed price restated as hours x rate differs by rounding, which the adjustment names', () => {
  const { summary } = result([HOOD], { assessment_options: { labor_rate_region: 'EU_GERMANY' } });
  expect(summary.repair_cost_summary.adjustments).toMatchObject([{ code: 'rounding', estimated: -0.01 }]);
});

it.each([
  ['parts', LAMP, 'headlight_left/rr'],
  ['refinish', { ...HOOD, type: 'scratch', severity: 'severe' }, 'hood/refn'],
])('days include no wait for %s without a line that needs it', (wait, damage, line) => {
  const formula = (line_edits: object[]) => result([damage], { line_edits }).summary.repair_timeline?.formula;
  expect(formula([])).toMatch(new RegExp(`[12] ${wait}`));
  expect(formula([{ line, action: 'remove' }])).toContain(`+ 0 ${wait}`);
});

it('R3: severe frame damage under a worse scratch is set up and pulled in 3.9 h', () => {
  const { lines } = result([
    one('quarter_panel_left', 'frame_damage', { severity_score: 6.25 }),
    one('quarter_panel_left', 'scratch', { damage_id: 'scratch', severity_score: 9.5 }),
  ]);
  const bench = lines.filter((line) => line.department === 'structural').map((line) => line.hours);
  expect(bench).toEqual([2, 1.9]); // 1.0 + 0.6 x 1.25 squared
});

// QuickQuoteHail matrix: 95 for a side panel; the minimum of a visit is one per vehicle.
it.each([
  [1, 125],
  [2, 190],
])('R4: hail on %d panels is the sum of the matrix, at least the minimum', (count, total) => {
  const dents = { severity: 'minor', count: 5, measurements: { diameter: 1.5, unit: 'cm' } };
  const panels = ['front_door_left', 'rear_door_left'].slice(0, count);
  const hail = panels.map((panel) => one(panel, 'hail', dents));
  expect(result(hail).vehicle).toBe(total);
  // The fixed price of a chip, 100, is no part of the visit.
  const chip = one('windshield', 'glass_damage', { damage_id: 'chip', severity: 'minor' });
  expect(result([...hail, chip]).vehicle).toBe(total + 100);
});

// A UK engineer's report: 2012 Kia Picanto, value 4,011 GBP, repair 3,671 net, 4,406 gross.
it('R8: age and mileage move the value; on a default value no total loss is stated', () => {
  const picanto = (more: object) =>
    result([one('quarter_panel_right', 'frame_damage', { severity: 'critical' })], {
      assessment_options: { labor_rate_region: 'EU_UK', currency: 'GBP' },
      vehicle: { make: 'Kia', model: 'Picanto', year: 2012, ...more },
    }).summary;
  const byDefault = picanto({});
  const value = byDefault.impact_on_vehicle_value.estimated_market_value;
  expect(Math.abs(value / 4011 - 1)).toBeLessThan(0.2);
  const undecided = { verdict: 'unknown', is_total_loss: false, near_threshold: false };
  expect(byDefault.total_loss).toMatchObject(undecided);
  const { impact_on_vehicle_value: driven } = picanto({ mileage_km: 400_000 });
  expect(driven.estimated_market_value).toBeLessThan(value);
  expect(picanto({ market_value: 4011, currency: 'GBP' }).total_loss.verdict).toBe('total_loss');
});

// US shop estimates of 2024 to 2026 replace radiators and condensers; of the first 28 one lists a radiator as repaired.
it.each([
  ['cooling_system', 'severe', 'mechanical_replacement'],
  ['cooling_system', 'moderate', 'mechanical_repair'],
])('a crack of the %s, %s: %s', (location, severity, option) => {
  expect(result([one(location, 'crack', { severity })]).option).toBe(option);
  expect(result([one(location, 'panel_damage', { severity })]).option).toBe('mechanical_repair');
});

it.each([
  ['hood', 'dent', { repair_type: 'cosmetic', repair_category: 'panel_repair' }],
  ['quarter_panel_left', 'dent', { repair_type: 'structural', repair_category: 'panel_repair' }],
  ['quarter_panel_left', 'scratch', { repair_type: 'cosmetic', repair_category: 'panel_repair' }],
])('a repair of the %s with a %s is %j, in the words of the contract', (location, type, words) => {
  const { damage } = result([one(location, type, { severity: 'severe' })]);
  const repair = damage?.repair_options.find((each) => each.option === 'panel_repair');
  expect(repair).toMatchObject(words);
});

// engineerfix.com, alloywheelanswers.pages.dev, AUTO BILD; auto motor und sport on the directive of 2023.
it.each([
  ['scratch', 'moderate', 'US_MIDWEST', 'USD', 'wheel_refurbishment', 150],
  ['scratch', 'minor', 'EU_GERMANY', 'EUR', 'wheel_refurbishment', 127.54],
  ['scratch', 'severe', 'US_MIDWEST', 'USD', 'component_replacement', 557.5],
  ['crack', 'minor', 'US_MIDWEST', 'USD', 'component_replacement', 557.5],
])('a %s of a wheel, %s, in %s, in %s: %s', (type, severity, region, currency, option, total) => {
  const wheel = one('front_fender_left', type, { subtype: 'wheel_damage', severity });
  const found = result([wheel], { assessment_options: { labor_rate_region: region, currency } });
  expect([found.option, found.total]).toEqual([option, total]);
});

it.each([
  [1, ['polish', 'panel_refinish']],
  [3, ['panel_refinish']],
])('faded paint of score %d is polished or refinished, never touched up by brush', (severity_score, ways) => {
  const size = { measurements: { length: 8, unit: 'cm' } };
  for (const location of ['hood', 'front_door_left']) {
    const { damage } = result([one(location, 'oxidation', { severity_score, ...size })]);
    const repairs = damage?.repair_options.filter(({ repair_type }) => repair_type !== 'replacement');
    expect(repairs?.map(({ option }) => option)).toEqual(ways);
  }
});

it('a small mark next to a spot repair is painted with it, and costs no more than a larger one', () => {
  const mark = (damage_id: string, length: number, severity_score: number, type = 'paint_damage') => ({
    ...one('front_fender_left', type, { severity_score, measurements: { length, unit: 'cm' } }),
    damage_id,
  });
  const jobs = [1.5, 11.2].map((length) => result([mark('a', 9.8, 4.7), mark('b', length, 1.6)]));
  expect(jobs.map(({ option }) => option)).toEqual(['spot_repair', 'spot_repair']);
  const [small = 0, large = 0] = jobs.map(({ vehicle }) => vehicle);
  expect(small).toBeLessThanOrEqual(large);
  // A brush that is out for one mark fills the other, too; nothing but a push helps a dent.
  expect(result([mark('b', 1.5, 1.6), mark('c', 1.5, 1)]).option).toBe('paint_touch_up');
  expect(result([mark('c', 1.5, 1), mark('d', 2, 1, 'dent')]).option).toBe('polish_and_pdr');
});

it('not measured, a mark is as long as the table assumes of its severity, also for a touch-up and a chip', () => {
  const { operations } = TABLES;
  const small = { ...operations.size_hours.unmeasured_cm, minor: 30 };
  const tables = {
    ...TABLES,
    operations: { ...operations, size_hours: { ...operations.size_hours, unmeasured_cm: small } },
  };
  const reasonOf = (damage: { location: string; type: string }, option: string) => {
    const { data } = assessed({ damages: [{ damage_id: 'a', ...damage, severity: 'minor' }] }, tables);
    const way = data.assessed_damages[0]?.repair_options.find((each) => each.option === option);
    return way?.not_recommended_reason?.code;
  };
  expect(reasonOf({ location: 'hood', type: 'scratch' }, 'paint_touch_up')).toBe('too_large');
  expect(reasonOf({ location: 'windshield', type: 'glass_damage' }, 'glass_repair')).toBe('too_large');
});
