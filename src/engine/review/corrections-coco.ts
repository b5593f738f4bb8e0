import type { Damage } from '../../contract/inspection.ts';
import type { ReviewedEnvelope, ReviewedFinding } from '../../contract/review-answers.ts';
import { isLamp } from '../../domain/parts.ts';
import { toQuad } from '../../domain/quad.ts';
import { DETECTOR_LABELS, type DetectorLabel } from '../../domain/sight/detection.ts';

/**
 * Exports a review and the earlier ones of its result as COCO detection JSON for measuring and training. Accepted,
 * changed and added findings are annotations, as are boxes merged into them, with their values before the review; rejected
 * findings, and as found those merged into another, are listed separately. Categories are the detector's: broken glass on a
 * lamp is `lamp_damage`. A photo is complete only if a reviewer saw no further damage and each of its findings is decided;
 * for others `labelled` is empty, so nothing counts as missed there. Boxes [x, y, width, height], pixels of the upright photo.
 */
export function exportCorrections({ data, meta, review }: ReviewedEnvelope) {
  const { damages = [], to_check: toCheck = [] } = data.results ?? {};
  const decisions = [...(review.earlier ?? []).toReversed(), review].flatMap((one) => one.decisions);
  const kept = listKeptFindings(decisions, damages);
  const isOpen = (damage: Damage) =>
    review.not_reviewed.includes(damage.damage_id) || !kept.some((one) => one.damage === damage);
  const open = [...damages.filter(isOpen), ...toCheck].flatMap(({ evidence }) => evidence);
  const isComplete = (index: number) =>
    review.photos_checked.includes(index) && !open.some(({ image_index }) => image_index === index);
  const boxes = kept.flatMap(({ one, damage }) =>
    damage.evidence.map((evidence) => ({ one, damage, evidence })),
  );
  const decidedAs = (decision: ReviewedFinding['decision']) =>
    decisions.flatMap((one) => (one.decision === decision && one.original ? [one.original] : []));
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
      source: 'corrections',
      labelled: isComplete(photo.index) ? [...DETECTOR_LABELS] : [],
    })),
    annotations: boxes.map(({ one, damage, evidence }, index) => ({
      id: index + 1,
      image_id: evidence.image_index + 1,
      category_id: findCategory(damage, evidence),
      ...presentBox(evidence.coordinates),
      segmentation: [toQuad(evidence.coordinates).flatMap(({ x, y }) => [x, y])],
      iscrowd: 0,
      attributes: {
        decision: one.decision,
        damage_id: damage.damage_id,
        type: damage.type,
        part: damage.location.part,
        severity: damage.severity,
        before: describeBefore(one.original, evidence.image_index),
      },
    })),
    rejected: decidedAs('reject').flatMap(toDetected),
    merged: decidedAs('merge').flatMap(toDetected),
    categories: DETECTOR_LABELS.map((name, index) => ({ id: index + 1, name, supercategory: 'damage' })),
  };
}

/** Lists the findings that remain damages, each with its last decision, or the one that added it, and as first found. */
function listKeptFindings(decisions: readonly ReviewedFinding[], damages: readonly Damage[]) {
  const kept = new Map<string, ReviewedFinding>();
  for (const one of decisions) {
    const id = one.corrected?.damage_id ?? one.damage_id;
    const earlier = kept.get(id);
    if (one.corrected === null) kept.delete(id);
    else if (!earlier) kept.set(id, one);
    else if (one.decision !== 'add') kept.set(id, { ...one, original: earlier.original });
  }
  return [...kept].flatMap(([id, one]) =>
    damages.filter(({ damage_id }) => damage_id === id).map((damage) => ({ one, damage })),
  );
}

/** Returns a finding as originally detected, once per photo. */
function toDetected(found: Damage) {
  return found.evidence.map((evidence) => ({
    image_id: evidence.image_index + 1,
    category_id: findCategory(found, evidence),
    ...presentBox(evidence.coordinates),
    score: found.confidence,
    damage_id: found.damage_id,
    type: found.type,
  }));
}

function findCategory({ type: main, location }: Damage, { type = main }: Damage['evidence'][number]): number {
  const label: DetectorLabel = type === 'glass_damage' && isLamp(location.part) ? 'lamp_damage' : type;
  return DETECTOR_LABELS.indexOf(label) + 1;
}

const presentBox = ({ x, y, width, height }: Damage['location']['coordinates']) => ({
  bbox: [x, y, width, height],
  area: width * height,
});

/** Returns the original finding with its box in one photo (null: none there); null if the inspection missed it. */
function describeBefore(original: ReviewedFinding['original'], image: number) {
  if (original === null) return null;
  const { damage_id, type, severity, location, confidence, evidence } = original;
  const seen = evidence.find(({ image_index }) => image_index === image);
  const bbox = seen ? presentBox(seen.coordinates).bbox : null;
  return { damage_id, type, severity, part: location.part, confidence, bbox };
}
