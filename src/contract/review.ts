import { DAMAGE_TYPES, SEVERITIES } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { STATED_SUBTYPES } from '../domain/unlisted-parts.ts';
import { type Static, type TProperties, Type } from '../lib/type.ts';
import { Id, StringEnum } from './common.ts';
import type { Damage, InspectionEnvelope } from './inspection.ts';

/** What a reviewer may say. */
const DECISION_VALUES = [
  'accept',
  'reject',
  'change',
  'merge',
  'add',
  'nothing_more',
  'price',
  'include',
  'exclude',
] as const;

const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const FindingId = Id('A damage (dmg_…) or a place to check (chk_…).');
const Into = Id('The finding that it is one with.');
export const ImageIndex = Type.Integer({ minimum: 0, description: 'Index of a photo, as in `images`.' });

/** A box that a person drew. */
export const DrawnBoxSchema = Type.Object(
  {
    x: Type.Integer({ minimum: 0 }),
    y: Type.Integer({ minimum: 0 }),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false, description: 'Whole pixels of the upright photo.' },
);
export type DrawnBox = Static<typeof DrawnBoxSchema>;

/** Fields of a damage that a person states; a missing one is proposed for a new damage and unchanged otherwise. */
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

/** Why a person decided so, for those who read the report. */
const Note = Type.Optional(
  Type.String({ minLength: 1, maxLength: 500, description: 'A remark for the report.' }),
);

/** The finding is there, or it is not. */
const JudgeSchema = closed({
  decision: StringEnum(['accept', 'reject'] as const),
  damage_id: FindingId,
  note: Note,
});
export type Judge = Static<typeof JudgeSchema>;

/** The finding is there and something about it is otherwise; `box` is that in one of its photos, its best by default. */
const ChangeSchema = closed({
  decision: StringEnum(['change'] as const),
  damage_id: FindingId,
  image_index: Type.Optional(ImageIndex),
  box: Type.Optional(DrawnBoxSchema),
  ...stated,
  note: Note,
});
export type Change = Static<typeof ChangeSchema>;

/** Two findings are one damage: the first goes into the second. */
const MergeSchema = closed({
  decision: StringEnum(['merge'] as const),
  damage_id: FindingId,
  into: Into,
});

/** A damage that was missed; with `into`, a further photo of one that was found. */
const AddSchema = closed({
  decision: StringEnum(['add'] as const),
  into: Type.Optional(Into),
  image_index: ImageIndex,
  box: DrawnBoxSchema,
  ...stated,
  type: StringEnum(DAMAGE_TYPES),
  note: Note,
});
export type Add = Static<typeof AddSchema>;

/** Nothing else is damaged in this photo. */
const NothingMoreSchema = closed({
  decision: StringEnum(['nothing_more'] as const),
  image_index: ImageIndex,
});

/** The price that a person agreed on for the repair of one part. */
const PriceSchema = closed({
  decision: StringEnum(['price'] as const),
  line: Id('The part of a row of `repair_lines`.'),
  cost: Type.Number({ minimum: 0, maximum: 100_000_000, description: 'In the currency of the result.' }),
  note: Note,
});

/** An operation that usually comes with the repair is part of it, or is not. */
const OperationSchema = closed({
  decision: StringEnum(['include', 'exclude'] as const),
  line_id: Id('An operation of `expected_operations`.'),
  note: Note,
});

/** A decisions file. */
export const DecisionsSchema = Type.Array(
  Type.Union([
    JudgeSchema,
    ChangeSchema,
    MergeSchema,
    AddSchema,
    NothingMoreSchema,
    PriceSchema,
    OperationSchema,
  ]),
);
export type Decision = Static<typeof DecisionsSchema>[number];
/** A decision on a finding, not on a photo or on the repair. */
export type FindingDecision = Judge | Change | Static<typeof MergeSchema> | Add;

/** A decision on the repair that holds, with what a price was before. */
export const RepairVerdictSchema = Type.Union([
  closed({ ...PriceSchema.properties, computed: Type.Number({ description: 'The price before.' }) }),
  OperationSchema,
]);
export type RepairVerdict = Static<typeof RepairVerdictSchema>;

/** A decision as the service takes it: all fields that some decision has. The engine judges which. */
export const DecisionSchema = Type.Object(
  {
    ...Type.Partial(
      Type.Object({
        ...MergeSchema.properties,
        ...PriceSchema.properties,
        ...OperationSchema.properties,
        ...ChangeSchema.properties,
      }),
    ).properties,
    decision: StringEnum(DECISION_VALUES),
  },
  {
    additionalProperties: false,
    description:
      'What a person says of a finding: `accept`, `reject` (damage_id), `change` (damage_id and type, subtype, severity, part or box), `merge` (damage_id, into), `add` (image_index, box, type), `nothing_more` (image_index); or of the repair: `price` (line, cost), `include`, `exclude` (line_id).',
  },
);

/** A decision that was kept and is refused by now: its finding is open again. */
export interface LeftOutDecision {
  readonly decision: string;
  /** Absent for a drawn box and for a photo ticked off. */
  readonly damage_id?: string;
  /** A sentence that names the finding by its number and says why. */
  readonly message: string;
}

/** What a decision made of a finding: the values before (null: it was missed) and after (null: it is no damage now). */
export interface ReviewedFinding {
  readonly damage_id: string;
  readonly decision: FindingDecision['decision'];
  /** The damage it became part of. */
  readonly into?: string;
  /** What the person remarked. */
  readonly note?: string;
  readonly original: Damage | null;
  readonly corrected: Damage | null;
}

/** What was reviewed, next to the corrected result. */
export interface Review {
  readonly reviewed_at: string;
  readonly reviewer?: string;
  readonly decisions: readonly ReviewedFinding[];
  /** What was decided on the repair itself; absent where nothing was. */
  readonly repair?: readonly RepairVerdict[];
  /** Indices of photos in which a person saw nothing more. */
  readonly photos_checked: readonly number[];
  /** Ids of damages nobody decided on; they stay as they were. */
  readonly not_reviewed: readonly string[];
}

export type ReviewedEnvelope = InspectionEnvelope & { readonly review: Review };

/** A photo while an inspection looks at it. */
export interface WaitingPhoto {
  readonly url: string;
  readonly state: 'waiting' | 'done' | 'rejected';
  /** Places of possible damage in it, before those of all photos are merged. */
  readonly sightings: number;
}

/** Events that the page of a review receives while it is open. */
export type ReviewEvent =
  /** The photos that are being looked at, as they are now, with an address of each. */
  | {
      readonly kind: 'waiting';
      readonly vehicle_id: string;
      readonly photos: readonly (WaitingPhoto & { readonly picture: string })[];
    }
  /** A photo was looked at. */
  | ({ readonly kind: 'photo'; readonly index: number } & WaitingPhoto)
  /** The inspection is done: the review can be read. */
  | { readonly kind: 'ready' }
  /** The command holds this revision now, whichever page made it. */
  | { readonly kind: 'saved'; readonly revision: number }
  /** A newer link was opened. */
  | { readonly kind: 'taken_over' }
  /** The command ends; why, in a sentence. */
  | { readonly kind: 'ending'; readonly why: string };

/** Where a drawn box lies on the vehicle and what the damage in it would be, before a person has confirmed it. */
export interface Placement {
  /** Null where the box is not on the vehicle as far as the parts model sees; a person may name a part all the same. */
  readonly part: Damage['location']['part'] | null;
  /** Parts under the box, likeliest first, with the share of the box each covers. */
  readonly alternatives: readonly { readonly part: Damage['location']['part']; readonly share: number }[];
  readonly type: Damage['type'];
  readonly subtype?: string;
  readonly size_cm: number;
  readonly severity: Damage['severity'];
  readonly severity_score: number;
  /** Null without a part. */
  readonly estimated_repair: Damage['estimated_repair'] | null;
  readonly explain: Damage['explain'];
}
