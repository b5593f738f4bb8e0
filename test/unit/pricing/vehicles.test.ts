import { expect, it } from 'vitest';
import { assessed, linesOf } from '../../helpers/pricing/assessments.ts';

/** A vehicle with the figures that a person computed for it from the tables and the rules. */
interface Vehicle {
  readonly region?: string;
  readonly currency?: string;
  readonly facts?: object;
  readonly overrides?: readonly object[];
  /** Each damage with the option that is recommended for it and, by itself, its hours and its total. */
  readonly damages: readonly (readonly [damage: object, option: string, hours?: number, total?: number])[];
  /** All lines that count, with hours and amount. */
  readonly lines: Readonly<Record<string, readonly [hours: number, amount: number]>>;
  readonly sums: {
    /** What is saved because the repairs are one job. */
    readonly adjustments?: Readonly<Record<string, readonly [hours: number, amount: number]>>;
    readonly departments?: Readonly<Record<string, number>>;
    readonly total: number;
    readonly tax?: number;
    readonly days?: number;
  };
}

const cm = (length: number) => ({ measurements: { length, unit: 'cm' } });
const hit = (location: string, type: string, severity?: string, more: object = {}) => ({
  location,
  type,
  ...(severity && { severity }),
  ...more,
});
const hail = (location: string, count: number, diameter: number) =>
  hit(location, 'hail', 'minor', { count, measurements: { diameter, unit: 'cm' } });

// Worked twice, by two hands; the second had the tables and the rules, not these figures (src/pricing/README.md).
const VEHICLES: Readonly<Record<string, Vehicle>> = {
  // Rules: repair times are judgement, hours x rate; a dent by its cell of the PDR matrix, its hours for the days only.
  // US_MIDWEST, also where no region is given: 115 USD an hour; paint materials 53.50 per refinish hour.
  'light: a polish, a touch-up, a dent pushed out': {
    damages: [
      // polish 0.8 + 0.2 x 1.0 = 1.0 h x 115 = 115.00 + compound 10 = 125.00
      [hit('front_door_left', 'scratch', undefined, { severity_score: 1 }), 'polish', 1, 125],
      // touch-up 1.0 + 0.2 x 1.25 = 1.25 -> 1.3 h x 115 = 149.50 + paint 30 = 179.50
      [hit('hood', 'paint_damage', 'minor'), 'paint_touch_up', 1.3, 179.5],
      // a minor dent is taken as 2.4 cm: "quarter", side panel, 155.00; 155 / 120 = 1.3 h
      [hit('front_fender_right', 'dent', 'minor'), 'pdr', 1.3, 155],
    ],
    lines: {
      'Pol front_door_left': [1, 115], // 1.0 x 115
      'Add polishing_compound': [0, 10],
      'Tch hood': [1.3, 149.5], // 1.3 x 115
      'Add touch_up_paint': [0, 30],
      'PDR front_fender_right': [1.3, 155],
    },
    sums: {
      departments: { body: 264.5, pdr: 155, parts: 40 },
      total: 459.5,
      days: 1, // ceil(3.6 / 4)
    },
  },

  // Rules: panel, count and size of most dents choose the cell (hailest.com); one minimum a visit.
  'hail: three panels by the matrix': {
    damages: [
      [hail('hood', 25, 2), 'pdr', 2.7, 325], // flat, 16-30, nickel; 325 / 120 = 2.71 h
      [hail('roof', 40, 2.3), 'pdr', 4, 475], // flat, 31-50, quarter; 475 / 120 = 3.96 h
      [hail('front_door_left', 8, 1.5), 'pdr', 1.1, 135], // side, 6-15, dime, above the minimum of 125; 1.13 h
    ],
    lines: { 'PDR hood': [2.7, 325], 'PDR roof': [4, 475], 'PDR front_door_left': [1.1, 135] },
    sums: { departments: { pdr: 935 }, total: 935, days: 2 },
  },

  // Rules: the longest job of a panel in full, each other at half, one refinish; painted neighbors are not blended.
  'side, Germany in euro: two damages on one door are one repair': {
    region: 'EU_GERMANY', // 100 EUR, materials 44.00.
    currency: 'EUR',
    damages: [
      // Both: 1.5 x 1.4 = 2.1 h, and half of 1.5 x 0.3 x 1.0 = 0.5 h: 2.4 h + 1.9 + clear 0.8 + blends: rear door 1.0,
      // fender 0.9 = 7.0 h = 700 + 4.6 x 44 = 202.40
      [hit('front_door_left', 'dent', 'severe'), 'panel_repair', 7, 902.4],
      [hit('front_door_left', 'scratch', 'moderate'), 'panel_repair', 7, 902.4],
      // 2.0 x 1.4 = 2.8 h + 1.9 + 0.8 + blends: front door 1.0, quarter panel 1.0 = 7.5 h = 750 + 4.7 x 44 = 206.80
      [hit('rear_door_left', 'dent', 'severe'), 'panel_repair', 7.5, 956.8],
      // 3.7 x 0.3 = 1.11 -> 1.1 h + 2.0 + 0.8 = 3.9 h = 390 + 2.8 x 44 = 123.20
      [hit('quarter_panel_left', 'scratch', 'moderate'), 'panel_refinish', 3.9, 513.2],
    ],
    lines: {
      'Rpr front_door_left': [2.4, 240], // 2.1 + half of 0.5
      'Refn front_door_left': [1.5, 150], // 1.9 - 0.4
      'Rpr rear_door_left': [2.8, 280],
      'Refn rear_door_left': [1.5, 150], // 1.9 - 0.4
      'Rpr quarter_panel_left': [1.1, 110],
      'Refn quarter_panel_left': [2, 200],
      'Clear quarter_panel_left': [1.4, 140],
      'Blnd front_fender_left': [0.9, 90],
      'Add paint_materials': [0, 321.2], // 7.3 x 44
    },
    sums: {
      adjustments: {
        // The repair of the front door stands at both of its damages.
        one_repair_per_panel: [-7, -902.4],
        // Doors and quarter panel are painted: no blend of 3 x 1.0 h; the fender's stays. Quarter first, doors 0.4 less each.
        // Clear 2.4 singly; 0.8 + 0.3 + 0.3 = 1.4 together. (3 + 0.8 + 1) x 144
        one_repair_per_vehicle: [-4.8, -691.2],
      },
      departments: { body: 630, refinish: 730, materials: 321.2 },
      total: 1681.2,
      days: 5, // ceil(13.6 / 4) + 1
    },
  },

  // Rules: scratches below severe are painted, not replaced; a broken lamp is replaced; amounts in whole yen.
  'yen: whole yen throughout': {
    // 10,000 JPY an hour, materials at 3,600 and parts at 0.335 of the US price, 156.764 JPY for one USD.
    region: 'ASIA_JAPAN',
    currency: 'JPY',
    damages: [
      // Plastic: 0.3 + 0.1 x 3.75 = 0.675 -> 0.7 h + 2.6 + 1.0 = 4.3 h = 43,000 + 3.6 x 3,600 = 12,960
      [hit('rear_bumper', 'scratch', 'moderate'), 'panel_refinish', 4.3, 55_960],
      // 0.3 h = 3,000 + 311 x 0.335 x 156.764 = 16,332
      [hit('taillight_right', 'taillight_damage', 'severe'), 'lamp_replacement', 0.3, 19_332],
    ],
    lines: {
      'Rpr rear_bumper': [0.7, 7_000],
      'Refn rear_bumper': [2.6, 26_000],
      'Clear rear_bumper': [1, 10_000], // 0.4 x 2.6 = 1.04
      'R&R taillight_right': [0.3, 19_332], // 3,000, and 16,332
      'Add paint_materials': [0, 12_960],
    },
    sums: {
      departments: { body: 10_000, refinish: 36_000, parts: 16_332, materials: 12_960 },
      total: 75_292,
      days: 5, // ceil(4.6 / 4) + 2 + 1, at most 2 + 3
    },
  },

  // Rules: overlap 0.4 h adjacent, 0.2 h for covers and what does not touch (CCC); clear coat 40 % and 20 % (MOTOR); new
  // and severely dented panels blend their neighbors by half of their base; a crack in plastic is replaced.
  'front collision: hood, fender, bumper, lamp, radiator': {
    damages: [
      // Severe (6.25): factor 0.4 + 0.16 x 6.25 = 1.4. Repair 4.0 x 1.25 x 1.4 = 7.0 h + refinish 3.0 + clear 1.2
      // + blends 0.9 + 0.9 = 13.0 h x 115 + 6.0 x 53.50 = 1,816.00. Replace: 1.5 + 4.0 + 1.6 + 0.9 + 0.9 = 8.9 h
      // x 115 = 1,023.50 + 900 + 7.4 x 53.50 = 395.90 -> 2,319.40: 78 %, near, but the repair costs less.
      [hit('hood', 'panel_damage', 'severe'), 'panel_repair', 13, 1816],
      // 2.0 x 1.25 x 1.4 = 3.5 h + 1.8 + 0.7 + blend of the door 1.9 / 2 = 0.95 -> 1.0: 7.0 h x 115 = 805
      // + 3.5 x 53.50 = 187.25 -> 992.25.
      [hit('front_fender_left', 'panel_damage', 'severe'), 'panel_repair', 7, 992.25],
      // A crack in plastic from severe on: 2.9 + 3.0 + 1.2 = 7.1 h x 115 = 816.50 + 670 + 4.2 x 53.50 = 224.70
      [hit('front_bumper', 'crack', 'severe'), 'bumper_replacement', 7.1, 1711.2],
      // 0.6 + aim 0.5 = 1.1 h x 115 = 126.50 + 1,376
      [hit('headlight_left', 'headlight_damage', 'severe'), 'lamp_replacement', 1.1, 1502.5],
      // 2.3 h x 115 = 264.50 + 420
      [hit('cooling_system', 'crack', 'critical'), 'mechanical_replacement', 2.3, 684.5],
    ],
    lines: {
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
      'Add paint_materials': [0, 593.85], // 11.1 x 53.50
    },
    sums: {
      adjustments: {
        // The left fender is painted: its blend of 0.9 h falls away. 0.9 x (115 + 53.50) = 151.65
        // Bumper 3.0 first; the hood does not touch it, 0.2; the fender touches the hood, 0.4. 0.6 x 168.50 = 101.10
        // Singly 1.2 + 0.7 + 1.2 = 3.1; together 0.4 x 3.0 + 0.2 x 2.8 + 0.2 x 1.4 = 2.04 -> 2.0. 1.1 x 168.50 = 185.35
        one_repair_per_vehicle: [-2.6, -438.1],
      },
      departments: { body: 1667.5, refinish: 1276.5, mechanical: 264.5, parts: 2466, materials: 593.85 },
      total: 6268.35, // 6,706.45 - 151.65 - 101.10 - 185.35
      days: 10, // ceil(27.9 / 4) + 2 + 1
    },
  },

  // Rules: structural work where the frame is named, not for the word critical; clear coat at most 2.5 h (MOTOR).
  'structural work at the front, California': {
    region: 'US_CALIFORNIA', // 175 USD an hour, materials 60.00; 7.25 % on parts and materials.
    damages: [
      // Critical (8.75): pull 1 + 0.6 x 3.75 squared = 9.4 h; set-up 2.0; fender 2.0 + 2.2 + clear 0.9 + blend 1.0
      // = 17.5 h x 175 = 3,062.50 + 556 + 4.1 x 60 = 246.00 -> 3,864.50
      [hit('front_fender_left', 'frame_damage', 'critical'), 'structural_repair', 17.5, 3864.5],
      // Critical: replaced. 8.9 h x 175 = 1,557.50 + 900 + 7.4 x 60 = 444.00 -> 2,901.50
      [hit('hood', 'panel_damage', 'critical'), 'panel_replacement', 8.9, 2901.5],
      // A plastic cover is replaced, not pulled: 2.9 + 3.0 + 1.2 = 7.1 h x 175 = 1,242.50 + 670 + 4.2 x 60 = 252.00
      [hit('front_bumper', 'panel_damage', 'critical'), 'bumper_replacement', 7.1, 2164.5],
      // 3.9 h x 175 = 682.50 + 659 + urethane 30 -> 1,371.50
      [hit('windshield', 'shattered_glass'), 'glass_replacement', 3.9, 1371.5],
    ],
    lines: {
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
    },
    sums: {
      adjustments: {
        // Blend 0.9 x (175 + 60); overlap 0.6: hood first; cover 0.2, fender 0.4
        // Singly 0.9 + 1.6 + 1.2 = 3.7; 0.4 x 4.0 + 0.2 x 2.8 + 0.2 x 1.8 = 2.52 -> 2.5: 1.2 x 235
        one_repair_per_vehicle: [-2.7, -634.5],
      },
      total: 9667.5, // 10,302.00 - 211.50 - 141.00 - 282.00
      tax: 260.64, // Parts 2,815.00 + materials 780.00: 3,595.00 x 7.25 %
    },
  },

  // Rule: a cover next to the lid overlaps by 0.2 h (CCC, "Overlap Major Non-Adj. Panel -0.2"); a lid blends both sides.
  'rear of an SUV with radar in the lamp, Texas': {
    region: 'US_TEXAS', // 125 USD an hour, materials 48.00; 6.25 % on goods.
    facts: { body: 'suv', taillights: 'radar', paint: 'metallic' },
    damages: [
      [hit('trunk_lid', 'panel_damage', 'critical'), 'panel_replacement'],
      [hit('rear_bumper', 'crack', 'severe'), 'bumper_replacement'],
      [hit('taillight_left', 'taillight_damage', 'severe'), 'lamp_replacement'],
    ],
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
    sums: {
      departments: { body: 912.5, refinish: 1175, parts: 2535, materials: 451.2 },
      total: 5073.7,
      tax: 186.64, // (2,535.00 + 451.20) x 6.25 %
    },
  },

  // Rules: a section of a quarter panel takes 11.0 and 11.5 h (MOTOR); 70 % and 40 % in three stages, in place of the clear coat;
  // blends 70 %; a part below 1.0 h is minor and overlaps by 0.2 (SCRS). AAA 2023: a camera in the mirror is calibrated.
  'side with a section of the quarter panel, in three stages, a camera in the mirror, Northeast': {
    region: 'US_NORTHEAST', // 150 USD an hour, materials 49.50; Pennsylvania: 6 % on everything.
    facts: { paint: 'three_stage', mirrors: 'camera' },
    overrides: [{ damage_id: 'a', option: 'section_replacement' }],
    damages: [
      [hit('quarter_panel_left', 'dent', 'severe', cm(40)), 'section_replacement'],
      [hit('rear_door_left', 'panel_damage', 'critical'), 'panel_replacement'],
      [hit('front_door_left', 'mirror_damage', 'critical'), 'component_replacement'],
    ],
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
    sums: {
      departments: { body: 2460, refinish: 1680, parts: 3444, sublet: 250, materials: 554.4 },
      total: 8388.4,
      tax: 503.3, // 6 % of everything
    },
  },

  // Rules: aluminium +25 %, medium depth +15 % in PDR (hailcraftsmen.com), 50 USD a dent above a half-dollar
  // (hailest.com); repair in aluminium at 1.8 times the body rate (135 against 75 USD, Pennsylvania 2025/26).
  'hail and dents on an aluminum body, premium': {
    facts: { class: 'premium', panels: 'aluminium' }, // Aluminium 207 USD an hour; 6.25 % on goods.
    damages: [
      // Roof: flat, 16 to 30, quarter: 375 x 1.25 = 468.75; / 120 = 3.9 h
      [hail('roof', 20, 2.4), 'pdr'],
      // Door: half-dollar 185 + one step oversize 50 = 235, x 1.15 x 1.25 = 337.81.
      [hit('front_door_left', 'dent', 'moderate', cm(5)), 'pdr'],
      [hit('hood', 'dent', 'severe', cm(12)), 'panel_repair'],
    ],
    lines: {
      'PDR roof': [3.9, 468.75],
      'PDR front_door_left': [2.8, 337.81],
      'Rpr hood': [5.6, 1159.2], // 4.0 x (0.4 + 0.16 x 6.25), 12 cm; 5.6 x 207
      'Refn hood': [3, 345], // 3.0 x 115
      'Clear hood': [1.2, 138], // 1.2 x 115
      'Blnd front_fender_left': [0.9, 103.5], // 0.9 x 115
      'Blnd front_fender_right': [0.9, 103.5],
      'Add paint_materials': [0, 321], // 6.0 x 53.50
    },
    sums: {
      departments: { pdr: 806.56, aluminium: 1159.2, refinish: 690, materials: 321 },
      total: 2976.76,
      tax: 20.06, // 321.00 x 6.25 %: no parts, labor is free
    },
  },

  // Rules: bonded quarter panels of electric cars 23.5 and 24.5 h (CCC estimates of 2025/26); glass is fitted in half
  // the US hours; solid colors are not blended; scrapes up to 15 cm are spot repaired. VAT on everything.
  'electric car in Germany: windshield with display, matrix lamp, quarter panel, a scrape': {
    region: 'EU_GERMANY', // 1 USD = 0.850268 EUR; parts at 1.03, glass at 0.87 of the US price.
    currency: 'EUR',
    facts: { drive: 'electric', windshield: 'camera_hud', headlights: 'matrix', paint: 'solid' },
    damages: [
      [hit('windshield', 'shattered_glass'), 'glass_replacement'],
      [hit('headlight_left', 'headlight_damage', 'severe'), 'lamp_replacement'],
      [hit('quarter_panel_left', 'panel_damage', 'severe', { subtype: 'missing_part' }), 'panel_replacement'],
      [hit('front_bumper', 'scratch', 'moderate', cm(12)), 'spot_repair'],
    ],
    lines: {
      'Rpr front_bumper': [1.6, 160], // 1.0 + 0.15 x 3.75 = 1.56, hours of the paint shop; 1.6 x 100
      'R&R headlight_left': [0.6, 1723.97], // 0.6 x 100 = 60, and 1,663.97 = 1,900 x 1.03 x 0.850268
      'Algn headlight_left': [0.5, 50],
      'R&R quarter_panel_left': [24, 3426.41], // 24 x 100 = 2,400, and 1,026.41 = 1,172 x 1.03 x 0.850268
      'Refn quarter_panel_left': [3.4, 340], // 3.4 x 100
      'R&R windshield': [2, 1361.38], // 3.9 x 0.5 = 1.95; 2.0 x 100, and 1,161.38 = 1,570 x 0.87 x 0.850268
      'Add urethane_kit': [0, 26.27], // 26.27 = 30 x 1.03 x 0.850268
      'Add small_parts': [0, 77.04], // 2 % of the three parts, 3,851.76
      'Subl front_camera_calibration': [0, 306.1], // 306.1 = 360 x 0.850268
      'Clear quarter_panel_left': [1.4, 140], // 0.4 x 3.4 = 1.36; 1.4 x 100
      'Add paint_materials': [0, 281.6], // 6.4 x 44
    },
    sums: {
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
    },
  },
};

it.each(Object.entries(VEHICLES))('computed by hand: %s', (_, vehicle) => {
  const { region = 'US_MIDWEST', currency = 'USD', facts = {}, overrides = [], damages } = vehicle;
  const { data } = assessed({
    damages: damages.map(([damage], i) => ({ damage_id: 'abcde'[i], ...damage })),
    vehicle: facts,
    overrides,
    assessment_options: { labor_rate_region: region, currency },
  });
  const options = data.assessed_damages.map(({ repair_options }, i) => {
    const option = repair_options.find(({ recommended }) => recommended);
    return [option?.option, option?.labor.hours, option?.total_cost.total].slice(
      0,
      (damages[i]?.length ?? 0) - 1,
    );
  });
  expect(options).toEqual(damages.map(([, ...figures]) => figures));
  expect(linesOf({ data })).toEqual(vehicle.lines);
  const { repair_cost_summary: costs, repair_timeline: timeline } = data.summary;
  const changes = costs.adjustments.map(({ code, hours, estimated }) => [code, [hours, estimated]] as const);
  expect({
    adjustments: Object.fromEntries(changes),
    departments: Object.fromEntries(costs.departments.map(({ department, total }) => [department, total])),
    total: costs.adjusted_total.estimated,
    tax: costs.tax?.amount,
    days: timeline?.estimated_total_days,
  }).toMatchObject(vehicle.sums);
});
