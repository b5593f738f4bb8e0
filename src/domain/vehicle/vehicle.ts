export const MAX_VEHICLE_ID_LENGTH = 128;

/** Price classes of vehicles, cheapest first. */
export const VEHICLE_CLASSES = ['economy', 'standard', 'premium', 'luxury'] as const;
export type VehicleClass = (typeof VEHICLE_CLASSES)[number];

/** Classes a request may state; `unknown` is priced as `standard`. */
export const STATED_CLASSES = [...VEHICLE_CLASSES, 'unknown'] as const;

/** Accepted model years, from the first car on. */
export const MODEL_YEARS = { minimum: 1886, maximum: 2100 } as const;

/** Paint systems, which determine three-stage time and blending of adjacent panels. */
export const PAINTS = ['solid', 'metallic', 'three_stage', 'unknown'] as const;
export type Paint = (typeof PAINTS)[number];

/**
 * Equipment that affects part prices: body style, grade of lamps, mirrors and windshield, material of the outer panels,
 * drive. `unknown` is priced as the median car.
 */
export const EQUIPMENT = {
  body: ['sedan', 'coupe', 'convertible', 'hatchback', 'wagon', 'suv', 'van', 'pickup', 'unknown'],
  headlights: ['halogen', 'led', 'matrix', 'unknown'],
  taillights: ['bulb', 'led', 'radar', 'unknown'],
  mirrors: ['plain', 'camera', 'unknown'],
  windshield: ['plain', 'camera', 'camera_hud', 'unknown'],
  panels: ['steel', 'aluminium', 'unknown'],
  drive: ['combustion', 'hybrid', 'electric', 'unknown'],
} as const;
export type EquipmentFact = keyof typeof EQUIPMENT;
export const EQUIPMENT_FACTS = Object.keys(EQUIPMENT) as readonly EquipmentFact[];
/** Known equipment of a vehicle. */
export type Equipment = { readonly [F in EquipmentFact]?: (typeof EQUIPMENT)[F][number] };

/** Facts of a vehicle that do not change over time; all but the model are priced by. */
export const PRICING_FACTS = ['make', 'model', 'year', 'class', 'paint', ...EQUIPMENT_FACTS] as const;
