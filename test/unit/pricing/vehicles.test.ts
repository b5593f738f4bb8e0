import { describe, expect, it } from 'vitest';
import { assessed, linesOf } from '../../helpers/pricing/assessments.ts';
import { collectFigures } from '../../helpers/pricing/figures.ts';

// US_MIDWEST: 115 USD an hour; paint materials 53.50 per refinish hour.
// Worked twice, by two hands; the second had the tables and the rules, not these figures (src/pricing/README.md).
describe('vehicles computed by hand, line by line', () => {
  // Rules: repair times are judgement, hours x rate; a dent by its cell of the PDR matrix, its hours for the days only.
  it('light: a polish, a touch-up, a dent pushed out', () => {
    const result = assessed({
      damages: [
        // polish 0.8 + 0.2 x 1.0 = 1.0 h x 115 = 115.00 + compound 10 = 125.00
        { damage_id: 'a', type: 'scratch', location: 'front_door_left', severity_score: 1 },
        // touch-up 1.0 + 0.2 x 1.25 = 1.25 -> 1.3 h x 115 = 149.50 + paint 30 = 179.50
        { damage_id: 'b', type: 'paint_damage', location: 'hood', severity: 'minor' },
        // a minor dent is taken as 2.4 cm: "quarter", side panel, 155.00; 155 / 120 = 1.3 h
        { damage_id: 'c', type: 'dent', location: 'front_fender_right', severity: 'minor' },
      ],
    });
    expect(collectFigures(result)).toEqual({
      damages: [
        ['polish', 1, 125],
        ['paint_touch_up', 1.3, 179.5],
        ['pdr', 1.3, 155],
      ],
      recommended: 459.5,
      adjustments: {},
      adjusted: 459.5,
      departments: { body: 264.5, pdr: 155, parts: 40 }, // (1.0 + 1.3) x 115; 10 + 30
      days: 1, // ceil(3.6 / 4)
    });
    expect(linesOf(result)).toEqual({
      'Pol front_door_left': [1, 115], // 1.0 x 115
      'Add polishing_compound': [0, 10],
      'Tch hood': [1.3, 149.5], // 1.3 x 115
      'Add touch_up_paint': [0, 30],
      'PDR front_fender_right': [1.3, 155],
    });
    // 17c: nothing without structural damage or replaced panels.
    expect(result.data.summary.total_value_reduction_percentage).toBe(0);
  });

  // Rules: panel, count and size of most dents choose the cell (hailest.com); one minimum a visit.
  it('hail: three panels by the matrix', () => {
    const hail = (location: string, count: number, diameter: number) => ({
      damage_id: location,
      type: 'hail',
      location,
      severity: 'minor',
      count,
      measurements: { diameter, unit: 'cm' },
    });
    const result = assessed({
      damages: [
        hail('hood', 25, 2), // flat, 16-30, nickel: 325.00
        hail('roof', 40, 2.3), // flat, 31-50, quarter: 475.00
        hail('front_door_left', 8, 1.5), // side, 6-15, dime: 135.00, above the minimum of 125
      ],
    });
    expect(collectFigures(result)).toMatchObject({
      damages: [
        ['pdr', 2.7, 325],
        ['pdr', 4, 475],
        ['pdr', 1.1, 135],
      ],
      recommended: 935,
      adjusted: 935,
      days: 2,
    });
    // Hours at 120 USD: 325 / 120 = 2.71, 475 / 120 = 3.96, 135 / 120 = 1.13.
    expect(linesOf(result)).toEqual({
      'PDR hood': [2.7, 325],
      'PDR roof': [4, 475],
      'PDR front_door_left': [1.1, 135],
    });
    expect(result.data.summary.total_value_reduction_percentage).toBe(0);
  });

  // Rules: the longest job of a panel in full, each other at half, one refinish; painted neighbors are not blended.
  it('side, Germany in euro: two damages on one door are one repair', () => {
    // EU_GERMANY: 100 EUR, materials 44.00.
    const result = assessed({
      assessment_options: { labor_rate_region: 'EU_GERMANY', currency: 'EUR' },
      damages: [
        // Both: 1.5 x 1.4 = 2.1 h, and half of 1.5 x 0.3 x 1.0 = 0.5 h: 2.4 h + 1.9 + clear 0.8 + blends: rear door 1.0,
        // fender 0.9 = 7.0 h = 700 + 4.6 x 44 = 202.40
        { damage_id: 'a', type: 'dent', location: 'front_door_left', severity: 'severe' },
        { damage_id: 'b', type: 'scratch', location: 'front_door_left', severity: 'moderate' },
        // 2.0 x 1.4 = 2.8 h + 1.9 + 0.8 + blends: front door 1.0, quarter panel 1.0 = 7.5 h = 750 + 4.7 x 44 = 206.80
        { damage_id: 'c', type: 'dent', location: 'rear_door_left', severity: 'severe' },
        // 3.7 x 0.3 = 1.11 -> 1.1 h + 2.0 + 0.8 = 3.9 h = 390 + 2.8 x 44 = 123.20
        { damage_id: 'd', type: 'scratch', location: 'quarter_panel_left', severity: 'moderate' },
      ],
    });
    expect(collectFigures(result)).toMatchObject({
      damages: [
        ['panel_repair', 7, 902.4],
        ['panel_repair', 7, 902.4],
        ['panel_repair', 7.5, 956.8],
        ['panel_refinish', 3.9, 513.2],
      ],
      recommended: 3274.8,
      adjustments: {
        // The repair of the front door stands at both of its damages.
        one_repair_per_panel: [-7, -902.4],
        // Doors and quarter panel are painted: no blend of 3 x 1.0 h; the fender's stays. Quarter first, doors 0.4 less each.
        // Clear 2.4 singly; 0.8 + 0.3 + 0.3 = 1.4 together. (3 + 0.8 + 1) x 144
        one_repair_per_vehicle: [-4.8, -691.2],
      },
      adjusted: 1681.2,
      departments: { body: 630, refinish: 730, materials: 321.2 }, // 6.3 h, 7.3 h, 7.3 x 44
      days: 5, // ceil(13.6 / 4) + 1
    });
    expect(linesOf(result)).toEqual({
      'Rpr front_door_left': [2.4, 240], // 2.1 + half of 0.5
      'Refn front_door_left': [1.5, 150], // 1.9 - 0.4
      'Rpr rear_door_left': [2.8, 280],
      'Refn rear_door_left': [1.5, 150], // 1.9 - 0.4
      'Rpr quarter_panel_left': [1.1, 110],
      'Refn quarter_panel_left': [2, 200],
      'Clear quarter_panel_left': [1.4, 140],
      'Blnd front_fender_left': [0.9, 90],
      'Add paint_materials': [0, 321.2],
    });
  });

  // Rules: scratches below severe are painted, not replaced; a broken lamp is replaced; amounts in whole yen.
  it('yen: whole yen throughout', () => {
    // ASIA_JAPAN: 10,000 JPY an hour, materials at 3,600 and parts at 0.335 of the US price,
    // 156.764 JPY for one USD.
    const result = assessed({
      assessment_options: { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' },
      damages: [
        // Plastic: 0.3 + 0.1 x 3.75 = 0.675 -> 0.7 h + 2.6 + 1.0 = 4.3 h = 43,000 + 3.6 x 3,600 = 12,960
        { damage_id: 'a', type: 'scratch', location: 'rear_bumper', severity: 'moderate' },
        // 0.3 h = 3,000 + 311 x 0.335 x 156.764 = 16,332
        { damage_id: 'b', type: 'taillight_damage', location: 'taillight_right', severity: 'severe' },
      ],
    });
    expect(collectFigures(result)).toEqual({
      damages: [
        ['panel_refinish', 4.3, 55_960],
        ['lamp_replacement', 0.3, 19_332],
      ],
      recommended: 75_292,
      adjustments: {},
      adjusted: 75_292,
      departments: { body: 10_000, refinish: 36_000, parts: 16_332, materials: 12_960 },
      days: 5, // ceil(4.6 / 4) + 2 + 1, at most 2 + 3
    });
    expect(linesOf(result)).toEqual({
      'Rpr rear_bumper': [0.7, 7_000],
      'Refn rear_bumper': [2.6, 26_000],
      'Clear rear_bumper': [1, 10_000], // 0.4 x 2.6 = 1.04
      'R&R taillight_right': [0.3, 19_332], // 3,000, and 16,332
      'Add paint_materials': [0, 12_960],
    });
    expect(result.meta).toMatchObject({ labor_rate_used: 10_000, currency: 'JPY' });
    expect(result.meta.fx).toBeUndefined();
    expect(result.meta.parts_fx).toEqual({ from: 'USD', to: 'JPY', rate: 156.764, date: '2026-05-08' });
  });
});
