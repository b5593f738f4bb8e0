/** Classes that prices are graded by, cheapest first. */
export const VEHICLE_CLASSES = ['economy', 'standard', 'premium', 'luxury'] as const;
export type VehicleClass = (typeof VEHICLE_CLASSES)[number];

/** What a request may state as the class; `unknown` is priced as `standard`. */
export const STATED_CLASSES = [...VEHICLE_CLASSES, 'unknown'] as const;

/** Paint systems: they decide three-stage time and whether neighbours are blended. */
export const PAINTS = ['solid', 'metallic', 'three_stage', 'unknown'] as const;
export type Paint = (typeof PAINTS)[number];
