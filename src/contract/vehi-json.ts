import { ANGLES, PHOTO_TYPES } from '../domain/photo.ts';
import type { OdometerReading } from '../domain/vehicle/stated-facts.ts';
import { ClosedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { ClaimSchema, RequestedVehicleSchema } from './claim.ts';
import { VehicleIdSchema } from './common.ts';

/** The `claim` block, also of flags. */
export const ClaimBlockSchema = ClosedObject(ClaimSchema.properties);

/** The `vehicle` block, also of flags; `vin` and `odometer` as free text, parsed by `normalizeVehicle`. */
export const VehicleBlockSchema = ClosedObject({
  ...RequestedVehicleSchema.properties,
  odometer: Type.Optional(Type.Unknown()),
});

/** Facts of a `vehicle` block after parsing; `market_value` in major units of `currency`. */
export type StatedVehicle = Omit<Static<typeof VehicleBlockSchema>, 'odometer'> & {
  readonly odometer?: OdometerReading;
};

const PhotoSchema = ClosedObject({
  angle: Type.Optional(StringEnum(ANGLES)),
  type: Type.Optional(StringEnum(PHOTO_TYPES)),
});
export type StatedPhoto = Static<typeof PhotoSchema>;

/** `vehi.json`, which describes the photos of a folder; `photos` keyed by path, or as a list with a path each. */
export const VehiJsonSchema = ClosedObject({
  vehicle_id: Type.Optional(VehicleIdSchema),
  vehicle: Type.Optional(VehicleBlockSchema),
  claim: Type.Optional(ClaimBlockSchema),
  photos: Type.Optional(
    Type.Union([
      Type.Record(Type.String(), PhotoSchema),
      Type.Array(ClosedObject({ file: Type.String({ minLength: 1 }), ...PhotoSchema.properties })),
    ]),
  ),
});
