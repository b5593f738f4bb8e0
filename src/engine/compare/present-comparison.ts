import type { ComparisonAnswer } from '../../contract/comparison.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { clampToPixels } from '../../domain/geometry.ts';
import type { PhotoBox } from './album.ts';
import { listKnown } from './carry-over.ts';
import { type ComparedPlace, type Comparison, pickFinding } from './comparison.ts';

/** Converts the comparison to JSON. */
export function presentComparison(comparison: Comparison, generatedAt: Date): ComparisonAnswer {
  const { before, after, places, counts, copies, unreadable, differences, grade } = comparison;
  const known = listKnown(comparison).map(({ damage, status, place }) => ({
    damage_id: damage.damage_id,
    number: damage.number,
    row: place.row,
    status,
    photo_to_repeat: damage.image_url,
  }));
  return {
    status: 'success',
    data: {
      vehicle_id: after.data.vehicle_id,
      before: presentVisit(before),
      after: presentVisit(after),
      generated_at: generatedAt.toISOString(),
      counts,
      condition_score: grade && { before: grade.before, on_same_places: grade.onSamePlaces },
      differences: [...differences],
      copied_photos: copies.map(({ url }) => url),
      unreadable_photos: unreadable.map(({ photo: { url }, visit, reason }) => ({ visit, url, reason })),
      known,
      changes: places.map(presentPlace),
    },
  };
}

const presentVisit = ({ data }: InspectionEnvelope) => ({
  inspection_id: data.inspection_id,
  created_at: data.created_at,
  condition_score: data.results?.condition_score ?? null,
});

function presentPlace(compared: ComparedPlace): ComparisonAnswer['data']['changes'][number] {
  const { row, change, decided, rule, certain, before, after, boxes, inliers } = compared;
  const { type, location } = pickFinding(compared);
  return {
    row,
    change,
    ...(decided && {
      decision: decided.decision,
      decision_note: decided.note ?? null,
      change_by_photos: decided.instead,
    }),
    rule,
    certain,
    part: location.part,
    type,
    before,
    after,
    place: boxes && {
      before: presentBox(boxes.before),
      after: presentBox(boxes.after),
      matching_points: inliers,
    },
  };
}

const presentBox = ({ photo, box }: PhotoBox) => ({
  image_index: photo.index,
  image_url: photo.url,
  ...clampToPixels(box, photo),
});
