import type {
  Damage,
  InspectionEnvelope,
  InspectionResults,
  Photo,
} from '../../../src/contract/inspection.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../../src/domain/damage.ts';
import { LOWEST_SCORE } from '../../../src/domain/grading/severity.ts';
import { findSide, PART_NAMES, PARTS } from '../../../src/domain/parts.ts';
import { createResults } from '../../../src/engine/inspect/results.ts';
import { createRandom } from '../../../src/lib/random.ts';
import { exampleGrounds, toCheckOf } from './example-grounds.ts';

export interface ExampleShape {
  readonly damages?: number;
  readonly photos?: number;
  /** Places to check. Default 0. */
  readonly toCheck?: number;
  readonly vehicleId?: string;
  readonly photoUrl?: (index: number) => string;
  readonly currency?: string;
  /** Sizes, sub-types, details, photo issues, rejected photos, warnings, hidden risks. Default true. */
  readonly rich?: boolean;
  readonly photoSize?: { width: number; height: number };
}

const SURFACE_PARTS = PART_NAMES.filter((name) => PARTS[name].group !== 'mechanical');

const NOT_ASSESSED: InspectionResults['not_assessed'] = [
  { what: 'roof', code: 'not_seen', reason: 'No photo shows this part well enough to judge it.' },
  { what: 'undercarriage', code: 'not_photographed', reason: 'The underside was not photographed.' },
];
const DROPPED = { not_on_vehicle: 2, implausible: 1, below_confidence: 5 };
const HIDDEN = [
  { component: 'Radiator support', probability: 0.35, basis: 'Severe damage of the front bumper.' },
];
const REJECTED = [
  {
    url: 'photos/IMG_0099.jpg',
    code: 'IMAGE_QUALITY_TOO_LOW',
    message: 'The photo is too small.',
    found: '640x480',
    needed: '1280x720',
  },
];
const BLUR = {
  code: 'blur',
  value: 41.2,
  limit: 60,
  message: 'The photo is blurred; fine scratches may be missed.',
};
const DENT_SIZE = { diameter: 8.4, depth: 0.6 };
const SCRATCH_SIZE = { length: 31.2, width: 1.8, depth: 0.1 };
const MEASURED = {
  unit: 'cm',
  method: 'wheel diameter',
  uncertainty_cm: 3.1,
  depth_is_estimate: true,
} as const;
const MODEL = { version: '0.1.0', precision: 'fp32' };

/** An inspection envelope of any size whose sums add up as the contract says. */
export function exampleInspection(shape: ExampleShape = {}): InspectionEnvelope {
  const { damages: count = 12, photos = 6, toCheck: places = 0, currency = 'USD', rich = true } = shape;
  const next = createRandom(count * 1000 + photos);
  const images = Array.from({ length: photos }, (_, index) => examplePhoto(index, shape));
  const draw = (index: number) => exampleDamage(index, images, currency, rich, next);
  const damages = Array.from({ length: count }, (_, index) => draw(index));
  const toCheck = Array.from({ length: photos > 0 ? places : 0 }, (_, index) =>
    toCheckOf(draw(index), count + index + 1),
  );
  return {
    status: 'success',
    data: {
      inspection_id: 'vis_01JD3YR4G0T8X9V2K7M5N6P1QS',
      vehicle_id: shape.vehicleId ?? 'veh_fleet_4711',
      status: 'completed',
      created_at: '2026-11-20T09:30:00.000Z',
      completed_at: '2026-11-20T09:30:04.210Z',
      processing_time: 4.21,
      results: {
        ...createResults(damages, toCheck, exampleGrounds(images, toCheck, currency)),
        ...(rich && { not_assessed: NOT_ASSESSED, dropped_detections: DROPPED }),
        ...(rich && count > 0 ? { hidden_damage_risks: HIDDEN } : {}),
      },
      reports: { pdf_url: null, json_url: null },
      images,
      rejected_images: rich ? REJECTED : [],
      missing_views: rich ? ['rear'] : [],
      vehicle_groups: [],
      settings: { sensitivity: 'default', min_confidence: null },
      warnings: rich ? [{ code: 'coverage', message: 'Nobody photographed the rear of the vehicle.' }] : [],
      models: [
        { id: 'damage', name: 'vehi-damage-s416', ...MODEL, sha256: 'a3'.repeat(32) },
        { id: 'parts', name: 'vehi-parts-s320', ...MODEL, sha256: '5c'.repeat(32) },
      ],
      region: {
        code: 'US_MIDWEST',
        name: 'US Midwest',
        table_version: '2026.2',
        effective_date: '2026-07-01',
        source: 'Service contract, table of labor regions',
        tables_sha256: '7e'.repeat(32),
      },
      partial: false,
    },
    meta: {
      request_id: 'req_01JD3YR4G0T8X9V2K7M5N6P1QT',
      processing_time: 4.21,
      images_processed: photos,
      ai_model_version: 'vehi-damage-s416@0.1.0',
      schema_version: '1.0.0',
      software_version: '0.1.0',
      region: 'US_MIDWEST',
      labor_rate_used: 115,
      currency,
    },
  };
}

function examplePhoto(index: number, shape: ExampleShape): Photo {
  const { width, height } =
    shape.photoSize ?? (index % 4 === 3 ? { width: 1200, height: 1600 } : { width: 1600, height: 1200 });
  return {
    index,
    url: shape.photoUrl?.(index) ?? `photos/IMG_${String(index + 1).padStart(4, '0')}.jpg`,
    width,
    height,
    format: 'jpeg',
    bytes: 2_400_000 + index * 1000,
    sha256: String(index % 10).repeat(64),
    angle: (['front', 'left_side', 'rear', 'right_side', null] as const)[index % 5] ?? null,
    angle_source: 'parts_seen',
    type: 'exterior',
    analyzed: true,
    vehicle_share: 0.62,
    annotated_url: null,
    issues: shape.rich !== false && index % 3 === 1 ? [BLUR] : [],
  };
}

function exampleDamage(
  index: number,
  images: readonly Photo[],
  currency: string,
  rich: boolean,
  next: () => number,
): Damage {
  const part = SURFACE_PARTS[Math.floor(next() * SURFACE_PARTS.length)] ?? 'hood';
  const type = DAMAGE_TYPES[index % DAMAGE_TYPES.length] ?? 'dent';
  const severity = SEVERITIES[Math.min(3, Math.floor(next() ** 1.6 * 4))] ?? 'minor';
  const further = next() > 0.7 ? [(index * 7 + 3) % images.length] : [];
  const evidence = [...new Set([index % images.length, ...further])].flatMap((image_index) => {
    const photo = images[image_index];
    if (!photo) return [];
    const width = Math.round(photo.width * (0.05 + next() * 0.25));
    const height = Math.round(photo.height * (0.05 + next() * 0.25));
    const x = Math.floor(next() * (photo.width - width));
    const y = Math.floor(next() * (photo.height - height));
    const coordinates = { x, y, width, height, image_width: photo.width, image_height: photo.height };
    const confidence = Math.round((0.45 + next() * 0.5) * 100) / 100;
    return [{ image_index, image_url: photo.url, coordinates, confidence }];
  });
  const first = evidence[0];
  if (!first) throw new Error('an example with damages needs at least one photo');
  const min = 80 + Math.round(next() * 900);
  const max = Math.round(min * 1.5);
  return {
    damage_id: `dmg_${part}_${String(index + 1).padStart(3, '0')}`,
    type,
    severity,
    location: { part, side: findSide(part), coordinates: first.coordinates },
    ...(rich && index % 2 === 0
      ? { measurements: { ...(type === 'dent' ? DENT_SIZE : SCRATCH_SIZE), ...MEASURED } }
      : { measurements_absent: 'No known reference in the photo.' }),
    confidence: first.confidence,
    image_url: first.image_url,
    annotated_url: null,
    estimated_repair: { min, max, currency, repair_type: 'cosmetic', estimated: Math.round(min * 1.25) },
    number: index + 1,
    ...(rich && index % 5 === 2 && { subtype: 'trim_damage', detail: 'Molding torn off at the wheel arch.' }),
    severity_score: LOWEST_SCORE[severity] + 1.2,
    evidence,
    explain: [{ rule: 'part.mask_overlap', inputs: { part, share: 0.82 } }],
  };
}
