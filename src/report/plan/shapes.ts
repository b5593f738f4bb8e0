import { isLamp, isPartName, type PartName } from '../../domain/parts.ts';

/**
 * Shape of a sedan, our own drawing: left side and top, front to the left, in plan units (about one centimeter of a
 * mid-size car), origin at the top left of each view, y downwards. The right side mirrors the left. The top view draws
 * the vehicle's right half (upper) and mirrors it down. Paths are SVG path data.
 */
export interface PlanShape {
  /** Part of the contract, or null for shapes without findings (wheels, sills, mirrors). */
  readonly part: PartName | null;
  readonly path: string;
  /** Label position in plan units; each part has one in a single view. */
  readonly at?: readonly [number, number];
  readonly kind: 'panel' | 'glass' | 'lamp' | 'trim' | 'tyre' | 'rim';
}

/** Colors of the plan; `base` fills undamaged parts, `spacing` is in plan units. */
export const PLAN_STYLE = {
  base: {
    panel: '#f6f7f9',
    glass: '#dfe8f1',
    lamp: '#fdf6e3',
    trim: '#cfd5dc',
    tyre: '#4a525c',
    rim: '#d8dde3',
  } satisfies Record<PlanShape['kind'], string>,
  outline: '#6b7683',
  hatch: { color: '#5a6675', spacing: 7 },
} as const;

export const SIDE_SIZE = { width: 462, height: 152 } as const;
export const TOP_SIZE = { width: 462, height: 184 } as const;

const makeCircle = (x: number, y: number, r: number) =>
  `M${x - r},${y} A${r},${r} 0 1 0 ${x + r},${y} A${r},${r} 0 1 0 ${x - r},${y} Z`;

/** Creates the shape of a part: glass, a lamp or a panel, depending on its name. */
function ofPart(part: PartName, path: string, at?: readonly [number, number]): PlanShape {
  const kind = /wind/.test(part) ? 'glass' : isLamp(part) ? 'lamp' : 'panel';
  return { part, kind, path, ...(at && { at }) };
}

/** Left side. The mirrored view swaps names ending in `_left`/`fl`/`rl` for the right. */
export const SIDE_SHAPES: readonly PlanShape[] = [
  { part: null, kind: 'trim', path: 'M123,121 L327,121 L325,133 Q226,137 127,133 Z' },
  ofPart('hood', 'M19,70 Q30,62 64,57 Q98,52 132,52 L134,57 Q96,57 62,64 Q36,68 19,70 Z'),
  ofPart('windshield', 'M132,52 Q160,28 192,14 L204,15 Q172,32 146,57 L134,57 Z'),
  ofPart('roof', 'M192,14 Q222,5 268,5 Q316,6 348,19 L340,23 Q306,11 266,11 Q228,11 204,15 Z'),
  ofPart('rear_window', 'M348,19 Q376,32 404,53 L392,56 Q366,36 340,23 Z'),
  ofPart('trunk_lid', 'M404,53 L442,55 Q450,56 452,62 L428,61 Q410,58 392,56 Z'),
  ofPart('front_bumper', 'M11,79 L38,84 Q48,92 51,118 L48,128 L20,128 Q8,126 6,112 Q4,94 11,79 Z'),
  ofPart(
    'front_fender_left',
    'M66,64 Q98,57 134,57 L146,58 Q141,74 143,96 Q144,112 147,124 L125,124 L125,118 A37,37 0 0 0 51,118 Q48,92 39,84 Q56,80 66,64 Z',
    [112, 72],
  ),
  ofPart('headlight_left', 'M12,78 Q18,70 34,68 L65,64 Q56,79 38,83 Z', [38, 74]),
  ofPart('fog_light_left', 'M15,104 L33,106 L32,113 L17,112 Z', [24, 108]),
  ofPart(
    'front_door_left',
    'M146,58 L252,58 Q254,92 249,124 L147,124 Q144,112 143,96 Q141,74 146,58 Z',
    [198, 92],
  ),
  ofPart(
    'rear_door_left',
    'M254,58 L348,58 Q350,78 337,91 A37,37 0 0 0 325,118 L325,124 L251,124 Q256,92 254,58 Z',
    [294, 92],
  ),
  ofPart(
    'quarter_panel_left',
    'M350,58 L392,57 Q412,59 428,62 L425,83 Q416,96 400,110 A37,37 0 0 0 339,90 Q352,78 350,58 Z',
    [396, 76],
  ),
  ofPart('taillight_left', 'M429,62 L452,63 Q456,72 455,84 L426,83 Z', [442, 73]),
  ofPart(
    'rear_bumper',
    'M425,85 L456,86 Q459,106 452,122 Q450,128 442,128 L402,128 L399,118 L400,111 Q417,97 425,85 Z',
  ),
  ofPart('side_window_fl', 'M154,55 Q178,33 210,20 Q228,15 250,14 L252,55 Z', [216, 38]),
  ofPart('side_window_rl', 'M257,14 Q306,14 336,26 Q360,38 380,54 L259,55 Z', [304, 37]),
  { part: null, kind: 'trim', path: 'M150,50 Q160,44 168,48 L167,57 L151,58 Z' },
  { part: null, kind: 'trim', path: 'M230,70 L247,70 L247,74 L230,74 Z' },
  { part: null, kind: 'trim', path: 'M325,70 L342,70 L342,74 L325,74 Z' },
  { part: null, kind: 'tyre', path: makeCircle(88, 118, 32) },
  { part: null, kind: 'rim', path: makeCircle(88, 118, 21) },
  { part: null, kind: 'tyre', path: makeCircle(362, 118, 32) },
  { part: null, kind: 'rim', path: makeCircle(362, 118, 21) },
];

/** Parts on the center line, seen from above. */
export const TOP_CENTER_SHAPES: readonly PlanShape[] = [
  ofPart('front_bumper', 'M38,16 Q8,36 5,92 Q8,148 38,168 L46,158 Q24,138 22,92 Q24,46 46,26 Z', [13, 92]),
  ofPart(
    'hood',
    'M24,92 Q26,52 52,37 L132,28 Q122,60 122,92 Q122,124 132,156 L52,147 Q26,132 24,92 Z',
    [74, 92],
  ),
  ofPart(
    'windshield',
    'M135,29 Q125,62 125,92 Q125,122 135,155 L190,140 Q183,116 183,92 Q183,68 190,44 Z',
    [154, 92],
  ),
  ofPart(
    'roof',
    'M193,44 Q186,68 186,92 Q186,116 193,140 Q264,146 330,139 Q336,116 336,92 Q336,68 330,45 Q264,38 193,44 Z',
    [262, 92],
  ),
  ofPart(
    'rear_window',
    'M333,46 Q339,68 339,92 Q339,116 333,138 L388,152 Q396,122 396,92 Q396,62 388,32 Z',
    [366, 92],
  ),
  ofPart(
    'trunk_lid',
    'M391,32 Q399,62 399,92 Q399,122 391,152 L434,146 Q442,120 442,92 Q442,64 434,38 Z',
    [420, 92],
  ),
  ofPart(
    'rear_bumper',
    'M426,20 Q456,36 458,92 Q456,148 426,164 L434,150 Q445,122 445,92 Q445,62 434,34 Z',
    [451, 92],
  ),
];

/** Right half seen from above (upper in the drawing), mirrored down for the left half. */
export const TOP_HALF_SHAPES: readonly PlanShape[] = [
  ofPart('front_fender_right', 'M62,20 Q96,11 140,11 L148,24 L132,26 L56,35 L72,27 Z'),
  ofPart('headlight_right', 'M40,22 Q50,18 61,18 L70,27 L50,36 Q40,40 34,46 Q34,32 40,22 Z'),
  ofPart('front_door_right', 'M142,11 L248,10 L248,22 L151,24 Z'),
  ofPart('rear_door_right', 'M250,10 L332,11 L332,23 L250,22 Z'),
  ofPart('side_window_fr', 'M152,26 L248,25 L248,40 Q218,40 194,42 Z'),
  ofPart('side_window_rr', 'M250,25 L338,26 L366,34 L332,43 Q300,40 250,40 Z'),
  ofPart('quarter_panel_right', 'M334,11 Q388,12 424,20 L416,32 L390,30 L368,33 L340,25 L334,23 Z'),
  ofPart('taillight_right', 'M425,21 Q438,28 446,42 L440,50 L434,36 L418,33 Z'),
  { part: null, kind: 'trim', path: 'M150,2 Q160,0 166,4 L162,10 L152,10 Z' },
];

const OTHER_SIDE: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  fl: 'fr',
  fr: 'fl',
  rl: 'rr',
  rr: 'rl',
};

/** Returns the part on the opposite side of the vehicle; a part on the center line maps to itself. */
export function mirrorPart(part: PartName | null): PartName | null {
  const mirrored = part?.replace(/(?<=_)(left|right|[fr][lr])$/, (side) => OTHER_SIDE[side] ?? side);
  return mirrored !== undefined && isPartName(mirrored) ? mirrored : null;
}
