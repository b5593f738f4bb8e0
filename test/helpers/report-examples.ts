import type {
  AssessedDamage,
  AssessmentEnvelope,
  OperationLine,
  RepairOption,
} from '../../src/contract/assessment.ts';
import type { Damage, InspectionEnvelope, Photo } from '../../src/contract/inspection.ts';
import { DAMAGE_TYPES, SEVERITIES, type Severity } from '../../src/domain/damage.ts';
import { PART_NAMES, PARTS, sideOf } from '../../src/domain/parts.ts';
import { floorScoreOf, rankOf } from '../../src/domain/severity.ts';

export interface ExampleShape {
  readonly damages?: number;
  readonly photos?: number;
  readonly vehicleId?: string;
  readonly photoUrl?: (index: number) => string;
  readonly currency?: string;
  /** Sizes, sub-types, details, photo issues, rejected photos, warnings, hidden risks. Default true. */
  readonly rich?: boolean;
  readonly photoSize?: { width: number; height: number };
}

const SURFACE_PARTS = PART_NAMES.filter((name) => PARTS[name].group !== 'mechanical');

/** A steady stream of numbers in [0, 1): the examples are the same on every run. */
function stream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const cents = (value: number, currency: string) =>
  currency === 'JPY' ? Math.round(value) : Math.round(value * 100) / 100;

/** An inspection envelope of any size whose sums add up as the contract says. */
export function exampleInspection(shape: ExampleShape = {}): InspectionEnvelope {
  const { damages: count = 12, photos: photoCount = 6, currency = 'USD', rich = true } = shape;
  const next = stream(count * 1000 + photoCount);
  const images = Array.from({ length: photoCount }, (_, index) => examplePhoto(index, shape));
  const damages = Array.from({ length: count }, (_, index) =>
    exampleDamage(index, images, currency, rich, next),
  );
  const bySeverity = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, damages.filter((one) => one.severity === severity).length]),
  ) as Record<Severity, number>;
  const byType = Object.fromEntries(
    DAMAGE_TYPES.map((type) => [type, damages.filter((one) => one.type === type).length]),
  ) as Record<(typeof DAMAGE_TYPES)[number], number>;
  const worst = Math.max(-1, ...damages.map((one) => rankOf(one.severity)));
  const sum = (pick: (damage: Damage) => number) =>
    cents(
      damages.reduce((total, one) => total + pick(one), 0),
      currency,
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
        overall_condition:
          (['excellent', 'good', 'fair', 'poor', 'critical'] as const)[worst + 1] ?? 'critical',
        condition_score: Math.max(0, Math.round((10 - (worst + 1) * 2 - count * 0.04) * 10) / 10),
        confidence: 0.86,
        damages,
        damage_summary: {
          total_damages: damages.length,
          by_severity: bySeverity,
          by_type: byType,
          total_estimated_repair: {
            min: sum((one) => one.estimated_repair.min),
            max: sum((one) => one.estimated_repair.max),
            currency,
          },
        },
        parts_affected: [...new Set(damages.map((one) => one.location.part))].map((part) => ({
          part,
          condition: 'fair' as const,
          damage_count: damages.filter((one) => one.location.part === part).length,
        })),
        not_assessed: rich
          ? [
              { what: 'roof', code: 'not_seen', reason: 'No photo shows this part well enough to judge it.' },
              {
                what: 'undercarriage',
                code: 'not_photographed',
                reason: 'The underside was not photographed.',
              },
            ]
          : [],
        dropped_detections: { not_on_vehicle: rich ? 2 : 0, below_confidence: rich ? 5 : 0 },
        ...(rich && count > 0
          ? {
              hidden_damage_risks: [
                {
                  component: 'Radiator support',
                  probability: 0.35,
                  basis: 'Severe damage of the front bumper.',
                },
              ],
            }
          : {}),
      },
      reports: { pdf_url: null, json_url: null },
      images,
      rejected_images: rich
        ? [
            {
              url: 'photos/IMG_0099.jpg',
              code: 'IMAGE_QUALITY_TOO_LOW',
              message: 'The photo is too small.',
              found: '640x480',
              needed: '1280x720',
            },
          ]
        : [],
      missing_views: rich ? ['rear'] : [],
      warnings: rich ? [{ code: 'coverage', message: 'Nobody photographed the rear of the vehicle.' }] : [],
      models: [
        {
          id: 'damage',
          name: 'vehi-damage-s416',
          version: '0.1.0',
          precision: 'fp32',
          sha256: 'a3'.repeat(32),
        },
        {
          id: 'parts',
          name: 'vehi-parts-s320',
          version: '0.1.0',
          precision: 'fp32',
          sha256: '5c'.repeat(32),
        },
      ],
      region: {
        code: 'US_MIDWEST',
        name: 'US Midwest',
        table_version: '2026.2',
        effective_date: '2026-07-01',
        source: 'Service contract, labour regions',
      },
      partial: false,
    },
    meta: {
      request_id: 'req_01JD3YR4G0T8X9V2K7M5N6P1QT',
      processing_time: 4.21,
      images_processed: photoCount,
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
    analysed: true,
    vehicle_share: 0.62,
    annotated_url: null,
    issues:
      shape.rich !== false && index % 3 === 1
        ? [
            {
              code: 'blur',
              value: 41.2,
              limit: 60,
              message: 'The photo is blurred; fine scratches may be missed.',
            },
          ]
        : [],
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
  const seenIn =
    images.length === 0
      ? []
      : [...new Set([index % images.length, ...(next() > 0.7 ? [(index * 7 + 3) % images.length] : [])])];
  const evidence = seenIn.flatMap((imageIndex) => {
    const photo = images[imageIndex];
    if (!photo) return [];
    const width = Math.round(photo.width * (0.05 + next() * 0.25));
    const height = Math.round(photo.height * (0.05 + next() * 0.25));
    const x = Math.floor(next() * (photo.width - width));
    const y = Math.floor(next() * (photo.height - height));
    return [
      {
        image_index: imageIndex,
        image_url: photo.url,
        coordinates: { x, y, width, height, image_width: photo.width, image_height: photo.height },
        confidence: Math.round((0.45 + next() * 0.5) * 100) / 100,
      },
    ];
  });
  const first = evidence[0];
  if (!first) throw new Error('an example with damages needs at least one photo');
  const min = 80 + Math.round(next() * 900);
  return {
    damage_id: `dmg_${part}_${String(index + 1).padStart(3, '0')}`,
    type,
    severity,
    location: { part, side: sideOf(part), coordinates: first.coordinates },
    ...(rich && index % 2 === 0
      ? {
          measurements: {
            ...(type === 'dent' ? { diameter: 8.4, depth: 0.6 } : { length: 31.2, width: 1.8, depth: 0.1 }),
            unit: 'cm' as const,
            method: 'wheel diameter',
            uncertainty_cm: 3.1,
            depth_is_estimate: true,
          },
        }
      : { measurements_absent: 'No known reference in the photo.' }),
    confidence: first.confidence,
    image_url: first.image_url,
    annotated_url: null,
    estimated_repair: {
      min,
      max: Math.round(min * 1.5),
      currency,
      repair_type: 'cosmetic',
      estimated: Math.round(min * 1.25),
    },
    number: index + 1,
    ...(rich && index % 5 === 2
      ? { subtype: 'trim_damage', detail: 'Moulding torn off at the wheel arch.' }
      : {}),
    severity_score: floorScoreOf(severity) + 1.2,
    evidence,
    explain: [{ rule: 'part.mask_overlap', inputs: { part, share: 0.82 } }],
  };
}

/** An assessment of the damages of an inspection, with options, operations and totals that add up. */
export function exampleAssessment(
  inspection: InspectionEnvelope,
  vehicle: AssessmentEnvelope['data']['vehicle'] = { class_used: 'standard' },
): AssessmentEnvelope {
  const currency = inspection.meta.currency;
  const assessed = (inspection.data.results?.damages ?? []).map((damage) => assessedDamage(damage, currency));
  const total = (pick: (damage: AssessedDamage) => number) =>
    cents(
      assessed.reduce((sum, one) => sum + pick(one), 0),
      currency,
    );
  const recommended = {
    min: total((one) => one.recommended_repair.min_cost),
    max: total((one) => one.recommended_repair.max_cost),
    estimated: total((one) => one.recommended_repair.estimated_cost),
    currency,
  };
  const saving = cents(recommended.estimated * 0.06, currency);
  const adjusted = {
    min: cents(recommended.min - saving, currency),
    max: cents(recommended.max - saving, currency),
    estimated: cents(recommended.estimated - saving, currency),
    currency,
  };
  const worst = Math.max(0, ...assessed.map((one) => rankOf(one.severity)));
  return {
    status: 'success',
    data: {
      assessment_id: 'asmt_01JD3YS0Q7R2W4E6T8Y1U3I5OP',
      vehicle_id: inspection.data.vehicle_id,
      inspection_id: inspection.data.inspection_id,
      created_at: '2026-11-20T09:31:00.000Z',
      assessed_damages: assessed,
      summary: {
        total_damages_assessed: assessed.length,
        overall_severity: SEVERITIES[worst] ?? 'minor',
        overall_severity_score: Math.max(0, ...assessed.map((one) => one.severity_score)),
        total_value_reduction_percentage: 7.4,
        repair_cost_summary: {
          recommended_repairs_total: recommended,
          all_repairs_range: { min: recommended.min, max: cents(recommended.max * 2.2, currency), currency },
          adjustments: [
            {
              code: 'refinish.overlap',
              description: 'Refinish overlap of adjacent panels',
              hours: -0.8,
              min: -saving * 0.6,
              max: -saving * 0.6,
              estimated: -cents(saving * 0.6, currency),
              currency,
            },
            {
              code: 'refinish.clear_coat_cap',
              description: 'Clear coat capped at 2.5 h',
              hours: -0.5,
              min: -saving * 0.4,
              max: -saving * 0.4,
              estimated: -cents(saving * 0.4, currency),
              currency,
            },
          ],
          adjusted_total: adjusted,
          departments: [
            {
              department: 'parts',
              hours: 0,
              rate_per_hour: null,
              total: cents(adjusted.estimated * 0.3, currency),
              currency,
            },
            {
              department: 'body',
              hours: 14.2,
              rate_per_hour: 115,
              total: cents(adjusted.estimated * 0.4, currency),
              currency,
            },
            {
              department: 'refinish',
              hours: 8.1,
              rate_per_hour: 115,
              total: cents(adjusted.estimated * 0.2, currency),
              currency,
            },
            {
              department: 'materials',
              hours: 8.1,
              rate_per_hour: 45,
              total: cents(adjusted.estimated * 0.1, currency),
              currency,
            },
          ],
        },
        repair_timeline: {
          estimated_total_days: 6,
          can_repair_simultaneously: true,
          formula: 'ceil(22.3 h / 6 h per day) + 2 days of paint',
        },
        impact_on_vehicle_value: {
          estimated_market_value: 18500,
          value_reduction: 1369,
          adjusted_value: 17131,
          currency,
          basis: 'regional_default',
          formula: '18,500 × 7.4 %',
        },
        total_loss: {
          is_total_loss: false,
          near_threshold: false,
          rule: 'percent_of_value',
          threshold_percentage: 75,
          repair_cost: adjusted.estimated,
          salvage_value: 3700,
          vehicle_value: 18500,
          ratio_percentage: cents((adjusted.estimated / 18500) * 100, 'USD'),
          currency,
          formula: 'repair / value ≥ 75 %',
          source: 'Region table',
        },
        supplement_risk: {
          level: 'medium',
          probability_min: 0.2,
          probability_max: 0.4,
          additional_cost: { min: 150, max: 900, currency },
          formula: 'share of estimates with a supplement × mean supplement',
          source: 'Pricing table',
        },
        adas_notes: [
          {
            part: 'windshield',
            sensor: 'forward camera',
            note: 'Calibrate after replacing the glass.',
            amount: { min: 180, max: 420, currency },
            included_in_total: false,
            source: 'Parts table',
          },
        ],
      },
      reports: { pdf_url: null, json_url: null },
      vehicle,
      estimate: {
        panels: assessed.slice(0, 40).map((one) => ({
          part: one.location,
          damage_ids: [one.damage_id],
          option: one.recommended_repair.option,
          repair_type: 'panel_repair' as const,
          operations: one.repair_options[0]?.operations ?? [],
          parts_required: [],
        })),
        refinish: [
          operation('Refn', 'hood', 'refinish', 0, 2.4),
          operation('Clear', 'hood', 'refinish', 0, 1),
        ],
        paint_materials: { refinish_hours: 8.1, rate_per_hour: 45, total: 364.5, currency },
      },
      region: inspection.data.region ?? {
        code: 'US_MIDWEST',
        name: 'US Midwest',
        table_version: '1',
        effective_date: '2026-07-01',
        source: 'test',
      },
      warnings: [],
    },
    meta: {
      request_id: 'req_01JD3YS0Q7R2W4E6T8Y1U3I5OQ',
      processing_time: 0.02,
      labor_rate_used: 115,
      currency,
      region: 'US_MIDWEST',
      schema_version: '1.0.0',
      software_version: '0.1.0',
      tables: [{ name: 'parts', version: '2026.2', effective_date: '2026-07-01' }],
    },
  };
}

function assessedDamage(damage: Damage, currency: string): AssessedDamage {
  const repair = option('conventional_repair', 'panel_repair', true, 3.2, 40, currency, damage);
  const replace = option('panel_replacement', 'replacement', false, 5.1, 480, currency, damage);
  return {
    damage_id: damage.damage_id,
    type: damage.type,
    location: damage.location.part,
    severity: damage.severity,
    severity_score: damage.severity_score,
    impact_assessment: {
      structural: 'none',
      cosmetic: 'moderate',
      safety: 'none',
      affects_value: true,
      value_reduction_percentage: 1.2,
    },
    repair_options: [repair, replace],
    recommended_repair: {
      option: repair.option,
      min_cost: repair.cost_range.min,
      max_cost: repair.cost_range.max,
      estimated_cost: repair.total_cost.total,
      currency,
    },
    explain: [],
  };
}

function option(
  name: string,
  repair_type: RepairOption['repair_type'],
  recommended: boolean,
  hours: number,
  parts: number,
  currency: string,
  damage: Damage,
): RepairOption {
  const labor = cents(hours * 115, currency);
  const total = cents(labor + parts, currency);
  const part = damage.location.part;
  return {
    option: name,
    description: recommended
      ? 'Straighten, fill and refinish the panel.'
      : 'Fit a new panel and refinish it.',
    recommended,
    repair_type,
    parts_required: [
      {
        part: recommended ? 'paint_materials' : part,
        type: recommended ? 'consumable' : 'body_part',
        oem_price: parts,
        source: recommended ? 'consumable' : 'oem',
        currency,
      },
    ],
    labor: { hours, rate_per_hour: 115, total: labor, currency },
    total_cost: { parts, labor, total, currency },
    timeline: {
      estimated_days: recommended ? 2 : 4,
      description: '2 working days',
      formula: 'ceil(hours / 6)',
    },
    cost_range: { min: cents(total * 0.8, currency), max: cents(total * 1.2, currency), currency },
    operations: [
      operation(recommended ? 'Rpr' : 'R&R', part, 'body', hours - 1.2, 0, recommended ? null : parts),
      operation('Refn', part, 'refinish', 0, 1.2),
    ],
    ...(recommended
      ? {}
      : {
          not_recommended_reason: {
            code: 'repair_cheaper',
            message: 'Repair costs less than 75 % of replacement.',
          },
        }),
    explain: [],
  };
}

function operation(
  code: OperationLine['operation'],
  part: string,
  department: OperationLine['department'],
  body: number,
  refinish: number,
  price: number | null = null,
): OperationLine {
  return {
    operation: code,
    part,
    department,
    type: price === null ? null : 'oem',
    price,
    body_hours: Math.round(body * 10) / 10,
    refinish_hours: refinish,
    mechanical_hours: 0,
    structural_hours: 0,
    basis: code === 'Rpr' ? 'judgement' : 'table',
    note: '',
  };
}
