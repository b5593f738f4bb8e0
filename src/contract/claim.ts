import { EQUIPMENT, MODEL_YEARS, PAINTS, STATED_CLASSES } from '../domain/vehicle.ts';
import { Type } from '../lib/type.ts';
import { StringEnum } from './common.ts';

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 128, description }));

export const ClaimSchema = Type.Object(
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

export const VehicleFactsSchema = Type.Object(
  {
    make: Text('Make.'),
    model: Text('Model.'),
    year: Type.Optional(Type.Integer(MODEL_YEARS)),
    vin: Type.Optional(Type.String({ minLength: 17, maxLength: 17 })),
    vin_check_digit: Type.Optional(
      StringEnum(['right', 'wrong', 'none'] as const, {
        description:
          'Whether the ninth character of the VIN fits the others. Only vehicles for North America and China must have a check digit; none: it cannot be one.',
      }),
    ),
    plate: Text('Number plate.'),
    odometer: Type.Optional(
      Type.Object({
        value: Type.Number({ minimum: 0, maximum: 1e7 }),
        unit: StringEnum(['km', 'mi'] as const),
      }),
    ),
    paint_code: Text("The maker's code of the paint."),
    class: Type.Optional(StringEnum(STATED_CLASSES)),
    paint: Type.Optional(StringEnum(PAINTS)),
    body: Type.Optional(StringEnum(EQUIPMENT.body)),
    headlights: Type.Optional(StringEnum(EQUIPMENT.headlights)),
    taillights: Type.Optional(StringEnum(EQUIPMENT.taillights)),
    mirrors: Type.Optional(StringEnum(EQUIPMENT.mirrors)),
    windshield: Type.Optional(StringEnum(EQUIPMENT.windshield)),
    panels: Type.Optional(StringEnum(EQUIPMENT.panels)),
    drive: Type.Optional(StringEnum(EQUIPMENT.drive)),
  },
  {
    description:
      'What identifies the vehicle, and what prices depend on (extension); fields are absent where they were not given.',
  },
);
