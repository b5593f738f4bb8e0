import type { Vehicle } from '../../contract/assessment/request.ts';
import type { Currency } from '../../domain/money.ts';
import { EQUIPMENT, EQUIPMENT_FACTS, PAINTS, STATED_CLASSES } from '../../domain/vehicle.ts';
import type { FieldReader } from '../../lib/fields.ts';

const REQUEST = 'INVALID_REQUEST';

/** Reads what prices a vehicle. Faults go to `read`. */
export function readVehicle(value: unknown, currencies: readonly Currency[], read: FieldReader): Vehicle {
  const given = read.object(value, 'vehicle', REQUEST);
  const make = read.text(given.make, 'vehicle.make', REQUEST, 80);
  const model = read.text(given.model, 'vehicle.model', REQUEST, 80);
  const year = read.number(given.year, 'vehicle.year', REQUEST, { min: 1886, max: 2100, whole: true });
  const mileage = read.number(given.mileage_km, 'vehicle.mileage_km', REQUEST, { min: 0, max: 1e7 });
  const worth = read.number(given.market_value, 'vehicle.market_value', REQUEST, {
    min: 0,
    max: 1e10,
    above: true,
  });
  const currency = read.oneOf(given.currency, 'vehicle.currency', 'INVALID_CURRENCY', currencies);
  const vehicleClass = read.oneOf(given.class, 'vehicle.class', REQUEST, STATED_CLASSES);
  const paint = read.oneOf(given.paint, 'vehicle.paint', REQUEST, PAINTS);
  const equipment = EQUIPMENT_FACTS.flatMap((fact) => {
    const value = read.oneOf(given[fact], `vehicle.${fact}`, REQUEST, EQUIPMENT[fact]);
    return value === undefined ? [] : [[fact, value] as const];
  });
  return {
    ...(make === undefined ? {} : { make }),
    ...(model === undefined ? {} : { model }),
    ...(year === undefined ? {} : { year }),
    ...(mileage === undefined ? {} : { mileage_km: mileage }),
    ...(worth === undefined ? {} : { market_value: worth }),
    ...(currency === undefined ? {} : { currency }),
    ...(vehicleClass === undefined ? {} : { class: vehicleClass }),
    ...(paint === undefined ? {} : { paint }),
    ...Object.fromEntries(equipment),
  };
}
