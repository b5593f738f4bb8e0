import { FACTS_FROM_PHOTOS, MAX_ODOMETER } from '../domain/vehicle/claim-file.ts';
import { EQUIPMENT, MODEL_YEARS, PAINTS, STATED_CLASSES } from '../domain/vehicle/vehicle.ts';
import { VIN_PATTERN } from '../domain/vehicle/vin.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { CurrencyCode } from './common.ts';

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 128, description }));

export const ClaimSchema = NamedObject(
  'Claim',
  {
    claim_number: Text('Number of the claim.'),
    policy_number: Text('Number of the policy.'),
    insured: Text('Name of the insured.'),
    loss_date: Type.Optional(Type.String({ format: 'date', description: 'Day of the loss.' })),
    loss_kind: Text('Kind of loss, such as collision, hail or vandalism.'),
    inspector: Text('Who inspected the vehicle.'),
  },
  {
    description: 'What the result is filed under (extension); fields are absent where they were not given.',
  },
);

const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 80 }));
/** Distance driven. */
const Distance = Type.Number({ minimum: 0, maximum: MAX_ODOMETER });

/** Pricing facts, shared by requests, `vehi.json` and results. */
const pricing = {
  class: Type.Optional(StringEnum(STATED_CLASSES)),
  paint: Type.Optional(StringEnum(PAINTS)),
  body: Type.Optional(
    StringEnum(EQUIPMENT.body, { description: 'Body style: sedan lid, liftgate or pickup tailgate.' }),
  ),
  headlights: Type.Optional(StringEnum(EQUIPMENT.headlights)),
  taillights: Type.Optional(StringEnum(EQUIPMENT.taillights)),
  mirrors: Type.Optional(StringEnum(EQUIPMENT.mirrors)),
  windshield: Type.Optional(
    StringEnum(EQUIPMENT.windshield, { description: 'With a camera, its calibration is part of the job.' }),
  ),
  panels: Type.Optional(StringEnum(EQUIPMENT.panels, { description: 'Material of the outer panels.' })),
  drive: Type.Optional(StringEnum(EQUIPMENT.drive)),
};
const makeAndModel = { make: Name, model: Name, year: Type.Optional(Type.Integer(MODEL_YEARS)) };
const Vin = Type.Optional(
  Type.String({ pattern: VIN_PATTERN, description: 'Capitals, without blanks (ISO 3779).' }),
);
const plateAndOdometer = {
  plate: Text('Number plate.'),
  odometer: Type.Optional(Type.Object({ value: Distance, unit: StringEnum(['km', 'mi'] as const) })),
  paint_code: Text("The maker's code of the paint."),
};

/** Pricing facts of the vehicle (request extension); every field is optional. */
export const VehicleSchema = Type.Object({
  ...makeAndModel,
  mileage_km: Type.Optional(Distance),
  market_value: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1e10 })),
  currency: Type.Optional(CurrencyCode('Currency of `market_value`; default the response currency')),
  ...pricing,
});
export type Vehicle = Static<typeof VehicleSchema>;

/** Pricing facts and identity of the vehicle in a request. */
export const RequestedVehicleSchema = NamedObject('Vehicle', {
  ...VehicleSchema.properties,
  vin: Vin,
  ...plateAndOdometer,
});

/** Identity of a vehicle in results. */
export const identity = {
  vin: Vin,
  vin_check_digit: Type.Optional(
    StringEnum(['right', 'wrong', 'none'] as const, {
      description:
        'Whether the ninth character of the VIN fits the others. Only vehicles for North America and China must have a check digit; none: the character is not a valid check digit.',
    }),
  ),
  ...plateAndOdometer,
};

export const VehicleFactsSchema = NamedObject(
  'VehicleFacts',
  {
    ...makeAndModel,
    ...identity,
    ...pricing,
    read: Type.Optional(
      Type.Array(StringEnum(FACTS_FROM_PHOTOS), {
        description: 'Facts that photos show and nobody stated; where and how surely is in `images[].read`.',
      }),
    ),
  },
  {
    description:
      'What identifies the vehicle, and what prices depend on (extension); fields are absent where they were not given.',
  },
);
