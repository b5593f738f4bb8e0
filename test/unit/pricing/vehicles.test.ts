import { describe, expect, it } from 'vitest';
import type { AssessmentEnvelope } from '../../../src/contract/assessment/assessment.ts';
import { assessed, linesOf } from '../../helpers/pricing/assessments.ts';

/** What is computed by hand below: per damage option, hours and total; then the sums. */
function figures({ data }: AssessmentEnvelope) {
  const { repair_cost_summary: costs } = data.summary;
  return {
    damages: data.assessed_damages.map((damage) => {
      const option = damage.repair_options.find((one) => one.recommended);
      return [damage.recommended_repair.option, option?.labor.hours, option?.total_cost.total];
    }),
    recommended: costs.recommended_repairs_total.estimated,
    adjustments: Object.fromEntries(
      costs.adjustments
        .filter((line) => line.estimated !== 0)
        .map((line) => [line.code, [line.hours, line.estimated]]),
    ),
    adjusted: costs.adjusted_total.estimated,
    departments: Object.fromEntries(costs.departments.map((row) => [row.department, row.total])),
    days: data.summary.repair_timeline?.estimated_total_days,
  };
}

// US_MIDWEST: 115 USD an hour; paint materials 53.50 per refinish hour.
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
    expect(figures(result)).toEqual({
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
    expect(figures(result)).toMatchObject({
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

  // Rules: overlap 0.4 h adjacent, 0.2 h for covers and what does not touch (CCC); clear coat 40 % and 20 % (MOTOR); new
  // and severely dented panels blend their neighbours by half of their base; a crack in plastic is replaced.
  it('front collision: hood, fender, bumper, lamp, radiator', () => {
    const result = assessed({
      damages: [
        // Severe (6.25): factor 0.4 + 0.16 x 6.25 = 1.4. Repair 4.0 x 1.25 x 1.4 = 7.0 h + refinish 3.0 + clear 1.2
        // + blends 0.9 + 0.9 = 13.0 h x 115 + 6.0 x 53.50 = 1,816.00. Replace: 1.5 + 4.0 + 1.6 + 0.9 + 0.9 = 8.9 h
        // x 115 = 1,023.50 + 900 + 7.4 x 53.50 = 395.90 -> 2,319.40: 78 %, near, but the repair costs less.
        { damage_id: 'a', type: 'panel_damage', location: 'hood', severity: 'severe' },
        // 2.0 x 1.25 x 1.4 = 3.5 h + 1.8 + 0.7 + blend of the door 1.9 / 2 = 0.95 -> 1.0: 7.0 h x 115 = 805
        // + 3.5 x 53.50 = 187.25 -> 992.25.
        { damage_id: 'b', type: 'panel_damage', location: 'front_fender_left', severity: 'severe' },
        // A crack in plastic from severe on: 2.9 + 3.0 + 1.2 = 7.1 h x 115 = 816.50 + 670 + 4.2 x 53.50 = 224.70
        { damage_id: 'c', type: 'crack', location: 'front_bumper', severity: 'severe' },
        // 0.6 + aim 0.5 = 1.1 h x 115 = 126.50 + 900
        { damage_id: 'd', type: 'headlight_damage', location: 'headlight_left', severity: 'severe' },
        // 2.3 h x 115 = 264.50 + 420
        { damage_id: 'e', type: 'crack', location: 'cooling_system', severity: 'critical' },
      ],
    });
    expect(figures(result)).toMatchObject({
      damages: [
        ['panel_repair', 13, 1816],
        ['panel_repair', 7, 992.25],
        ['bumper_replacement', 7.1, 1711.2],
        ['lamp_replacement', 1.1, 1026.5],
        ['mechanical_replacement', 2.3, 684.5],
      ],
      // 1,816.00 + 992.25 + 1,711.20 + 1,026.50 + 684.50 = 6,230.45
      adjustments: {
        // The left fender is painted: its blend of 0.9 h falls away. 0.9 x (115 + 53.50) = 151.65
        blend_of_painted_panels: [-0.9, -151.65],
        // Bumper 3.0 first; the hood does not touch it, 0.2; the fender touches the hood, 0.4. 0.6 x 168.50 = 101.10
        refinish_overlap: [-0.6, -101.1],
        // Singly 1.2 + 0.7 + 1.2 = 3.1; together 0.4 x 3.0 + 0.2 x 2.8 + 0.2 x 1.4 = 2.04 -> 2.0. 1.1 x 168.50 = 185.35
        clear_coat_across_panels: [-1.1, -185.35],
      },
      adjusted: 5792.35, // 6,230.45 - 151.65 - 101.10 - 185.35
      departments: {
        body: 1667.5, // 7.0 + 3.5 + 2.9 + 1.1 = 14.5 h
        refinish: 1276.5, // 3.0 + 2.8 + 1.4 + clear 2.0 + blends 1.0 + 0.9 = 11.1 h
        mechanical: 264.5,
        parts: 1990, // 670 + 900 + 420
        materials: 593.85, // 11.1 x 53.50
      },
      days: 10, // ceil(27.9 / 4) + 2 + 1
    });
    expect(linesOf(result)).toEqual({
      'Rpr hood': [7, 805], // 7.0 x 115
      'Refn hood': [2.8, 322], // (3.0 - 0.2) x 115
      'Rpr front_fender_left': [3.5, 402.5], // 3.5 x 115
      'Refn front_fender_left': [1.4, 161], // (1.8 - 0.4) x 115
      'R&R front_bumper': [2.9, 1003.5], // 2.9 x 115 = 333.50, and 670
      'Refn front_bumper': [3, 345], // the panel with most hours is the first
      'R&R headlight_left': [0.6, 969], // 0.6 x 115 = 69, and 900
      'Algn headlight_left': [0.5, 57.5],
      'R&R cooling_system': [2.3, 684.5], // 2.3 x 115 = 264.50, and 420
      'Clear front_bumper': [2, 230], // 2.0 x 115
      'Blnd front_door_left': [1, 115], // half of 1.9
      'Blnd front_fender_right': [0.9, 103.5], // half of 1.8
      'Add paint_materials': [0, 593.85],
    });
  });

  // Rules: the longest job of a panel in full, each other at half, one refinish; painted neighbours are not blended.
  it('side, Germany in euro: two damages on one door are one repair', () => {
    // EU_GERMANY: 100 EUR, materials 44.00.
    const result = assessed({
      assessment_options: { labor_rate_region: 'EU_GERMANY', currency: 'EUR' },
      damages: [
        // 1.5 x 1.4 = 2.1 h + 1.9 + clear 0.8 + blends: rear door 1.0, fender 0.9 = 6.7 h = 670 + 4.6 x 44 = 202.40
        { damage_id: 'a', type: 'dent', location: 'front_door_left', severity: 'severe' },
        // 1.5 x 0.3 x 1.0 = 0.45 -> 0.5 h + 1.9 + 0.8 = 3.2 h = 320 + 2.7 x 44 = 118.80
        { damage_id: 'b', type: 'scratch', location: 'front_door_left', severity: 'moderate' },
        // 2.0 x 1.4 = 2.8 h + 1.9 + 0.8 + blends: front door 1.0, quarter panel 1.0 = 7.5 h = 750 + 4.7 x 44 = 206.80
        { damage_id: 'c', type: 'dent', location: 'rear_door_left', severity: 'severe' },
        // 3.7 x 0.3 = 1.11 -> 1.1 h + 2.0 + 0.8 = 3.9 h = 390 + 2.8 x 44 = 123.20
        { damage_id: 'd', type: 'scratch', location: 'quarter_panel_left', severity: 'moderate' },
      ],
    });
    expect(figures(result)).toMatchObject({
      damages: [
        ['panel_repair', 6.7, 872.4],
        ['panel_refinish', 3.2, 438.8],
        ['panel_repair', 7.5, 956.8],
        ['panel_refinish', 3.9, 513.2],
      ],
      recommended: 2781.2,
      adjustments: {
        // Together 2.1 + 0.5 / 2 -> 2.4 h + 1.9 + 0.8 + 1.9 = 7.0 h, not 9.9: -2.9 h = 290 and 2.7 x 44 = 118.80
        one_repair_per_panel: [-2.9, -408.8],
        blend_of_painted_panels: [-3, -432], // doors and quarter panel are painted: 3 x 1.0 h x 144; the fender stays
        refinish_overlap: [-0.8, -115.2], // quarter first; doors 0.4 each
        clear_coat_across_panels: [-1, -144], // 2.4 singly; 0.8 + 0.3 + 0.3 = 1.4 together
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

  // Rules: structural work where the frame is named, not for the word critical; clear coat at most 2.5 h (MOTOR); a
  // total loss where repair with tax and salvage reach the value.
  it('total loss, California: structural work at the front of a car worth 9,000', () => {
    // US_CALIFORNIA: 175 an hour, materials 55.00, 7.25 % tax on parts and materials; total-loss formula: repair + salvage >= value.
    const result = assessed({
      assessment_options: { labor_rate_region: 'US_CALIFORNIA' },
      vehicle: { market_value: 9000, mileage_km: 200_000 },
      damages: [
        // Critical (8.75): pull 1 + 0.6 x 3.75 squared = 9.4 h; set-up 2.0; fender 2.0 + 2.2 + clear 0.9 + blend 1.0
        // = 17.5 h x 175 = 3,062.50 + 556 + 4.1 x 55 = 225.50 -> 3,844.00
        { damage_id: 'a', type: 'frame_damage', location: 'front_fender_left', severity: 'critical' },
        // Critical: replaced. 8.9 h x 175 = 1,557.50 + 900 + 7.4 x 55 = 407.00 -> 2,864.50
        { damage_id: 'b', type: 'panel_damage', location: 'hood', severity: 'critical' },
        // A plastic cover is replaced, not pulled: 2.9 + 3.0 + 1.2 = 7.1 h x 175 = 1,242.50 + 670 + 4.2 x 55 = 231.00
        { damage_id: 'c', type: 'panel_damage', location: 'front_bumper', severity: 'critical' },
        // 3.9 h x 175 = 682.50 + 659 + urethane 30 -> 1,371.50
        { damage_id: 'd', type: 'shattered_glass', location: 'windshield' },
      ],
    });
    expect(figures(result)).toMatchObject({
      damages: [
        ['structural_repair', 17.5, 3844],
        ['panel_replacement', 8.9, 2864.5],
        ['bumper_replacement', 7.1, 2143.5],
        ['glass_replacement', 3.9, 1371.5],
      ],
      adjustments: {
        blend_of_painted_panels: [-0.9, -207], // 0.9 x (175 + 55)
        refinish_overlap: [-0.6, -138], // hood first; cover 0.2, fender 0.4
        // Singly 0.9 + 1.6 + 1.2 = 3.7; 0.4 x 4.0 + 0.2 x 2.8 + 0.2 x 1.8 = 2.52 -> 2.5: 1.2 x 230
        clear_coat_across_panels: [-1.2, -276],
      },
      adjusted: 9602.5, // 10,223.50 - 207.00 - 138.00 - 276.00
    });
    expect(linesOf(result)).toEqual({
      'Setup front_fender_left': [2, 350],
      'Pull front_fender_left': [9.4, 1645],
      'R&R front_fender_left': [2, 906], // 350, and 556
      'Refn front_fender_left': [1.8, 315], // 2.2 - 0.4
      'R&R hood': [1.5, 1162.5], // 262.50, and 900
      'Refn hood': [4, 700],
      'R&R front_bumper': [2.9, 1177.5], // 507.50, and 670
      'Refn front_bumper': [2.8, 490], // 3.0 - 0.2
      'R&R windshield': [3.9, 1341.5], // 682.50, and 659
      'Add urethane_kit': [0, 30],
      'Clear hood': [2.5, 437.5],
      'Blnd front_door_left': [1, 175],
      'Blnd front_fender_right': [0.9, 157.5],
      'Add paint_materials': [0, 715], // 13.0 x 55
    });
    const {
      total_loss: loss,
      impact_on_vehicle_value: value,
      repair_cost_summary: costs,
    } = result.data.summary;
    // Parts 2,815.00 + materials 13.0 x 55 = 715.00: 3,530.00 x 7.25 % = 255.93
    expect(costs.tax).toMatchObject({
      taxable: 3530,
      amount: 255.93,
      net_total: 9602.5,
      gross_total: 9858.43,
    });
    // (9,858.43 + 2,250) / 9,000
    expect(loss).toMatchObject({ verdict: 'total_loss', salvage_value: 2250, ratio_percentage: 134.54 });
    expect(value.value_reduction).toBe(0); // 124,274 miles: mileage modifier 0
  });

  // Rules: scratches below severe are painted, not replaced; a broken lamp is replaced; amounts in whole yen.
  it('yen: whole yen throughout', () => {
    // ASIA_JAPAN: 10,000 JPY an hour, materials 3,600; parts at 0.335 of the US price, 156.764 JPY for one USD.
    const result = assessed({
      assessment_options: { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' },
      damages: [
        // 3.2 x 0.3 = 0.96 -> 1.0 h + 2.6 + 1.0 = 4.6 h = 46,000 + 3.6 x 3,600 = 12,960
        { damage_id: 'a', type: 'scratch', location: 'rear_bumper', severity: 'moderate' },
        // 0.3 h = 3,000 + 311 x 0.335 x 156.764 = 16,332
        { damage_id: 'b', type: 'taillight_damage', location: 'taillight_right', severity: 'severe' },
      ],
    });
    expect(figures(result)).toEqual({
      damages: [
        ['panel_refinish', 4.6, 58_960],
        ['lamp_replacement', 0.3, 19_332],
      ],
      recommended: 78_292,
      adjustments: {},
      adjusted: 78_292,
      departments: { body: 13_000, refinish: 36_000, parts: 16_332, materials: 12_960 },
      days: 5, // ceil(4.9 / 4) + 2 + 1, at most 2 + 3
    });
    expect(linesOf(result)).toEqual({
      'Rpr rear_bumper': [1, 10_000],
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
