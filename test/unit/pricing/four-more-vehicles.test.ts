import { describe, expect, it } from 'vitest';
import { assessed, linesOf } from '../../helpers/pricing/assessments.ts';

/** What is computed by hand below; only what the panels themselves need, none of what a repair usually brings. */
function priced(
  region: string,
  currency: string,
  vehicle: object,
  damages: object[],
  overrides: object[] = [],
) {
  const { data } = assessed({
    damages: damages.map((damage, i) => ({ damage_id: 'abcdef'[i], ...damage })),
    vehicle,
    overrides,
    assessment_options: { labor_rate_region: region, currency, associated_operations: 'off' },
  });
  const { repair_cost_summary: costs } = data.summary;
  return {
    options: data.assessed_damages.map((damage) => damage.recommended_repair.option),
    lines: linesOf({ data }),
    departments: Object.fromEntries(costs.departments.map((row) => [row.department, row.total])),
    total: costs.adjusted_total.estimated,
    tax: costs.tax?.amount,
    gross: costs.tax?.gross_total,
  };
}

// Worked twice, by two hands; the second had the tables and the rules, not these figures (src/pricing/README.md).
describe('four more vehicles computed by hand, line by line', () => {
  // Rule: a cover next to the lid overlaps by 0.2 h (CCC, "Overlap Major Non-Adj. Panel -0.2"); a lid blends both sides.
  it('rear of an SUV with radar in the lamp, Texas', () => {
    // 125 USD an hour, materials 48.00; 6.25 % on goods.
    expect(
      priced('US_TEXAS', 'USD', { body: 'suv', taillights: 'radar', paint: 'metallic' }, [
        { type: 'panel_damage', location: 'trunk_lid', severity: 'critical' },
        { type: 'crack', location: 'rear_bumper', severity: 'severe' },
        { type: 'taillight_damage', location: 'taillight_left', severity: 'severe' },
      ]),
    ).toEqual({
      options: ['panel_replacement', 'bumper_replacement', 'lamp_replacement'],
      lines: {
        'R&R rear_bumper': [2, 844], // 2.0 x 125 = 250, and 594
        'R&R taillight_left': [0.3, 924.5], // 0.3 x 125 = 37.50, and 887; with radar
        'R&R trunk_lid': [5, 1679], // a liftgate; 5.0 x 125 = 625, and 1,054
        'Refn rear_bumper': [3, 375], // 3.0 x 125
        'Refn trunk_lid': [2.7, 337.5], // 2.9 - 0.2; 2.7 x 125
        'Clear rear_bumper': [1.7, 212.5], // 0.4 x 3.0 + 0.2 x 2.7 = 1.74; 1.7 x 125
        'Blnd quarter_panel_left': [1, 125], // half of 2.0
        'Blnd quarter_panel_right': [1, 125],
        'Add paint_materials': [0, 451.2], // 9.4 x 48
      },
      // 7.3 h x 125; 9.4 h x 125; 594 + 887 + 1,054; 9.4 h x 48
      departments: { body: 912.5, refinish: 1175, parts: 2535, materials: 451.2 },
      total: 5073.7,
      tax: 186.64, // (2,535.00 + 451.20) x 6.25 %
      gross: 5260.34,
    });
  });

  // Rules: a section of a quarter panel takes 11.0 and 11.5 h (MOTOR); 70 % and 40 % in three stages, in place of the clear coat;
  // blends 70 %; a part below 1.0 h is minor and overlaps by 0.2 (SCRS). AAA 2023: a camera in the mirror is calibrated.
  it('side with a section of the quarter panel, in three stages, a camera in the mirror, Northeast', () => {
    // 150 USD an hour, materials 49.50; Pennsylvania: 6 % on everything.
    expect(
      priced(
        'US_NORTHEAST',
        'USD',
        { paint: 'three_stage', mirrors: 'camera' },
        [
          {
            type: 'dent',
            location: 'quarter_panel_left',
            severity: 'severe',
            measurements: { length: 40, unit: 'cm' },
          },
          { type: 'panel_damage', location: 'rear_door_left', severity: 'critical' },
          { type: 'mirror_damage', location: 'front_door_left', severity: 'critical' },
        ],
        [{ damage_id: 'a', option: 'section_replacement' }],
      ),
    ).toEqual({
      options: ['section_replacement', 'panel_replacement', 'component_replacement'],
      lines: {
        'R&R outside_mirror': [0.4, 1257], // 0.4 x 150 = 60, and 1,197
        'Subl mirror_camera_calibration': [0, 250],
        'Sect quarter_panel_left': [11.2, 2852], // 11.2 x 150 = 1,680, and 1,172
        'R&R rear_door_left': [4.8, 1795], // 4.8 x 150 = 720, and 1,075
        'Refn quarter_panel_left': [3.4, 510], // 3.4 x 150
        'Refn rear_door_left': [1.7, 255], // 2.1 - 0.4, adjacent; 1.7 x 150
        'Refn outside_mirror': [0.2, 30], // 0.4 - 0.2, minor; 0.2 x 150
        '3-stg quarter_panel_left': [3.1, 465], // 0.7 x 3.4 + 0.4 x 1.7 + 0.4 x 0.2 = 3.14; 3.1 x 150
        'Blnd trunk_lid': [1.5, 225], // 70 % of 2.1; 1.5 x 150
        'Blnd front_door_left': [1.3, 195], // 70 % of 1.9; 1.3 x 150
        'Add paint_materials': [0, 554.4], // 11.2 x 49.50
      },
      // 16.4 h x 150; 11.2 h x 150; 1,197 + 1,172 + 1,075; the calibration; 11.2 h x 49.50
      departments: { body: 2460, refinish: 1680, parts: 3444, sublet: 250, materials: 554.4 },
      total: 8388.4,
      tax: 503.3, // 6 % of everything
      gross: 8891.7,
    });
  });

  // Rules: aluminium +25 %, medium depth +15 % in PDR (hailcraftsmen.com), 50 USD a dent above a half-dollar
  // (hailest.com); repair in aluminium at 1.8 times the body rate (135 against 75 USD, Pennsylvania 2025/26).
  it('hail and dents on an aluminum body, premium, Midwest', () => {
    // 115 USD an hour, aluminium 207, materials 53.50.
    const { lines, departments, ...rest } = priced(
      'US_MIDWEST',
      'USD',
      { class: 'premium', panels: 'aluminium' },
      [
        {
          type: 'hail',
          location: 'roof',
          severity: 'minor',
          count: 20,
          measurements: { diameter: 2.4, unit: 'cm' },
        },
        {
          type: 'dent',
          location: 'front_door_left',
          severity: 'moderate',
          measurements: { length: 5, unit: 'cm' },
        },
        { type: 'dent', location: 'hood', severity: 'severe', measurements: { length: 12, unit: 'cm' } },
      ],
    );
    expect(lines).toEqual({
      'PDR roof': [3.9, 468.75], // 468.75 / 120 an hour
      'PDR front_door_left': [2.8, 337.81],
      'Rpr hood': [5.6, 1159.2], // 4.0 x (0.4 + 0.16 x 6.25), 12 cm; 5.6 x 207
      'Refn hood': [3, 345], // 3.0 x 115
      'Clear hood': [1.2, 138], // 1.2 x 115
      'Blnd front_fender_left': [0.9, 103.5], // 0.9 x 115
      'Blnd front_fender_right': [0.9, 103.5],
      'Add paint_materials': [0, 321], // 6.0 x 53.50
    });
    expect(departments).toEqual({
      // Roof: flat, 16 to 30, quarter: 375 x 1.25 = 468.75. Door: half-dollar 185 + one step oversize 50 = 235,
      // x 1.15 x 1.25 = 337.81.
      pdr: 806.56,
      aluminium: 1159.2, // 5.6 h x 207
      refinish: 690, // 6.0 h x 115
      materials: 321, // 6.0 h x 53.50
    });
    expect(rest).toEqual({
      options: ['pdr', 'pdr', 'panel_repair'],
      total: 2976.76,
      tax: 20.06, // 321.00 x 6.25 %: no parts, labor is free
      gross: 2996.82,
    });
  });

  // Rules: bonded quarter panels of electric cars 23.5 and 24.5 h (CCC estimates of 2025/26); glass is fitted in half
  // the US hours; solid colors are not blended; scrapes up to 15 cm are spot repaired. VAT on everything.
  it('electric car in Germany: windshield with display, matrix lamp, quarter panel, a scrape', () => {
    // 100 EUR an hour, materials 44.00; 1 USD = 0.850268 EUR; parts at 1.03, glass at 0.87 of the US price.
    expect(
      priced(
        'EU_GERMANY',
        'EUR',
        { drive: 'electric', windshield: 'camera_hud', headlights: 'matrix', paint: 'solid' },
        [
          { type: 'shattered_glass', location: 'windshield' },
          { type: 'headlight_damage', location: 'headlight_left', severity: 'severe' },
          {
            type: 'panel_damage',
            subtype: 'missing_part',
            location: 'quarter_panel_left',
            severity: 'severe',
          },
          {
            type: 'scratch',
            location: 'front_bumper',
            severity: 'moderate',
            measurements: { length: 12, unit: 'cm' },
          },
        ],
      ),
    ).toEqual({
      options: ['glass_replacement', 'lamp_replacement', 'panel_replacement', 'spot_repair'],
      lines: {
        'Rpr front_bumper': [1.6, 160], // 1.0 + 0.15 x 3.75 = 1.56, hours of the paint shop; 1.6 x 100
        'R&R headlight_left': [0.6, 1723.97], // 0.6 x 100 = 60, and 1,663.97; 1663.97 = 1,900 x 1.03 x 0.850268
        'Algn headlight_left': [0.5, 50],
        'R&R quarter_panel_left': [24, 3426.41], // 24 x 100 = 2,400, and 1,026.41; 1026.41 = 1,172 x 1.03 x 0.850268
        'Refn quarter_panel_left': [3.4, 340], // 3.4 x 100
        'R&R windshield': [2, 1361.38], // 3.9 x 0.5 = 1.95; 2.0 x 100 = 200, and 1,161.38; 1161.38 = 1,570 x 0.87 x 0.850268
        'Add urethane_kit': [0, 26.27], // 26.27 = 30 x 1.03 x 0.850268
        'Add small_parts': [0, 77.04], // 2 % of the three parts, 3,851.76
        'Subl front_camera_calibration': [0, 306.1], // 306.1 = 360 x 0.850268
        'Clear quarter_panel_left': [1.4, 140], // 0.4 x 3.4 = 1.36; 1.4 x 100
        'Add paint_materials': [0, 281.6], // 6.4 x 44
      },
      // 25.1 h; 6.4 h; 2.0 h; parts and kit above; calibration; 6.4 h x 44; small parts
      departments: {
        body: 2510,
        refinish: 640,
        glass: 200,
        parts: 3878.03,
        sublet: 306.1,
        materials: 281.6,
        fees: 77.04,
      },
      total: 7892.77,
      tax: 1499.63, // 19 %
      gross: 9392.4,
    });
  });
});
