import { describe, expect, it } from 'vitest';
import type { AssessmentEnvelope } from '../../../src/contract/assessment.ts';
import { assessed } from '../../helpers/assessments.ts';

/** What is worked out by hand below: per damage option, hours and total; then the sums. */
function figures({ data }: AssessmentEnvelope) {
  const { repair_cost_summary: costs } = data.summary;
  return {
    damages: data.assessed_damages.map((damage) => {
      const option = damage.repair_options.find((one) => one.recommended);
      return [damage.recommended_repair.option, option?.labor.hours, option?.total_cost.total];
    }),
    recommended: [
      costs.recommended_repairs_total.min,
      costs.recommended_repairs_total.estimated,
      costs.recommended_repairs_total.max,
    ],
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

// US_MIDWEST: 90 / 115 / 140 USD an hour; paint materials 0.36 x 115 = 41.40 per refinish hour; parts ± 20 %.
describe('vehicles worked out by hand', () => {
  it('light: a polish, a touch-up, a dent pushed out', () => {
    const result = assessed({
      damages: [
        // polish 0.8 + 0.2 x 1.0 = 1.0 h x 115 = 115.00 + compound 10 = 125.00
        { damage_id: 'a', type: 'scratch', location: 'front_door_left', severity_score: 1 },
        // touch-up 1.0 + 0.2 x 1.25 = 1.25 -> 1.3 h x 115 = 149.50 + paint 30 = 179.50
        { damage_id: 'b', type: 'paint_damage', location: 'hood', severity: 'minor' },
        // a minor dent is taken as 2.4 cm: "quarter", side panel, 155 -> minimum 200; 200 / 115 = 1.74 -> 1.8 h = 207.00
        { damage_id: 'c', type: 'dent', location: 'front_fender_right', severity: 'minor' },
      ],
    });
    expect(figures(result)).toEqual({
      damages: [
        ['polish', 1, 125],
        ['paint_touch_up', 1.3, 179.5],
        ['pdr', 1.8, 207],
      ],
      // min (90 + 8) + (117 + 24) + 162 = 401; max (140 + 12) + (182 + 36) + 252 = 622
      recommended: [401, 511.5, 622],
      adjustments: {},
      adjusted: 511.5,
      departments: { body: 471.5, parts: 40 }, // (1.0 + 1.3 + 1.8) x 115; 10 + 30
      days: 2, // ceil(4.1 / 4)
    });
    // Touch-up leaves new paint on a minor damage: 10 % x 0.25 = 2.5 %; polish and PDR leave nothing.
    expect(result.data.summary.total_value_reduction_percentage).toBe(2.5);
    expect(result.data.summary.impact_on_vehicle_value.value_reduction).toBe(336.13); // 13,445 x 2.5 % = 336.125
  });

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
        hail('hood', 25, 2), // flat, 16-30, nickel: 325 / 115 = 2.83 -> 2.9 h = 333.50
        hail('roof', 40, 2.3), // flat, 31-50, quarter: 475 / 115 = 4.13 -> 4.2 h = 483.00
        hail('front_door_left', 8, 1.5), // side, 6-15, dime: 135 -> 200 / 115 -> 1.8 h = 207.00
      ],
    });
    expect(figures(result)).toMatchObject({
      damages: [
        ['pdr', 2.9, 333.5],
        ['pdr', 4.2, 483],
        ['pdr', 1.8, 207],
      ],
      recommended: [801, 1023.5, 1246], // 8.9 h x 90 / 115 / 140
      adjusted: 1023.5,
      days: 3,
    });
    expect(result.data.summary.total_value_reduction_percentage).toBe(0);
  });

  it('front collision: hood, fender, bumper, lamp, radiator', () => {
    const result = assessed({
      damages: [
        // Severe (6.25): factor 0.4 + 0.16 x 6.25 = 1.4. Repair 4.0 x 1.25 x 1.4 = 7.0 h + refinish 3.0 + clear 1.2
        // + blends 0.9 + 0.9 = 13.0 h x 115 + 6.0 x 41.40 = 1,743.40. Replace: 1.5 + 4.0 + 1.6 + 0.9 + 0.9 = 8.9 h
        // x 115 = 1,023.50 + 900 + 7.4 x 41.40 = 306.36 -> 2,229.86. 1,743.40 / 2,229.86 = 78 % -> replace.
        { damage_id: 'a', type: 'panel_damage', location: 'hood', severity: 'severe' },
        // 2.0 x 1.25 x 1.4 = 3.5 h + 1.8 + 0.7 + blend of the door 1.9 / 2 = 0.95 -> 1.0: 7.0 h x 115 = 805
        // + 3.5 x 41.40 = 144.90 -> 949.90; 67 % of the replacement (1,427.24) -> repair.
        { damage_id: 'b', type: 'panel_damage', location: 'front_fender_left', severity: 'severe' },
        // A crack in plastic from severe on: 2.9 + 3.0 + 1.2 = 7.1 h x 115 = 816.50 + 670 + 4.2 x 41.40 = 173.88
        { damage_id: 'c', type: 'crack', location: 'front_bumper', severity: 'severe' },
        // 0.6 + aim 0.5 = 1.1 h x 115 = 126.50 + 900
        { damage_id: 'd', type: 'headlight_damage', location: 'headlight_left', severity: 'severe' },
        // 2.3 h x 115 = 264.50 + 420
        { damage_id: 'e', type: 'crack', location: 'cooling_system', severity: 'critical' },
      ],
    });
    expect(figures(result)).toMatchObject({
      damages: [
        ['panel_replacement', 8.9, 2229.86],
        ['panel_repair', 7, 949.9],
        ['bumper_replacement', 7.1, 1660.38],
        ['lamp_replacement', 1.1, 1026.5],
        ['mechanical_replacement', 2.3, 684.5],
      ],
      // 2,229.86 + 949.90 + 1,660.38 + 1,026.50 + 684.50 = 6,551.14
      adjustments: {
        // The left fender is painted: its blend of 0.9 h falls away. 0.9 x (115 + 41.40) = 140.76
        blend_of_painted_panels: [-0.9, -140.76],
        // Hood 4.0 first; bumper and fender lie beside one another and the hood: 2 x 0.4. 0.8 x 156.40 = 125.12
        refinish_overlap: [-0.8, -125.12],
        // Singly 1.6 + 0.7 + 1.2 = 3.5; together 0.4 x 4.0 + 0.2 x 2.6 + 0.2 x 1.4 = 2.4. 1.1 x 156.40 = 172.04
        clear_coat_across_panels: [-1.1, -172.04],
      },
      adjusted: 6113.22, // 6,551.14 - 140.76 - 125.12 - 172.04
      departments: {
        body: 1035, // 1.5 + 3.5 + 2.9 + 1.1 = 9.0 h
        refinish: 1414.5, // 4.0 + 2.6 + 1.4 + clear 2.4 + blends 1.0 + 0.9 = 12.3 h
        mechanical: 264.5,
        parts: 2890, // 900 + 670 + 900 + 420
        materials: 509.22, // 12.3 x 41.40
      },
      days: 9, // ceil(23.6 / 4) + 2 + 1
    });
  });

  it('side, Germany in euro: two damages on one door are one repair', () => {
    // EU_GERMANY: 80 / 100 / 120 EUR, materials 36.00.
    const result = assessed({
      assessment_options: { labor_rate_region: 'EU_GERMANY', currency: 'EUR' },
      damages: [
        // 1.5 x 1.4 = 2.1 h + 1.9 + clear 0.8 + blend of the rear door 1.0 = 5.8 h = 580 + 3.7 x 36 = 133.20
        { damage_id: 'a', type: 'dent', location: 'front_door_left', severity: 'severe' },
        // 1.5 x 0.3 x 1.0 = 0.45 -> 0.5 h + 1.9 + 0.8 = 3.2 h = 320 + 2.7 x 36 = 97.20
        { damage_id: 'b', type: 'scratch', location: 'front_door_left', severity: 'moderate' },
        // 2.0 x 1.4 = 2.8 h + 1.9 + 0.8 + blend of the front door 1.0 = 6.5 h = 650 + 133.20
        { damage_id: 'c', type: 'dent', location: 'rear_door_left', severity: 'severe' },
        // 3.7 x 0.3 = 1.11 -> 1.1 h + 2.0 + 0.8 = 3.9 h = 390 + 2.8 x 36 = 100.80
        { damage_id: 'd', type: 'scratch', location: 'quarter_panel_left', severity: 'moderate' },
      ],
    });
    expect(figures(result)).toMatchObject({
      damages: [
        ['panel_repair', 5.8, 713.2],
        ['panel_refinish', 3.2, 417.2],
        ['panel_repair', 6.5, 783.2],
        ['panel_refinish', 3.9, 490.8],
      ],
      recommended: [1923.52, 2404.4, 2885.28],
      adjustments: {
        // Together 2.1 + 0.5 / 2 -> 2.4 h + 1.9 + 0.8 + 1.0 = 6.1 h, not 9.0: -2.9 h = 290 and 2.7 x 36 = 97.20
        one_repair_per_panel: [-2.9, -387.2],
        blend_of_painted_panels: [-2, -272], // both doors are painted: 2 x 1.0 h x 136
        refinish_overlap: [-0.8, -108.8], // quarter first; doors 0.4 each
        clear_coat_across_panels: [-1, -136], // 2.4 singly; 0.8 + 0.3 + 0.3 = 1.4 together
      },
      adjusted: 1500.4,
      departments: { body: 630, refinish: 640, materials: 230.4 }, // 6.3 h, 6.4 h, 6.4 x 36
      days: 5, // ceil(12.7 / 4) + 1
    });
  });

  it('total loss, California: structural work at the front of a car worth 9,000', () => {
    // US_CALIFORNIA: 175 an hour, materials 63.00; total-loss formula: repair + salvage >= value.
    const result = assessed({
      assessment_options: { labor_rate_region: 'US_CALIFORNIA' },
      vehicle: { market_value: 9000, mileage_km: 200_000 },
      damages: [
        // Critical (8.75): pull 2 + 0.4 x 76.5625 = 32.6 h; set-up 2.0; fender 2.0 + 2.2 + clear 0.9 + blend 1.0
        // = 40.7 h x 175 = 7,122.50 + 556 + 4.1 x 63 = 258.30 -> 7,936.80
        { damage_id: 'a', type: 'frame_damage', location: 'front_fender_left', severity: 'critical' },
        // Critical: replaced. 8.9 h x 175 = 1,557.50 + 900 + 7.4 x 63 = 466.20 -> 2,923.70
        { damage_id: 'b', type: 'panel_damage', location: 'hood', severity: 'critical' },
        // 34.6 + 2.9 + 3.0 + 1.2 = 41.7 h x 175 = 7,297.50 + 670 + 4.2 x 63 = 264.60 -> 8,232.10
        { damage_id: 'c', type: 'panel_damage', location: 'front_bumper', severity: 'critical' },
        // 3.9 h x 175 = 682.50 + 659 + urethane 30 -> 1,371.50
        { damage_id: 'd', type: 'shattered_glass', location: 'windshield' },
      ],
    });
    expect(figures(result)).toMatchObject({
      damages: [
        ['structural_repair', 40.7, 7936.8],
        ['panel_replacement', 8.9, 2923.7],
        ['structural_repair', 41.7, 8232.1],
        ['glass_replacement', 3.9, 1371.5],
      ],
      adjustments: {
        blend_of_painted_panels: [-0.9, -214.2], // 0.9 x (175 + 63)
        refinish_overlap: [-0.8, -190.4],
        // Singly 0.9 + 1.6 + 1.2 = 3.7; 0.4 x 4.0 + 0.2 x 2.6 + 0.2 x 1.8 = 2.48 -> 2.5: 1.2 x 238
        clear_coat_across_panels: [-1.2, -285.6],
        // One set-up (-2.0), the second pull at half (-16.3): 18.3 x 175
        one_structural_procedure: [-18.3, -3202.5],
      },
      adjusted: 16571.4, // 20,464.10 - 214.20 - 190.40 - 285.60 - 3,202.50
    });
    const { total_loss: loss, impact_on_vehicle_value: value } = result.data.summary;
    expect(loss).toMatchObject({ is_total_loss: true, salvage_value: 2250, ratio_percentage: 209.13 }); // 18,821.40 / 9,000
    expect(value.value_reduction).toBe(0); // 124,274 miles: mileage modifier 0
  });

  it('yen: whole yen throughout', () => {
    // ASIA_JAPAN: 10,000 JPY an hour, materials 3,600; parts at 150 JPY for one USD.
    const result = assessed({
      assessment_options: { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' },
      damages: [
        // 3.2 x 0.3 = 0.96 -> 1.0 h + 2.6 + 1.0 = 4.6 h = 46,000 + 3.6 x 3,600 = 12,960
        { damage_id: 'a', type: 'scratch', location: 'rear_bumper', severity: 'moderate' },
        // 0.3 h = 3,000 + 311 x 150 = 46,650
        { damage_id: 'b', type: 'taillight_damage', location: 'taillight_right', severity: 'severe' },
      ],
    });
    expect(figures(result)).toEqual({
      damages: [
        ['panel_refinish', 4.6, 58_960],
        ['lamp_replacement', 0.3, 49_650],
      ],
      recommended: [86_888, 108_610, 130_332],
      adjustments: {},
      adjusted: 108_610,
      departments: { body: 13_000, refinish: 36_000, parts: 46_650, materials: 12_960 },
      days: 5, // ceil(4.9 / 4) + 2 + 1, at most 2 + 3
    });
    expect(result.meta).toMatchObject({ labor_rate_used: 10_000, currency: 'JPY' });
    expect(result.meta.fx).toBeUndefined();
    expect(result.meta.parts_fx).toEqual({ from: 'USD', to: 'JPY', rate: 150, date: '2024-12-31' });
  });
});
