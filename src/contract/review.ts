import { DAMAGE_TYPES, SEVERITIES } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { STATED_SUBTYPES } from '../domain/unlisted-parts.ts';
import { ClosedObject, NamedObject, type Static, StringEnum, type TProperties, Type } from '../lib/type.ts';
import { Id, pixelBox } from './common.ts';
import { MAX_NOTE_LENGTH, MAX_PRICE } from './constants.ts';

/** Decisions of a reviewer on a finding. */
export const FINDING_DECISIONS = ['accept', 'reject', 'change', 'merge', 'add'] as const;
const DECISION_VALUES = [
  ...FINDING_DECISIONS,
  'nothing_more',
  'price',
  'include',
  'exclude',
  'vehicle',
  'one_vehicle',
] as const;

const FindingId = Id('A damage (dmg_…) or a place to check (chk_…).');
const Into = Id('The finding that shows the same damage.');
export const ImageIndex = Type.Integer({ minimum: 0, description: 'Index of a photo, as in `images`.' });

/** A box drawn by a reviewer. */
export const DrawnBoxSchema = NamedObject('DrawnBox', pixelBox, {
  additionalProperties: false,
  description: 'Whole pixels of the upright photo.',
});
export type DrawnBox = Static<typeof DrawnBoxSchema>;

/** Damage fields stated by a reviewer; a missing one is proposed for a new damage and unchanged otherwise. */
export const StatedSchema = Type.Object({
  type: Type.Optional(StringEnum(DAMAGE_TYPES)),
  severity: Type.Optional(StringEnum(SEVERITIES)),
  part: Type.Optional(StringEnum(PART_NAMES)),
  subtype: Type.Optional(
    StringEnum(STATED_SUBTYPES, {
      description:
        'The part is missing or shifted, or which thing next to the part it is; `type` is `panel_damage`.',
    }),
  ),
});
export type Stated = Static<typeof StatedSchema>;
const stated = StatedSchema.properties;

const Note = Type.Optional(
  Type.String({ minLength: 1, maxLength: MAX_NOTE_LENGTH, description: 'A remark for the report.' }),
);

/** Creates the schema of a decision on a finding. */
const defineDecision = <const D extends string, F extends TProperties>(decision: D, fields: F) =>
  ClosedObject({ decision: StringEnum([decision]), damage_id: FindingId, ...fields, note: Note });

/** Confirms a finding as it was found. */
const AcceptSchema = defineDecision('accept', {});

/** Corrections to a finding; `box` applies to one of its photos, by default its best. */
const CorrectionSchema = Type.Object({
  image_index: Type.Optional(ImageIndex),
  box: Type.Optional(DrawnBoxSchema),
  boxes: Type.Optional(
    Type.Array(ClosedObject({ image_index: ImageIndex, box: DrawnBoxSchema }), {
      minItems: 1,
      description: 'Boxes in further photos of the finding.',
    }),
  ),
  ...stated,
});
export type Correction = Static<typeof CorrectionSchema>;
const correction = CorrectionSchema.properties;

/** Rejects a finding. Keeps an earlier correction in case the finding is accepted later. */
const RejectSchema = defineDecision('reject', correction);

const ChangeSchema = defineDecision('change', correction);
export type Change = Static<typeof ChangeSchema>;

/** Merges two findings: the first, as corrected, into the second. */
const MergeSchema = defineDecision('merge', { into: Into, ...correction });

/** Adds a missed damage; with `into`, a further photo of a known one. */
const AddSchema = ClosedObject({
  decision: StringEnum(['add'] as const),
  into: Type.Optional(Into),
  image_index: ImageIndex,
  box: DrawnBoxSchema,
  ...stated,
  type: StringEnum(DAMAGE_TYPES),
  note: Note,
});
export type Add = Static<typeof AddSchema>;

/** Marks a photo as having no further damage. */
const NothingMoreSchema = ClosedObject({
  decision: StringEnum(['nothing_more'] as const),
  image_index: ImageIndex,
});

/** Sets the agreed repair price of one part, at most `MAX_PRICE`. */
const PriceSchema = ClosedObject({
  decision: StringEnum(['price'] as const),
  line: Id('The part of a row of `repair_lines`.'),
  cost: Type.Number({ minimum: 0, maximum: MAX_PRICE, description: 'In the currency of the result.' }),
  note: Note,
});

/** Accepts or refuses an associated operation. */
const OperationSchema = ClosedObject({
  decision: StringEnum(['include', 'exclude'] as const),
  line_id: Id('An operation of `expected_operations`.'),
  note: Note,
});

/** Moves a photo to another vehicle. */
const VehicleSchema = ClosedObject({
  decision: StringEnum(['vehicle'] as const),
  image_index: ImageIndex,
  vehicle: Type.Integer({ minimum: 1, description: 'A group of `vehicle_groups`, or a new number.' }),
});

/** States that all photos show one vehicle, except those moved to another. */
const OneVehicleSchema = ClosedObject({ decision: StringEnum(['one_vehicle'] as const) });

export const DecisionsSchema = Type.Array(
  Type.Union([
    AcceptSchema,
    RejectSchema,
    ChangeSchema,
    MergeSchema,
    AddSchema,
    NothingMoreSchema,
    PriceSchema,
    OperationSchema,
    VehicleSchema,
    OneVehicleSchema,
  ]),
);
export type Decision = Static<typeof DecisionsSchema>[number];
/** A decision on a finding, not on a photo, the vehicles or the repair. */
export type FindingDecision = Extract<Decision, { readonly decision: (typeof FINDING_DECISIONS)[number] }>;

/** An applied repair decision, with the previous price. */
export const RepairVerdictSchema = Type.Union([
  ClosedObject({ ...PriceSchema.properties, computed: Type.Number({ description: 'The price before.' }) }),
  OperationSchema,
]);
export type RepairVerdict = Static<typeof RepairVerdictSchema>;

/** A decision as accepted by the service: the union of all decision fields. The engine validates the combination. */
export const DecisionSchema = NamedObject(
  'ReviewDecision',
  {
    ...Type.Partial(
      Type.Object({
        ...MergeSchema.properties,
        ...PriceSchema.properties,
        ...OperationSchema.properties,
        ...VehicleSchema.properties,
        ...ChangeSchema.properties,
      }),
    ).properties,
    decision: StringEnum(DECISION_VALUES),
  },
  {
    additionalProperties: false,
    description:
      'What a person says of a finding: `accept`, `reject` (damage_id), `change` (damage_id and type, subtype, severity, part or box), `merge` (damage_id, into), `add` (image_index, box, type; with `into`, another photo of that finding), `nothing_more` (image_index); of the repair: `price` (line, cost), `include`, `exclude` (line_id); or of the vehicles: `vehicle` (image_index, vehicle), `one_vehicle`.',
  },
);
