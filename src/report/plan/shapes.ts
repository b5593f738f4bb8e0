import type { PartName } from '../../domain/parts.ts';

/**
 * Shape of a sedan, our own drawing: left side and top, front to the left, in plan units (about one centimetre of a
 * mid-size car), origin at the top left of each view, y downwards. The right side mirrors the left. The top view draws
 * the vehicle's right half (upper) and mirrors it down. Paths are SVG path data.
 */
export interface PlanShape {
  /** Part of the contract, or null for shapes without findings (wheels, sills, mirrors). */
  readonly part: PartName | null;
  /** Key of a shape without part, for redrawing by other body types. */
  readonly name?: string;
  readonly path: string;
  /** Label position in plan units; each part has one in a single view. */
  readonly at?: readonly [number, number];
  readonly kind: 'panel' | 'glass' | 'lamp' | 'trim' | 'tyre' | 'rim';
}

export const SIDE_SIZE = { width: 462, height: 152 } as const;
export const TOP_SIZE = { width: 462, height: 184 } as const;

const makeCircle = (x: number, y: number, r: number) =>
  `M${x - r},${y} A${r},${r} 0 1 0 ${x + r},${y} A${r},${r} 0 1 0 ${x - r},${y} Z`;

/** Left side. The mirrored view swaps names ending in `_left`/`fl`/`rl` for the right. */
export const SIDE_SHAPES: readonly PlanShape[] = [
  { part: null, kind: 'trim', path: 'M123,121 L327,121 L325,133 Q226,137 127,133 Z' },
  {
    part: 'hood',
    kind: 'panel',
    path: 'M19,70 Q30,62 64,57 Q98,52 132,52 L134,57 Q96,57 62,64 Q36,68 19,70 Z',
  },
  { part: 'windshield', kind: 'glass', path: 'M132,52 Q160,28 192,14 L204,15 Q172,32 146,57 L134,57 Z' },
  {
    part: 'roof',
    kind: 'panel',
    path: 'M192,14 Q222,5 268,5 Q316,6 348,19 L340,23 Q306,11 266,11 Q228,11 204,15 Z',
  },
  { part: 'rear_window', kind: 'glass', path: 'M348,19 Q376,32 404,53 L392,56 Q366,36 340,23 Z' },
  { part: 'trunk_lid', kind: 'panel', path: 'M404,53 L442,55 Q450,56 452,62 L428,61 Q410,58 392,56 Z' },
  {
    part: 'front_bumper',
    kind: 'panel',
    path: 'M11,79 L38,84 Q48,92 51,118 L48,128 L20,128 Q8,126 6,112 Q4,94 11,79 Z',
  },
  {
    part: 'front_fender_left',
    kind: 'panel',
    path: 'M66,64 Q98,57 134,57 L146,58 Q141,74 143,96 Q144,112 147,124 L125,124 L125,118 A37,37 0 0 0 51,118 Q48,92 39,84 Q56,80 66,64 Z',
    at: [112, 72],
  },
  { part: 'headlight_left', kind: 'lamp', path: 'M12,78 Q18,70 34,68 L65,64 Q56,79 38,83 Z', at: [38, 74] },
  { part: 'fog_light_left', kind: 'lamp', path: 'M15,104 L33,106 L32,113 L17,112 Z', at: [24, 108] },
  {
    part: 'front_door_left',
    kind: 'panel',
    path: 'M146,58 L252,58 Q254,92 249,124 L147,124 Q144,112 143,96 Q141,74 146,58 Z',
    at: [198, 92],
  },
  {
    part: 'rear_door_left',
    kind: 'panel',
    path: 'M254,58 L348,58 Q350,78 337,91 A37,37 0 0 0 325,118 L325,124 L251,124 Q256,92 254,58 Z',
    at: [294, 92],
  },
  {
    part: 'quarter_panel_left',
    kind: 'panel',
    path: 'M350,58 L392,57 Q412,59 428,62 L425,83 Q416,96 400,110 A37,37 0 0 0 339,90 Q352,78 350,58 Z',
    at: [396, 76],
  },
  { part: 'taillight_left', kind: 'lamp', path: 'M429,62 L452,63 Q456,72 455,84 L426,83 Z', at: [442, 73] },
  {
    part: 'rear_bumper',
    kind: 'panel',
    path: 'M425,85 L456,86 Q459,106 452,122 Q450,128 442,128 L402,128 L399,118 L400,111 Q417,97 425,85 Z',
  },
  {
    part: 'side_window_fl',
    kind: 'glass',
    path: 'M154,55 Q178,33 210,20 Q228,15 250,14 L252,55 Z',
    at: [216, 38],
  },
  {
    part: 'side_window_rl',
    kind: 'glass',
    path: 'M257,14 Q306,14 336,26 Q360,38 380,54 L259,55 Z',
    at: [304, 37],
  },
  { part: null, kind: 'trim', path: 'M150,50 Q160,44 168,48 L167,57 L151,58 Z' },
  { part: null, name: 'handle', kind: 'trim', path: 'M230,70 L247,70 L247,74 L230,74 Z' },
  { part: null, name: 'rear_handle', kind: 'trim', path: 'M325,70 L342,70 L342,74 L325,74 Z' },
  { part: null, name: 'tyre', kind: 'tyre', path: makeCircle(88, 118, 32) },
  { part: null, kind: 'rim', path: makeCircle(88, 118, 21) },
  { part: null, name: 'rear_tyre', kind: 'tyre', path: makeCircle(362, 118, 32) },
  { part: null, kind: 'rim', path: makeCircle(362, 118, 21) },
];

/** Parts on the centre line, seen from above. */
export const TOP_CENTRE_SHAPES: readonly PlanShape[] = [
  {
    part: 'front_bumper',
    kind: 'panel',
    path: 'M38,16 Q8,36 5,92 Q8,148 38,168 L46,158 Q24,138 22,92 Q24,46 46,26 Z',
    at: [13, 92],
  },
  {
    part: 'hood',
    kind: 'panel',
    path: 'M24,92 Q26,52 52,37 L132,28 Q122,60 122,92 Q122,124 132,156 L52,147 Q26,132 24,92 Z',
    at: [74, 92],
  },
  {
    part: 'windshield',
    kind: 'glass',
    path: 'M135,29 Q125,62 125,92 Q125,122 135,155 L190,140 Q183,116 183,92 Q183,68 190,44 Z',
    at: [154, 92],
  },
  {
    part: 'roof',
    kind: 'panel',
    path: 'M193,44 Q186,68 186,92 Q186,116 193,140 Q264,146 330,139 Q336,116 336,92 Q336,68 330,45 Q264,38 193,44 Z',
    at: [262, 92],
  },
  {
    part: 'rear_window',
    kind: 'glass',
    path: 'M333,46 Q339,68 339,92 Q339,116 333,138 L388,152 Q396,122 396,92 Q396,62 388,32 Z',
    at: [366, 92],
  },
  {
    part: 'trunk_lid',
    kind: 'panel',
    path: 'M391,32 Q399,62 399,92 Q399,122 391,152 L434,146 Q442,120 442,92 Q442,64 434,38 Z',
    at: [420, 92],
  },
  {
    part: 'rear_bumper',
    kind: 'panel',
    path: 'M426,20 Q456,36 458,92 Q456,148 426,164 L434,150 Q445,122 445,92 Q445,62 434,34 Z',
    at: [451, 92],
  },
];

/** Right half seen from above (upper in the drawing), mirrored down for the left half. */
export const TOP_HALF_SHAPES: readonly PlanShape[] = [
  {
    part: 'front_fender_right',
    kind: 'panel',
    path: 'M62,20 Q96,11 140,11 L148,24 L132,26 L56,35 L72,27 Z',
  },
  {
    part: 'headlight_right',
    kind: 'lamp',
    path: 'M40,22 Q50,18 61,18 L70,27 L50,36 Q40,40 34,46 Q34,32 40,22 Z',
  },
  { part: 'front_door_right', kind: 'panel', path: 'M142,11 L248,10 L248,22 L151,24 Z' },
  { part: 'rear_door_right', kind: 'panel', path: 'M250,10 L332,11 L332,23 L250,22 Z' },
  { part: 'side_window_fr', kind: 'glass', path: 'M152,26 L248,25 L248,40 Q218,40 194,42 Z' },
  {
    part: 'side_window_rr',
    kind: 'glass',
    path: 'M250,25 L338,26 L366,34 L332,43 Q300,40 250,40 Z',
  },
  {
    part: 'quarter_panel_right',
    kind: 'panel',
    path: 'M334,11 Q388,12 424,20 L416,32 L390,30 L368,33 L340,25 L334,23 Z',
  },
  {
    part: 'taillight_right',
    kind: 'lamp',
    path: 'M425,21 Q438,28 446,42 L440,50 L434,36 L418,33 Z',
  },
  { part: null, kind: 'trim', path: 'M150,2 Q160,0 166,4 L162,10 L152,10 Z' },
];

/** Replaced shapes of a body type: path and label position, keyed by part or name. */
interface Redrawn {
  readonly [part: string]: readonly [path: string, at?: readonly [number, number]];
}

/** Differences of a body type from the sedan, in the coordinates of each view. */
export interface BodyShape {
  readonly side: Redrawn;
  readonly top: Redrawn;
}

const LIFTGATE_QUARTER_TOP = 'M334,11 Q388,12 424,20 L424,30 L404,25 L338,24 L334,23 Z';

const HATCHBACK: BodyShape = {
  side: {
    roof: ['M192,14 Q222,5 268,5 Q330,5 378,16 L372,22 Q326,11 266,11 Q228,11 204,15 Z'],
    rear_window: ['M378,16 Q404,30 424,55 L412,57 Q394,36 372,22 Z'],
    trunk_lid: ['M424,55 L444,58 Q450,60 452,63 L429,62 Q420,59 412,57 Z'],
    side_window_rl: ['M257,14 Q312,13 356,22 Q382,34 400,54 L259,55 Z', [312, 37]],
  },
  top: {
    roof: [
      'M193,44 Q186,68 186,92 Q186,116 193,140 Q280,146 366,139 Q372,116 372,92 Q372,68 366,45 Q280,38 193,44 Z',
      [280, 92],
    ],
    rear_window: [
      'M369,46 Q375,68 375,92 Q375,116 369,138 L412,150 Q420,122 420,92 Q420,62 412,34 Z',
      [396, 92],
    ],
    trunk_lid: [
      'M415,34 Q423,62 423,92 Q423,122 415,150 L434,146 Q442,120 442,92 Q442,64 434,38 Z',
      [430, 92],
    ],
    side_window_rr: ['M250,25 L368,26 L392,34 L366,43 Q300,40 250,40 Z'],
    quarter_panel_right: [LIFTGATE_QUARTER_TOP],
  },
};

const WAGON: BodyShape = {
  side: {
    roof: ['M192,14 Q222,5 268,5 Q350,5 412,13 L406,19 Q346,11 266,11 Q228,11 204,15 Z'],
    rear_window: ['M412,13 Q430,30 444,56 L432,58 Q420,34 406,19 Z'],
    trunk_lid: ['M444,56 L450,58 Q454,62 454,64 L430,62 L432,58 Z'],
    side_window_rl: ['M257,14 Q330,12 398,20 Q414,36 422,54 L259,55 Z', [324, 37]],
  },
  top: {
    roof: [
      'M193,44 Q186,68 186,92 Q186,116 193,140 Q290,146 400,139 Q406,116 406,92 Q406,68 400,45 Q290,38 193,44 Z',
      [296, 92],
    ],
    rear_window: [
      'M403,46 Q409,68 409,92 Q409,116 403,138 L428,149 Q436,122 436,92 Q436,62 428,35 Z',
      [420, 92],
    ],
    trunk_lid: [
      'M431,36 Q438,62 438,92 Q438,122 431,148 L436,146 Q443,120 443,92 Q443,64 436,38 Z',
      [439, 92],
    ],
    side_window_rr: ['M250,25 L404,27 L420,34 L400,42 Q320,39 250,40 Z'],
    quarter_panel_right: [LIFTGATE_QUARTER_TOP],
  },
};

/** Body types not drawn as a sedan; an unknown one is drawn as a hatchback, which lies between the others. */
export const BODY_SHAPES: Readonly<Record<string, BodyShape>> = {
  unknown: HATCHBACK,
  hatchback: HATCHBACK,
  wagon: WAGON,
  suv: {
    side: { ...WAGON.side, tyre: [makeCircle(88, 116, 35)], rear_tyre: [makeCircle(362, 116, 35)] },
    top: WAGON.top,
  },
  van: {
    side: {
      ...WAGON.side,
      hood: ['M19,70 Q28,62 54,56 L96,48 L102,56 Q84,58 62,64 Q36,68 19,70 Z'],
      windshield: ['M96,48 Q124,24 160,9 L172,12 Q140,30 114,57 L102,57 Z'],
      roof: ['M160,9 Q200,4 268,4 L424,7 L428,13 L266,10 Q200,9 172,12 Z'],
      side_window_fl: ['M122,55 Q148,32 182,18 Q212,14 250,14 L252,55 Z', [206, 38]],
      rear_window: ['M424,7 L446,56 L434,58 L418,13 Z'],
      side_window_rl: ['M257,14 L412,17 L428,54 L259,55 Z', [324, 37]],
    },
    top: {
      ...WAGON.top,
      hood: ['M24,92 Q26,52 52,37 L98,31 Q88,60 88,92 Q88,124 98,153 L52,147 Q26,132 24,92 Z', [58, 92]],
      windshield: [
        'M101,32 Q91,62 91,92 Q91,122 101,152 L160,142 Q150,116 150,92 Q150,68 160,42 Z',
        [120, 92],
      ],
      roof: [
        'M163,43 Q153,68 153,92 Q153,116 163,141 Q290,147 400,139 Q406,116 406,92 Q406,68 400,45 Q290,37 163,43 Z',
        [280, 92],
      ],
    },
  },
  pickup: {
    side: {
      roof: ['M192,14 Q222,5 250,5 Q280,6 296,14 L290,19 Q272,11 250,11 Q228,11 204,15 Z'],
      rear_window: ['M296,14 Q304,34 306,56 L299,56 Q298,36 290,19 Z'],
      trunk_lid: ['M428,58 L450,58 L452,63 L429,62 Z'],
      front_door_left: [
        'M146,58 L226,58 Q228,92 224,124 L147,124 Q144,112 143,96 Q141,74 146,58 Z',
        [186, 92],
      ],
      rear_door_left: ['M228,58 L302,58 Q304,92 300,124 L226,124 Q230,92 228,58 Z', [264, 92]],
      quarter_panel_left: [
        'M305,58 L428,58 L428,62 L425,83 Q416,96 400,110 A37,37 0 0 0 325,118 L325,124 L303,124 Q307,92 305,58 Z',
        [362, 70],
      ],
      side_window_fl: ['M154,55 Q178,33 206,21 Q216,17 226,16 L226,55 Z', [198, 40]],
      side_window_rl: ['M232,15 Q270,14 286,22 Q296,38 297,55 L232,55 Z', [262, 38]],
      handle: ['M206,70 L221,70 L221,74 L206,74 Z'],
      rear_handle: ['M282,70 L297,70 L297,74 L282,74 Z'],
    },
    top: {
      roof: [
        'M193,44 Q186,68 186,92 Q186,116 193,140 Q240,144 285,139 Q291,116 291,92 Q291,68 285,45 Q240,40 193,44 Z',
        [240, 92],
      ],
      rear_window: [
        'M288,46 Q294,68 294,92 Q294,116 288,138 L300,142 Q306,118 306,92 Q306,66 300,42 Z',
        [300, 92],
      ],
      trunk_lid: [
        'M427,36 Q434,62 434,92 Q434,122 427,148 L434,146 Q442,120 442,92 Q442,64 434,38 Z',
        [436, 92],
      ],
      front_door_right: ['M142,11 L226,10 L226,22 L151,24 Z'],
      rear_door_right: ['M228,10 L300,11 L300,23 L228,22 Z'],
      side_window_fr: ['M152,26 L226,25 L226,40 Q210,40 194,42 Z'],
      side_window_rr: ['M228,25 L290,26 L298,34 L286,43 Q260,40 228,40 Z'],
      quarter_panel_right: ['M302,11 Q388,12 424,20 L426,34 L304,30 Z'],
    },
  },
};

const SIDE_PARTS: readonly (readonly [left: PartName, right: PartName])[] = [
  ['front_fender_left', 'front_fender_right'],
  ['front_door_left', 'front_door_right'],
  ['rear_door_left', 'rear_door_right'],
  ['quarter_panel_left', 'quarter_panel_right'],
  ['headlight_left', 'headlight_right'],
  ['fog_light_left', 'fog_light_right'],
  ['taillight_left', 'taillight_right'],
  ['side_window_fl', 'side_window_fr'],
  ['side_window_rl', 'side_window_rr'],
];
const OTHER_SIDE = new Map(
  SIDE_PARTS.flatMap(([left, right]): [PartName, PartName][] => [
    [left, right],
    [right, left],
  ]),
);

/** Returns the part on the opposite side of the vehicle; a part on the centre line maps to itself. */
export function mirrorPart(part: PartName | null): PartName | null {
  return part === null ? null : (OTHER_SIDE.get(part) ?? part);
}
