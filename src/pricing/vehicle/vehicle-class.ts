import { VEHICLE_CLASSES, type VehicleClass } from '../../domain/vehicle/vehicle.ts';
import type { Tables } from '../tables/load.ts';

/** Returns the vehicle's class: as given, else by make; undefined if neither is known. */
export function findVehicleClass(
  vehicle: { class?: VehicleClass | 'unknown' | undefined; make?: string | undefined },
  tables: Tables,
): VehicleClass | undefined {
  if (vehicle.class !== undefined && vehicle.class !== 'unknown') return vehicle.class;
  const make = vehicle.make?.trim().toLowerCase();
  const row = tables.classes.rows.find(({ makes }) => make !== undefined && makes.includes(make));
  return VEHICLE_CLASSES.find((name) => name === row?.class);
}
