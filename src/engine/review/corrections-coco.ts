import type { Damage } from '../../contract/inspection.ts';
import type { ReviewedEnvelope, ReviewedFinding } from '../../contract/review.ts';
import { DAMAGE_TYPES } from '../../domain/damage.ts';

/**
 * The corrections of a review as COCO object detection JSON, for measuring and training: what a person accepted,
 * changed, added or merged is an annotation, with the values before; what was rejected stands in a list of its own, as
 * hard negatives. Only photos in which every finding is decided and that the person saw nothing more in are complete:
 * `labelled` of the others is empty, so that nothing counts as missed there. Boxes [x, y, width, height], pixels of the
 * upright photo.
 */
export function correctionsCoco({ data, meta, review }: ReviewedEnvelope) {
  const kept = review.decisions.filter((one) => one.corrected !== null && one.decision !== 'reject');
  const open = new Set([
    ...(data.results?.damages ?? [])
      .filter((one) => review.not_reviewed.includes(one.damage_id))
      .flatMap(photosOf),
    ...(data.results?.to_check ?? []).flatMap(photosOf),
  ]);
  const isComplete = (index: number) => review.photos_checked.includes(index) && !open.has(index);
  const boxes = [...new Map(kept.map((one) => [one.corrected?.damage_id, one])).values()].flatMap((one) =>
    (one.corrected?.evidence ?? []).map((evidence) => ({ one, damage: one.corrected as Damage, evidence })),
  );
  return {
    info: {
      description: `Corrections of the inspection ${data.inspection_id} of ${data.vehicle_id}`,
      version: meta.software_version,
      year: new Date(review.reviewed_at).getUTCFullYear(),
      contributor: review.reviewer ?? '',
      date_created: review.reviewed_at,
    },
    licenses: [],
    images: data.images.map((photo) => ({
      id: photo.index + 1,
      file_name: photo.url,
      width: photo.width,
      height: photo.height,
      sha256: photo.sha256,
      labelled: isComplete(photo.index) ? [...DAMAGE_TYPES] : [],
    })),
    annotations: boxes.map(({ one, damage, evidence }, index) => ({
      id: index + 1,
      image_id: evidence.image_index + 1,
      category_id: DAMAGE_TYPES.indexOf(damage.type) + 1,
      ...boxOf(evidence.coordinates),
      segmentation: [],
      iscrowd: 0,
      attributes: {
        decision: one.decision,
        damage_id: damage.damage_id,
        part: damage.location.part,
        severity: damage.severity,
        before: before(one.original),
      },
    })),
    rejected: review.decisions
      .filter(({ decision }) => decision === 'reject')
      .flatMap(({ original }) =>
        (original?.evidence ?? []).map((evidence) => ({
          image_id: evidence.image_index + 1,
          category_id: DAMAGE_TYPES.indexOf(original?.type ?? 'dent') + 1,
          ...boxOf(evidence.coordinates),
          score: evidence.confidence,
          damage_id: original?.damage_id,
        })),
      ),
    categories: DAMAGE_TYPES.map((name, index) => ({ id: index + 1, name, supercategory: 'damage' })),
  };
}

function photosOf(damage: { readonly evidence: Damage['evidence'] }): readonly number[] {
  return damage.evidence.map(({ image_index }) => image_index);
}

function boxOf({ x, y, width, height }: Damage['location']['coordinates']) {
  return { bbox: [x, y, width, height], area: width * height };
}

/** What the inspection had said; null where it had missed the damage. */
function before(original: ReviewedFinding['original']) {
  if (original === null) return null;
  const { type, severity, location, confidence } = original;
  const { x, y, width, height } = location.coordinates;
  return { type, severity, part: location.part, confidence, bbox: [x, y, width, height] };
}
