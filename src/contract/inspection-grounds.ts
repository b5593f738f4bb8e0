import { ANGLES, CONDITIONS } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { OPERATIONS, REPAIR_LINE_KINDS } from '../domain/repair.ts';
import { COVERAGE_REASONS } from '../domain/sight/part-coverage.ts';
import { NamedObject, type Static, Type } from '../lib/type.ts';
import { Nullable, StringEnum } from './common.ts';

/** Grounds of a result: photo coverage, its gaps, and the photos that would close them. */

const Ends = {
  min: Type.Number(),
  estimated: Type.Number(),
  max: Type.Number(),
  currency: Type.String(),
};

/** Cost of the vehicle's repair as one job, without tax, in major units of its currency. */
export const RepairCostSchema = NamedObject(
  'RepairCost',
  {
    ...Ends,
    first_bill: Type.Optional(
      Type.Object(Ends, {
        description:
          "What a shop's first bill comes to: the damages seen and, as far as such a job has them, the operations expected with them. The figure of `estimated`.",
      }),
    ),
    as_seen: Type.Optional(Type.Object(Ends, { description: 'The visible damages only, as one job.' })),
    after_teardown: Type.Optional(
      Type.Object(Ends, {
        description:
          'The first bill plus the average supplement after teardown; absent if nothing is taken apart.',
      }),
    ),
    vehicle_class: Type.String({ description: 'Vehicle class that the price applies to.' }),
    items: Type.Integer({ minimum: 0, description: 'Number of damages and places to check it covers.' }),
    range_meaning: Type.Optional(
      Type.String({ description: 'Meaning of `min` and `max`, and the average addition after teardown.' }),
    ),
  },
  {
    description:
      'Cost of repairing the vehicle in one go, where `total_estimated_repair` is the sum of the damages by themselves (extension).',
  },
);
export type RepairCost = Static<typeof RepairCostSchema>;

export const RepairLineSchema = NamedObject(
  'RepairLine',
  {
    kind: StringEnum(REPAIR_LINE_KINDS, {
      description:
        'A part at the price of its chosen repair; fees; what several parts share as one job (negative); what usually comes with the repair: parts behind and access to them, scans and calibrations, small parts and preparation.',
    }),
    part: Nullable(Type.String({ description: 'Repaired part; null for the whole job.' })),
    damage_ids: Type.Array(Type.String()),
    words: Type.String({ description: 'Damage in words, most severe first: `dent 46 cm, scratches`.' }),
    action: Type.String({ description: 'Repair in words: `replace, paint`.' }),
    hours: Type.Number({ minimum: 0, description: 'Labor hours of the repair on its own.' }),
    cost: Type.Number({
      description: 'Price of the repair on its own, without tax; negative for what parts share.',
    }),
    currency: Type.String(),
    image_urls: Type.Array(Type.String(), { description: 'Photos of its damages, best first.' }),
  },
  {
    description:
      'One row of the repair as people read it, one per part; the costs add up to `repair_cost.estimated` exactly (extension).',
  },
);
export type RepairLine = Static<typeof RepairLineSchema>;

export const ExpectedOperationSchema = Type.Object(
  {
    line_id: Type.String({
      description: 'Stable id: `scan_before_repair/subl`.',
    }),
    operation: StringEnum(OPERATIONS),
    part: Type.String(),
    because_of: Type.Optional(Type.String({ description: 'The panel whose repair requires it.' })),
    hours: Type.Number({ minimum: 0 }),
    cost: Type.Number({ minimum: 0, description: 'Labor, price and paint materials, in full.' }),
    currency: Type.String(),
    share_of_jobs: Type.Number({ minimum: 0, maximum: 1 }),
    counted_in: StringEnum(['first_bill', 'total', 'none'] as const, {
      description:
        'In the first bill, weighted by its share of jobs; in the total if accepted; in no sum if excluded, or if the damage indicates nothing behind the panel.',
    }),
  },
  { description: 'An operation that such a repair usually includes, to accept or exclude (extension).' },
);
export type ExpectedOperation = Static<typeof ExpectedOperationSchema>;

const COVERAGE_STATUS = ['seen', 'too_small', 'not_seen'] as const;

const PartCoverageSchema = Type.Object({
  part: StringEnum(PART_NAMES),
  status: StringEnum(COVERAGE_STATUS),
  reason: Nullable(
    StringEnum(COVERAGE_REASONS, { description: 'Why the best photo of the part is insufficient.' }),
  ),
  image_index: Nullable(Type.Integer({ minimum: 0, description: 'The photo that shows it best.' })),
  image_url: Nullable(Type.String()),
  cm_per_pixel: Nullable(Type.Number({ description: 'Scale of that photo at the part.' })),
  distance_m: Nullable(
    Type.Number({ description: 'Distance of the camera, estimated for a phone with a 26 mm lens.' }),
  ),
});

const SideCoverageSchema = Type.Object({
  side: StringEnum(['front', 'rear', 'left', 'right'] as const),
  status: StringEnum(COVERAGE_STATUS),
});

export const CoverageSchema = NamedObject(
  'Coverage',
  {
    seen: Type.Integer({ minimum: 0 }),
    too_small: Type.Integer({ minimum: 0 }),
    not_seen: Type.Integer({ minimum: 0 }),
    of: Type.Integer({ minimum: 0, description: 'Visible parts of such a vehicle.' }),
    share: Type.Number({ minimum: 0, maximum: 1, description: 'seen / of' }),
    sides: Type.Array(SideCoverageSchema),
    parts: Type.Array(PartCoverageSchema),
  },
  { description: 'How much of the vehicle the photos show well enough to assess (extension).' },
);
export type Coverage = Static<typeof CoverageSchema>;

export const GradeBasisSchema = NamedObject(
  'GradeBasis',
  {
    code: StringEnum(['every_side_seen', 'parts_seen', 'too_little_seen'] as const),
    parts_seen: Type.Integer({ minimum: 0 }),
    parts: Type.Integer({ minimum: 0 }),
    sides_missing: Type.Array(StringEnum(['front', 'rear', 'left', 'right'] as const)),
    capped: Type.Boolean({
      description:
        'True if the grade was lowered, because "excellent" requires sharp, close photos of all sides.',
    }),
    to_check: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Places to check, which weigh in the grade by their likelihood.',
      }),
    ),
    if_none_confirmed: Type.Optional(
      Type.Object(
        { condition: StringEnum(CONDITIONS), score: Type.Number({ minimum: 0, maximum: 10 }) },
        { description: 'The grade if no place to check is damage; absent if there are none.' },
      ),
    ),
    if_all_confirmed: Type.Optional(
      Type.Object(
        { condition: StringEnum(CONDITIONS), score: Type.Number({ minimum: 0, maximum: 10 }) },
        { description: 'The grade if every place to check is damage; absent if there are none.' },
      ),
    ),
    vehicles: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Number of vehicles in the photos; with several, the grade mixes them.',
      }),
    ),
    message: Type.String(),
  },
  { description: 'Basis of the grade (extension).' },
);
export type GradeBasis = Static<typeof GradeBasisSchema>;

export const NextPhotoSchema = NamedObject('NextPhoto', {
  order: Type.Integer({ minimum: 1 }),
  code: StringEnum(['view', 'part', 'place_to_check'] as const),
  area: Nullable(StringEnum(ANGLES, { description: 'Viewpoint; null for a close-up.' })),
  parts: Type.Array(StringEnum(PART_NAMES)),
  damage_id: Nullable(Type.String({ description: 'The place to check it shows.' })),
  distance_m: Type.Number(),
  light: StringEnum(['any', 'shade', 'more_light'] as const),
  reason: StringEnum(['not_seen', 'far', 'blur', 'dark', 'bright', 'mostly_hidden', 'unsure'] as const),
  message: Type.String(),
  place: Type.Optional(
    Type.String({
      description: 'Subject of the photo: `the roof from above` (extension).',
    }),
  ),
});
export type NextPhoto = Static<typeof NextPhotoSchema>;

export const VehicleGroupSchema = NamedObject('VehicleGroup', {
  group: Type.Integer({ minimum: 1 }),
  images: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Indexes into `images`.' }),
  image_urls: Type.Array(Type.String()),
  colour: Type.String({ description: 'Paint color in one word.' }),
});
export type VehicleGroup = Static<typeof VehicleGroupSchema>;

const Count = Type.Integer({ minimum: 0 });

export const DamageSummarySchema = NamedObject('DamageSummary', {
  total_damages: Count,
  by_severity: Type.Object({ minor: Count, moderate: Count, severe: Count, critical: Count }),
  by_type: Type.Object({
    scratch: Count,
    dent: Count,
    rust: Count,
    crack: Count,
    paint_damage: Count,
    glass_damage: Count,
    panel_damage: Count,
  }),
  total_estimated_repair: Type.Object({ min: Type.Number(), max: Type.Number(), currency: Type.String() }),
});

export const NotAssessedSchema = NamedObject('NotAssessed', {
  what: Type.String({ description: 'A part name, a photo address, or a kind of damage.' }),
  code: Type.String(),
  reason: Type.String(),
});
export type NotAssessed = Static<typeof NotAssessedSchema>;

export const HiddenRiskSchema = NamedObject('HiddenRisk', {
  component: Type.String(),
  probability: Type.Number({ minimum: 0, maximum: 1 }),
  basis: Type.String(),
});
