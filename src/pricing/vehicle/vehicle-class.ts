import type { VehicleClass } from '../../domain/vehicle.ts';
import type { Tables } from '../tables/load.ts';

/** Returns the class of a vehicle: as given, by its make, else standard. */
export function findVehicleClass(
  vehicle: { class?: VehicleClass | 'unknown' | undefined; make?: string | undefined },
  tables: Tables,
): VehicleClass {
  if (vehicle.class !== undefined && vehicle.class !== 'unknown') return vehicle.class;
  const make = vehicle.make?.trim().toLowerCase();
  if (make === undefined) return 'standard';
  return tables.classes.rows.find((row) => row.makes.includes(make))?.class ?? 'standard';
}
