import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { clampToPixels } from '../../domain/geometry.ts';
import type { PhotoBox } from './album.ts';
import { listKnown } from './carry-over.ts';
import type { Comparison } from './comparison.ts';

/** Converts the comparison to JSON. */
export function presentComparison(comparison: Comparison, generatedAt: Date) {
  const { before, after, places, counts, copies, unreadable, differences, grade } = comparison;
  const presentVisit = ({ data }: InspectionEnvelope) => ({
    inspection_id: data.inspection_id,
    created_at: data.created_at,
    condition_score: data.results?.condition_score ?? null,
  });
  const presentBox = ({ photo, box }: PhotoBox) => ({
    image_index: photo.index,
    image_url: photo.url,
    ...clampToPixels(box, photo),
  });
  return {
    status: 'success' as const,
    data: {
      vehicle_id: after.data.vehicle_id,
      before: presentVisit(before),
      after: presentVisit(after),
      generated_at: generatedAt.toISOString(),
      counts,
      condition_score: grade && { before: grade.before, on_same_places: grade.onSamePlaces },
      differences,
      copied_photos: copies.map(({ url }) => url),
      unreadable_photos: unreadable.map(({ photo: { url }, visit, reason }) => ({ visit, url, reason })),
      known: listKnown(comparison).map(({ damage, status, photo, place }) => ({
        damage_id: damage.damage_id,
        number: damage.number,
        row: place.row,
        status,
        photo_to_repeat: photo,
      })),
      changes: places.map((place) => ({
        row: place.row,
        change: place.change,
        ...(place.decided && {
          decision: place.decided.decision,
          decision_note: place.decided.note ?? null,
          change_by_photos: place.decided.instead,
        }),
        rule: place.rule,
        certain: place.certain,
        part: (place.after ?? place.before)?.location.part,
        type: (place.after ?? place.before)?.type,
        before: place.before,
        after: place.after,
        place: place.boxes && {
          before: presentBox(place.boxes.before),
          after: presentBox(place.boxes.after),
          matching_points: place.inliers,
        },
      })),
    },
  };
}
