import { describe, expect, it } from 'vitest';
import { assessed, linesOf } from '../../helpers/pricing/assessments.ts';
import { collectFigures } from '../../helpers/pricing/figures.ts';

// US_MIDWEST: 115 USD an hour; paint materials 53.50 per refinish hour.
// Worked twice, by two hands; the second had the tables and the rules, not these figures (src/pricing/README.md).
describe('collisions computed by hand, line by line', () => {
  // Rules: overlap 0.4 h adjacent, 0.2 h for covers and what does not touch (CCC); clear coat 40 % and 20 % (MOTOR); new
  // and severely dented panels blend their neighbors by half of their base; a crack in plastic is replaced.
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
        // 0.6 + aim 0.5 = 1.1 h x 115 = 126.50 + 1,376
        { damage_id: 'd', type: 'headlight_damage', location: 'headlight_left', severity: 'severe' },
        // 2.3 h x 115 = 264.50 + 420
        { damage_id: 'e', type: 'crack', location: 'cooling_system', severity: 'critical' },
      ],
    });
    expect(collectFigures(result)).toMatchObject({
      damages: [
        ['panel_repair', 13, 1816],
        ['panel_repair', 7, 992.25],
        ['bumper_replacement', 7.1, 1711.2],
        ['lamp_replacement', 1.1, 1502.5],
        ['mechanical_replacement', 2.3, 684.5],
      ],
      // 1,816.00 + 992.25 + 1,711.20 + 1,502.50 + 684.50 = 6,706.45
      adjustments: {
        // The left fender is painted: its blend of 0.9 h falls away. 0.9 x (115 + 53.50) = 151.65
        // Bumper 3.0 first; the hood does not touch it, 0.2; the fender touches the hood, 0.4. 0.6 x 168.50 = 101.10
        // Singly 1.2 + 0.7 + 1.2 = 3.1; together 0.4 x 3.0 + 0.2 x 2.8 + 0.2 x 1.4 = 2.04 -> 2.0. 1.1 x 168.50 = 185.35
        one_repair_per_vehicle: [-2.6, -438.1],
      },
      adjusted: 6268.35, // 6,706.45 - 151.65 - 101.10 - 185.35
      departments: {
        body: 1667.5, // 7.0 + 3.5 + 2.9 + 1.1 = 14.5 h
        refinish: 1276.5, // 3.0 + 2.8 + 1.4 + clear 2.0 + blends 1.0 + 0.9 = 11.1 h
        mechanical: 264.5,
        parts: 2466, // 670 + 1,376 + 420
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
      'R&R headlight_left': [0.6, 1445], // 0.6 x 115 = 69, and 1,376
      'Algn headlight_left': [0.5, 57.5],
      'R&R cooling_system': [2.3, 684.5], // 2.3 x 115 = 264.50, and 420
      'Clear front_bumper': [2, 230], // 2.0 x 115
      'Blnd front_door_left': [1, 115], // half of 1.9
      'Blnd front_fender_right': [0.9, 103.5], // half of 1.8
      'Add paint_materials': [0, 593.85],
    });
  });

  // Rules: structural work where the frame is named, not for the word critical; clear coat at most 2.5 h (MOTOR); a
  // total loss where repair with tax and salvage reach the value.
  it('total loss, California: structural work at the front of a car worth 9,000', () => {
    // US_CALIFORNIA: 175 an hour, materials 60.00, 7.25 % tax on parts and materials; total-loss formula: repair + salvage >= value.
    const result = assessed({
      assessment_options: { labor_rate_region: 'US_CALIFORNIA' },
      vehicle: { market_value: 9000, mileage_km: 200_000 },
      damages: [
        // Critical (8.75): pull 1 + 0.6 x 3.75 squared = 9.4 h; set-up 2.0; fender 2.0 + 2.2 + clear 0.9 + blend 1.0
        // = 17.5 h x 175 = 3,062.50 + 556 + 4.1 x 60 = 246.00 -> 3,864.50
        { damage_id: 'a', type: 'frame_damage', location: 'front_fender_left', severity: 'critical' },
        // Critical: replaced. 8.9 h x 175 = 1,557.50 + 900 + 7.4 x 60 = 444.00 -> 2,901.50
        { damage_id: 'b', type: 'panel_damage', location: 'hood', severity: 'critical' },
        // A plastic cover is replaced, not pulled: 2.9 + 3.0 + 1.2 = 7.1 h x 175 = 1,242.50 + 670 + 4.2 x 60 = 252.00
        { damage_id: 'c', type: 'panel_damage', location: 'front_bumper', severity: 'critical' },
        // 3.9 h x 175 = 682.50 + 659 + urethane 30 -> 1,371.50
        { damage_id: 'd', type: 'shattered_glass', location: 'windshield' },
      ],
    });
    expect(collectFigures(result)).toMatchObject({
      damages: [
        ['structural_repair', 17.5, 3864.5],
        ['panel_replacement', 8.9, 2901.5],
        ['bumper_replacement', 7.1, 2164.5],
        ['glass_replacement', 3.9, 1371.5],
      ],
      adjustments: {
        // Blend 0.9 x (175 + 60); overlap 0.6: hood first; cover 0.2, fender 0.4
        // Singly 0.9 + 1.6 + 1.2 = 3.7; 0.4 x 4.0 + 0.2 x 2.8 + 0.2 x 1.8 = 2.52 -> 2.5: 1.2 x 235
        one_repair_per_vehicle: [-2.7, -634.5],
      },
      adjusted: 9667.5, // 10,302.00 - 211.50 - 141.00 - 282.00
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
      'Add paint_materials': [0, 780], // 13.0 x 60
    });
    const {
      total_loss: loss,
      impact_on_vehicle_value: value,
      repair_cost_summary: costs,
    } = result.data.summary;
    // Parts 2,815.00 + materials 13.0 x 60 = 780.00: 3,595.00 x 7.25 % = 260.64
    expect(costs.tax).toMatchObject({
      taxable: 3595,
      amount: 260.64,
      net_total: 9667.5,
      gross_total: 9928.14,
    });
    // The first bill with tax, in which what is expected counts by its share; and salvage, over the value.
    const repair = costs.first_bill_gross ?? 0;
    expect(repair).toBeGreaterThan(9928.14);
    expect(loss).toMatchObject({ verdict: 'total_loss', salvage_value: 2250, repair_cost: repair });
    expect(loss.ratio_percentage).toBeCloseTo((100 * (repair + 2250)) / 9000, 1);
    expect(value.value_reduction).toBe(0); // 124,274 miles: mileage modifier 0
  });
});
