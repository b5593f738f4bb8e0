import { DAMAGE_TYPES, type DamageType, isPlaceToCheckId } from '../../../src/domain/damage.ts';
import { checkText } from '../../../src/lib/check.ts';
import { groupBy } from '../../../src/lib/lists.ts';
import { type Static, StringEnum, Type } from '../../../src/lib/type.ts';

/** Outcome of a finding or of a missed damage. */
export type CorrectionFate = 'accepted' | 'moved' | 'retyped' | 'changed' | 'merged' | 'rejected' | 'added';

/** A reviewed finding, or a damage added by the reviewer. */
export interface Correction {
  /** As detected; for an added damage, as stated by the reviewer. */
  readonly type: DamageType;
  readonly fate: CorrectionFate;
  /** Confidence stated by the inspection, 0 to 1; null for an added damage. */
  readonly confidence: number | null;
  /** True if the inspection listed it only as a place to check. */
  readonly toCheck: boolean;
}

/** Corrections of one vehicle. */
export interface VehicleCorrections {
  readonly corrections: readonly Correction[];
  readonly photos: number;
  /** Photos with every finding decided and no further damage. */
  readonly completePhotos: number;
  /** Damages with a box in a complete photo, and those of them missed by the inspection. */
  readonly completeDamages: number;
  readonly completeMissed: number;
}

const Id = Type.String({ minLength: 1, maxLength: 200 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const DamageTypeSchema = StringEnum(DAMAGE_TYPES);
const Sides = Type.Array(Type.Number({ minimum: 0, maximum: 1e6 }), { minItems: 4, maxItems: 4 });
const ImageId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const FoundSchema = Type.Array(Type.Object({ damage_id: Id, type: DamageTypeSchema, score: Share }), {
  maxItems: 1_000_000,
});

const CorrectionsSchema = Type.Object({
  images: Type.Array(Type.Object({ id: ImageId, labelled: Type.Array(Type.Unknown(), { maxItems: 100 }) }), {
    minItems: 1,
    maxItems: 100_000,
  }),
  annotations: Type.Array(
    Type.Object({
      image_id: ImageId,
      bbox: Sides,
      attributes: Type.Object({
        damage_id: Id,
        type: DamageTypeSchema,
        decision: StringEnum(['accept', 'change', 'add']),
        before: Type.Optional(
          Type.Object({
            damage_id: Id,
            type: DamageTypeSchema,
            confidence: Share,
            bbox: Type.Optional(Sides),
          }),
        ),
      }),
    }),
    { maxItems: 1_000_000 },
  ),
  rejected: Type.Optional(FoundSchema),
  merged: Type.Optional(FoundSchema),
});
type Labelled = Static<typeof CorrectionsSchema>['annotations'][number];

/**
 * Parses the untrusted COCO export of a review's corrections. `document` is its path, for messages.
 * @throws VehiError kind `input`, `ANNOTATIONS_INVALID`, naming the invalid field
 */
export function parseCorrections(text: string, document: string): VehicleCorrections {
  const { images, annotations, rejected, merged } = checkText(CorrectionsSchema, text, {
    document,
    kind: 'input',
    code: 'ANNOTATIONS_INVALID',
    hint: 'Needed is corrections.coco.json as the review page exports it, or a reviewed result.',
    nullIsAbsent: true,
  });
  const complete = new Set(images.flatMap(({ id, labelled }) => (labelled.length > 0 ? [id] : [])));
  const damages = groupBy(annotations, (one) => one.attributes.damage_id);
  const inComplete = [...damages.values()].filter((boxes) => boxes.some((one) => complete.has(one.image_id)));
  return {
    corrections: [
      ...[...damages.values()].map(readCorrection),
      ...readFound(rejected, 'rejected'),
      ...readFound(merged, 'merged'),
    ],
    photos: images.length,
    completePhotos: complete.size,
    completeDamages: inComplete.length,
    completeMissed: inComplete.filter(([first]) => first?.attributes.before === undefined).length,
  };
}

function readCorrection(boxes: readonly Labelled[]): Correction {
  const [{ attributes }] = boxes as [Labelled];
  const { type, decision, before } = attributes;
  if (before === undefined) return { type, fate: 'added', confidence: null, toCheck: false };
  const moved = boxes.some(({ bbox, attributes: own }) =>
    own.before?.bbox?.some((side, index) => side !== bbox[index]),
  );
  const fate =
    decision !== 'change' ? 'accepted' : before.type !== type ? 'retyped' : moved ? 'moved' : 'changed';
  return {
    type: before.type,
    fate,
    confidence: before.confidence,
    toCheck: isPlaceToCheckId(before.damage_id),
  };
}

/** Reads findings as detected, one per group of boxes. */
function readFound(
  list: Static<typeof FoundSchema> = [],
  fate: 'rejected' | 'merged',
): readonly Correction[] {
  const byId = new Map(
    list.map(({ damage_id: id, type, score }): [string, Correction] => [
      id,
      { type, fate, confidence: score, toCheck: isPlaceToCheckId(id) },
    ]),
  );
  return [...byId.values()];
}
