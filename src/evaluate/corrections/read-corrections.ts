import { DAMAGE_TYPES, type DamageType } from '../../domain/damage.ts';
import { Field } from '../../lib/field.ts';

/** The outcome of a finding, or of a damage that was missed. */
export type CorrectionFate = 'accepted' | 'moved' | 'retyped' | 'changed' | 'merged' | 'rejected' | 'added';

/** One finding that a person decided on, or one damage that a person added. */
export interface Correction {
  /** As found; of what was added, as the person said. */
  readonly type: DamageType;
  readonly fate: CorrectionFate;
  /** As stated by the inspection, 0 to 1; null for what was added. */
  readonly confidence: number | null;
  /** Whether the inspection listed it as a place to check only. */
  readonly toCheck: boolean;
}

/** Corrections of one vehicle. */
export interface VehicleCorrections {
  readonly corrections: readonly Correction[];
  readonly photos: number;
  /** Photos in which every finding is decided and a person saw nothing more. */
  readonly completePhotos: number;
  /** Damages with a box in a complete photo, and those of them that the inspection had missed. */
  readonly completeDamages: number;
  readonly completeMissed: number;
}

/**
 * Reads the COCO export of a review's corrections, trusting nothing in it. `document` is its path, for messages.
 * @throws VehiError kind `input`, `ANNOTATIONS_INVALID`, naming the field at fault
 */
export function parseCorrections(text: string, document: string): VehicleCorrections {
  const root = Field.parse(text, {
    document,
    kind: 'input',
    code: 'ANNOTATIONS_INVALID',
    hint: 'Needed is corrections.coco.json as the review page exports it, or a reviewed result.',
  });
  const images = root.get('images').list(1, 100_000);
  const complete = new Set(
    images
      .filter((image) => image.get('labelled').list(0, 100).length > 0)
      .map((image) => image.get('id').integer(0, Number.MAX_SAFE_INTEGER)),
  );
  const boxes = root.get('annotations').list(0, 1_000_000).map(readBox);
  const damages = new Map<string, ReturnType<typeof readBox>[]>();
  for (const box of boxes) damages.set(box.damageId, [...(damages.get(box.damageId) ?? []), box]);
  const inComplete = [...damages.values()].filter((list) => list.some(({ image }) => complete.has(image)));
  return {
    corrections: [
      ...[...damages.values()].map(readCorrection),
      ...readFound(root.get('rejected'), 'rejected'),
      ...readFound(root.get('merged'), 'merged'),
    ],
    photos: images.length,
    completePhotos: complete.size,
    completeDamages: inComplete.length,
    completeMissed: inComplete.filter(([first]) => first?.before === null).length,
  };
}

function readBox(annotation: Field) {
  const attributes = annotation.get('attributes');
  const before = attributes.get('before');
  return {
    image: annotation.get('image_id').integer(0, Number.MAX_SAFE_INTEGER),
    bbox: readSides(annotation.get('bbox')),
    damageId: attributes.get('damage_id').text(200),
    type: attributes.get('type').oneOf(DAMAGE_TYPES),
    isChange: attributes.get('decision').oneOf(['accept', 'change', 'add']) === 'change',
    before: before.raw() === null ? null : readBefore(before),
  };
}

function readBefore(before: Field) {
  const bbox = before.get('bbox');
  return {
    damageId: before.get('damage_id').text(200),
    type: before.get('type').oneOf(DAMAGE_TYPES),
    confidence: before.get('confidence').number(0, 1),
    bbox: bbox.raw() === null ? null : readSides(bbox),
  };
}

function readSides(field: Field): readonly number[] {
  return field.list(4, 4).map((side) => side.number(0, 1e6));
}

function readCorrection(boxes: readonly ReturnType<typeof readBox>[]): Correction {
  const [{ type, isChange, before }] = boxes as [ReturnType<typeof readBox>];
  if (before === null) return { type, fate: 'added', confidence: null, toCheck: false };
  const moved = boxes.some((one) => one.before?.bbox?.some((side, index) => side !== one.bbox[index]));
  const fate = !isChange ? 'accepted' : before.type !== type ? 'retyped' : moved ? 'moved' : 'changed';
  return { type: before.type, fate, confidence: before.confidence, toCheck: isToCheck(before.damageId) };
}

/** Returns findings as the inspection stated them, one for all their boxes. */
function readFound(list: Field, fate: 'rejected' | 'merged'): readonly Correction[] {
  if (!list.present) return [];
  const byId = new Map(
    list.list(0, 1_000_000).map((one): [string, Correction] => {
      const id = one.get('damage_id').text(200);
      const type = one.get('type').oneOf(DAMAGE_TYPES);
      return [id, { type, fate, confidence: one.get('score').number(0, 1), toCheck: isToCheck(id) }];
    }),
  );
  return [...byId.values()];
}

function isToCheck(id: string): boolean {
  return id.startsWith('chk_');
}
