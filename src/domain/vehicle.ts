/** Classes that prices are graded by, cheapest first. */
export const VEHICLE_CLASSES = ['economy', 'standard', 'premium', 'luxury'] as const;
export type VehicleClass = (typeof VEHICLE_CLASSES)[number];

/** What a request may state as the class; `unknown` is priced as `standard`. */
export const STATED_CLASSES = [...VEHICLE_CLASSES, 'unknown'] as const;

/** Model years of a vehicle that are taken for one: from the first car on. */
export const MODEL_YEARS = { minimum: 1886, maximum: 2100 } as const;

/** Paint systems: they decide three-stage time and whether neighbours are blended. */
export const PAINTS = ['solid', 'metallic', 'three_stage', 'unknown'] as const;
export type Paint = (typeof PAINTS)[number];

/**
 * What of a vehicle's equipment decides the price of a part, by fact: body style, level of the lamps, mirrors and
 * windshield, material of the outer panels, drive. `unknown` is priced as the median car.
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
/** The facts that are known of a vehicle. */
export type Equipment = { readonly [F in EquipmentFact]?: (typeof EQUIPMENT)[F][number] };

/** Returns the equipment among the facts of a vehicle. */
export function pickEquipment(facts: Equipment): Equipment {
  const known = EQUIPMENT_FACTS.flatMap((fact) => (facts[fact] === undefined ? [] : [[fact, facts[fact]]]));
  return Object.fromEntries(known) as Equipment;
}
