import { describe, expect, it } from 'vitest';
import { assessed, expectedOf, workOf } from '../../../helpers/pricing/assessments.ts';

/** The recommended option of one damage on a vehicle of this equipment, US_MIDWEST. */
function repaired(location: string, type: string, vehicle: object, more: object = {}) {
  const asked = { damages: [{ damage_id: 'd', type, location, severity: 'severe', ...more }], vehicle };
  const { data } = assessed(asked);
  const all = assessed({ ...asked, assessment_options: { associated_operations: 'all' } });
  const option = data.assessed_damages[0]?.repair_options.find((one) => one.recommended);
  return {
    option: option?.option,
    price: option?.parts_required[0]?.oem_price,
    sublets: option?.parts_required.filter((part) => part.type === 'sublet'),
    hours: workOf({ data }).find((line) => line.operation === 'R&R')?.hours,
    lines: workOf({ data }),
    total: option?.total_cost.total ?? 0,
    range: option?.cost_range ?? { min: 0, max: 0 },
    associated: expectedOf(all),
    departments: data.summary.repair_cost_summary.departments,
    vehicle: data.summary.repair_cost_summary.adjusted_total.estimated,
  };
}
const CRITICAL = { severity: 'critical' };
const missing = { subtype: 'missing_part' };

describe('what a part costs on a vehicle of this equipment', () => {
  // CCC estimates of 2025/26: seven bed sides, median 8.2 h, 6.4 h of refinish with clear, 1,208 USD.
  it.each([
    ['sedan', 14.2, 3.4, 1172],
    ['pickup', 8.2, 4.6, 1208],
  ])('body %s: the side behind the rear door takes %d h and %d h of paint, %d USD', (body, ...figures) => {
    const side = repaired('quarter_panel_left', 'panel_damage', { body }, missing);
    const paint = side.lines.find((line) => line.operation === 'Refn')?.hours;
    expect([side.hours, paint, side.price]).toEqual(figures);
    const access = side.associated.map((line) => line.part);
    expect(access.includes('trunk_lid')).toBe(body === 'pickup');
  });

  // IIHS, 29 November 2018: 615 USD for a GLE (halogen), 1,085 the median of seven (LED), x 1.30 to 2026; saldo.ch and
  // ADAC for LED and matrix; CCC estimates of 2025/26 for the F-150's taillights.
  it.each([
    ['headlight_left', 'headlight_damage', { headlights: 'halogen' }, 400],
    ['headlight_left', 'headlight_damage', { headlights: 'matrix', class: 'premium' }, 3800],
    ['taillight_right', 'taillight_damage', { taillights: 'bulb' }, 106],
  ])('%s by its level: %s %j', (location, type, vehicle, price) => {
    expect(repaired(location, type, vehicle).price).toBe(price);
  });

  // AAA 2023: 1,439.78 USD for a windshield with 360 of calibration; a public band of 350 to 600 without a camera.
  it.each([
    ['plain', 475, []],
    ['camera', 659, ['front_camera_calibration']],
    ['unknown', 659, []],
  ])('windshield %s: %d USD, calibration %j', (windshield, price, sublets) => {
    const glass = repaired('windshield', 'shattered_glass', { windshield });
    expect(glass.price).toBe(price);
    expect(glass.sublets?.map((part) => part.part)).toEqual(sublets);
    // Where the level is known, calibration is no longer only likely.
    const likely = glass.associated.some((line) => line.part === 'front_camera_calibration');
    expect(likely).toBe(windshield === 'unknown');
  });

  // Pennsylvania shop 2025/26: aluminium 135 against 75 USD; Houston 2018: 91 against 50.
  it('aluminum panels are repaired at 1.8 times the body rate, whatever the class', () => {
    const rate = (vehicle: object) =>
      repaired('front_door_left', 'dent', vehicle).departments.find((row) =>
        ['body', 'aluminium'].includes(row.department),
      );
    const steel = rate({ panels: 'steel', class: 'luxury' });
    expect(steel).toMatchObject({ department: 'body', rate_per_hour: 115 });
    expect(rate({ panels: 'aluminium' })).toMatchObject({ department: 'aluminium', rate_per_hour: 207 });
    expect(rate({})).toMatchObject({ department: 'body' });
    expect(rate({ class: 'luxury' })).toMatchObject({ department: 'aluminium' });
  });

  it.each(['electric', 'combustion'])('the high-voltage system of a car is isolated: %s', (drive) => {
    const { associated } = repaired('quarter_panel_left', 'panel_damage', { drive }, missing);
    const isolation = associated.find((line) => line.part === 'high_voltage_isolation');
    expect(isolation?.hours).toBe(drive === 'electric' ? 2.8 : undefined);
  });
});

describe('spot repair', () => {
  const scrape = (location: string, cm: number | undefined, vehicle: object = {}, more: object = {}) =>
    repaired(location, 'scratch', vehicle, {
      severity: 'moderate',
      ...(cm === undefined ? {} : { measurements: { length: cm, unit: 'cm' } }),
      ...more,
    });

  // Scrapes up to 15 cm on bumpers and doors were charged 1.5 to 2.5 h all in (Japan, Germany).
  it.each([
    ['rear_bumper', 15],
    ['front_door_left', 11],
  ])('a scrape on the %s of %d cm: 1.5 to 2.5 h all in', (location, cm) => {
    const spot = scrape(location, cm);
    expect(spot.option).toBe('spot_repair');
    expect(spot.total / 115).toBeGreaterThanOrEqual(1.5);
    expect(spot.total / 115).toBeLessThanOrEqual(2.5);
    // Paint materials are in it, and in the vehicle's departments.
    expect(spot.departments.map((row) => row.department)).toEqual(['refinish', 'materials']);
    expect(spot.vehicle).toBe(spot.total);
  });

  it.each([
    ['longer than 15 cm', 'front_bumper', 15.1, {}, {}],
    ['not measured', 'front_bumper', undefined, {}, {}],
    ['on a hood, where the edge shows', 'hood', 12, {}, {}],
    ['in three stages', 'front_bumper', 12, { paint: 'three_stage' }, {}],
    ['severe', 'front_bumper', 12, {}, { severity: 'severe' }],
  ])('not %s', (_, location, cm, vehicle, more) => {
    expect(scrape(location, cm, vehicle, more).option).not.toBe('spot_repair');
  });
});

// Mitchell, fourth quarter of 2017: 23 % more from one generation to the next; 16 % of models replaced a year.
it.each([
  [undefined, 670],
  [2023, 818.84],
  // No car behind the prices was older or newer.
  [1960, 405.76],
  [2027, 905.23],
])('model year %s: a new front bumper cover costs %d USD, and no more hours', (year, price) => {
  const cover = repaired('front_bumper', 'crack', year === undefined ? {} : { year }, CRITICAL);
  expect(cover).toMatchObject({ price, hours: 2.9 });
});

it('prices what comes with a repair by the model year, but no calibration', () => {
  const price = (year: number, part: string) =>
    repaired('front_bumper', 'crack', { year }, CRITICAL).associated.find((line) => line.part === part)
      ?.price;
  expect([2017, 2023].map((year) => price(year, 'front_impact_bar'))).toEqual([380, 464.42]);
  expect([2017, 2023].map((year) => price(year, 'scan_before_repair'))).toEqual([125, 125]);
});
