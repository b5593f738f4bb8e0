import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import { DAMAGE_TYPES } from '../../domain/damage.ts';
import { area, listCorners } from '../../domain/geometry.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { listFindings, listPlacesToCheck } from '../finding-rows.ts';
import type { Formatter } from './format.ts';

/**
 * Renders COCO object detection JSON for labelling tools: one image per photo, one annotation per piece of evidence (a
 * damage seen in three photos gives three boxes that share `damage_id`). Places to check have `certainty: to_check`.
 * Boxes are [x, y, width, height] in pixels of the upright photo, repeated as polygons for tools that require
 * segmentation. Categories are the contract's damage types in the contract's order, ids from 1.
 */
export const formatCoco: Formatter = ({ inspection }) => {
  if (!inspection) {
    throw new VehiError(
      'usage',
      'FORMAT_NEEDS_PHOTOS',
      'the coco format needs an inspection: an assessment alone has no boxes.',
      {
        hint: 'Give the JSON of vehi inspect.',
      },
    );
  }
  return toJsonText(makeCoco(inspection));
};

const categories = DAMAGE_TYPES.map((name, index) => ({ id: index + 1, name, supercategory: 'damage' }));

/** Returns coverage and grade basis, because a photo without boxes does not prove that a part is undamaged. */
function describeGrounds({ results, vehicle_groups: groups }: VisualInspection) {
  if (results === null || results.coverage.of === 0) return {};
  const { seen, of, share, sides, parts } = results.coverage;
  return {
    coverage: {
      seen,
      of,
      share,
      sides,
      parts: parts.map(({ part, status, reason }) => ({ part, status, reason })),
    },
    grade_basis: results.grade_basis.message,
    vehicles: Math.max(1, groups.length),
  };
}

function makeCoco({ data, meta }: InspectionEnvelope) {
  const sightings = listFindings(data).flatMap((damage) =>
    damage.evidence.map((evidence) => ({ damage, evidence })),
  );
  const statusOf = new Map(
    (data.results?.coverage.parts ?? []).map(({ part, status }) => [part, status] as const),
  );
  const toCheck = new Set(listPlacesToCheck(data).map((one) => one.damage_id));
  return {
    info: {
      description: `Damage found by vehi in photos of ${data.vehicle_id}`,
      status: data.status,
      ...(data.failure ? { failure: data.failure } : {}),
      ...describeGrounds(data),
      version: meta.software_version,
      year: new Date(data.created_at).getUTCFullYear(),
      contributor: meta.ai_model_version,
      date_created: data.created_at,
    },
    licenses: [],
    images: data.images.map((photo) => ({
      id: photo.index + 1,
      file_name: photo.url,
      width: photo.width,
      height: photo.height,
      date_captured: data.created_at,
    })),
    annotations: sightings.map(({ damage, evidence }, index) => {
      const box = evidence.coordinates;
      return {
        id: index + 1,
        image_id: evidence.image_index + 1,
        category_id: DAMAGE_TYPES.indexOf(evidence.type ?? damage.type) + 1,
        bbox: [box.x, box.y, box.width, box.height],
        area: area(box),
        segmentation: [listCorners(box)],
        iscrowd: 0,
        score: evidence.confidence,
        attributes: {
          part_coverage: statusOf.get(damage.location.part) ?? null,
          damage_id: damage.damage_id,
          certainty: toCheck.has(damage.damage_id) ? 'to_check' : 'certain',
          number: damage.number,
          part: damage.location.part,
          severity: damage.severity,
          subtype: damage.subtype ?? null,
        },
      };
    }),
    categories,
  };
}
