import type { AssessmentEnvelope } from '../../../src/contract/assessment.ts';
import type { Damage, InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { VehiError } from '../../../src/domain/errors.ts';
import { isCurrency } from '../../../src/domain/money.ts';
import { isPartName } from '../../../src/domain/parts.ts';
import type { InspectHooks, InspectRequest } from '../../../src/engine/request.ts';
import type { Programs } from '../../../src/server/ports.ts';

/** A text "photo" that the fake checker and engine read: `photo 1920x1080`, or a word that makes them reject it. */
export const photo = (text = 'photo 1920x1080') => Buffer.from(text);

const REGIONS = ['US_CALIFORNIA', 'US_MIDWEST', 'EU_GERMANY', 'ASIA_JAPAN'];
const region = {
  code: 'US_MIDWEST',
  name: 'US Midwest',
  table_version: '1',
  effective_date: '2026-01-01',
  source: 'test',
};

function damage(request: InspectRequest): Damage {
  const url = request.photos[0]?.url ?? '';
  const coordinates = { x: 10, y: 20, width: 100, height: 50, image_width: 1920, image_height: 1080 };
  return {
    damage_id: 'dmg_front_bumper_001',
    type: 'scratch',
    severity: 'minor',
    location: { part: 'front_bumper', side: 'front', coordinates },
    confidence: 0.91,
    image_url: url,
    annotated_url: null,
    estimated_repair: {
      min: 100,
      max: 200,
      currency: request.options.currency,
      repair_type: 'cosmetic',
      estimated: 150,
    },
    number: 1,
    severity_score: 1.5,
    ...(request.options.detailed
      ? {
          measurements: {
            length: 10,
            width: 0.5,
            depth: 0.1,
            unit: 'cm' as const,
            method: 'plate',
            uncertainty_cm: 1,
          },
        }
      : {}),
    evidence: [{ image_index: 0, image_url: url, coordinates, confidence: 0.91 }],
    explain: [{ rule: 'severity.scratch', inputs: { length_cm: 10 } }],
  };
}

/** The fake engine's answer for a request. */
export function inspectionOf(request: InspectRequest): InspectionEnvelope {
  const bytes = (index: number) => {
    const source = request.photos[index]?.source;
    return source?.kind === 'bytes' ? Buffer.from(source.bytes).toString() : '';
  };
  const rejected = request.photos.flatMap(({ url }, index) =>
    bytes(index).includes('cut-off')
      ? [
          {
            url,
            code: 'IMAGE_UNREADABLE',
            message: `${url}: cut off`,
            found: 'half a photo',
            needed: 'a whole photo',
          },
        ]
      : [],
  );
  return {
    status: 'success',
    data: {
      inspection_id: 'vis_engine',
      vehicle_id: request.vehicleId,
      status: 'completed',
      created_at: '2020-01-01T00:00:00.000Z',
      completed_at: '2020-01-01T00:00:01.000Z',
      processing_time: 1,
      results: {
        overall_condition: 'good',
        condition_score: 8.5,
        confidence: 0.9,
        damages: [damage(request)],
        damage_summary: {
          total_damages: 1,
          by_severity: { minor: 1, moderate: 0, severe: 0, critical: 0 },
          by_type: {
            scratch: 1,
            dent: 0,
            rust: 0,
            crack: 0,
            paint_damage: 0,
            glass_damage: 0,
            panel_damage: 0,
          },
          total_estimated_repair: { min: 100, max: 200, currency: request.options.currency },
        },
        parts_affected: [{ part: 'front_bumper', condition: 'good', damage_count: 1 }],
        not_assessed: [],
        dropped_detections: { not_on_vehicle: 0, below_confidence: 0 },
        ...(request.options.hiddenDamage
          ? { hidden_damage_risks: [{ component: 'engine', probability: 0.1, basis: 'test' }] }
          : {}),
      },
      reports: { pdf_url: null, json_url: null },
      images: request.photos.map(({ url, angle, type }, index) => ({
        index,
        url,
        width: 1920,
        height: 1080,
        format: 'jpeg' as const,
        bytes: 15,
        sha256: 'ab',
        angle: angle ?? null,
        angle_source: 'request' as const,
        type: type ?? 'exterior',
        analysed: true,
        vehicle_share: 0.5,
        annotated_url: null,
        issues: [],
      })),
      rejected_images: rejected,
      missing_views: [],
      warnings: [],
      models: [{ id: 'damage', name: 'test', version: '1', precision: 'fp32', sha256: 'ab' }],
      region,
      partial: false,
    },
    meta: {
      request_id: 'req_engine',
      processing_time: 1,
      images_processed: request.photos.length,
      ai_model_version: 'test-1',
      schema_version: '1',
      software_version: '0.0.0',
      region: request.options.region,
      labor_rate_used: 115,
      currency: request.options.currency,
    },
  };
}

function assess(
  request: Parameters<Programs['assessor']['assess']>[0],
  assessmentId: string,
  now: Date,
): AssessmentEnvelope {
  const currency = request.assessment_options?.currency ?? 'USD';
  const code = request.assessment_options?.labor_rate_region ?? 'US_MIDWEST';
  const range = { min: 100, max: 200, currency };
  return {
    status: 'success',
    data: {
      assessment_id: assessmentId,
      vehicle_id: request.vehicle_id,
      ...(request.inspection_id === undefined ? {} : { inspection_id: request.inspection_id }),
      created_at: now.toISOString(),
      assessed_damages: request.damages.map((d) => ({
        damage_id: d.damage_id,
        type: 'scratch',
        location: 'front_bumper',
        severity: d.severity ?? 'minor',
        severity_score: 1,
        impact_assessment: {
          structural: 'none',
          cosmetic: 'minor',
          safety: 'none',
          affects_value: true,
          value_reduction_percentage: 0.5,
        },
        repair_options: [
          {
            option: 'paint_touch_up',
            description: 'Touch up',
            recommended: true,
            repair_type: 'cosmetic',
            parts_required: [],
            labor: { hours: 1, rate_per_hour: 115, total: 115, currency },
            total_cost: { parts: 0, labor: 115, total: 115, currency },
            cost_range: range,
            operations: [],
            explain: [],
          },
        ],
        recommended_repair: {
          option: 'paint_touch_up',
          min_cost: 100,
          max_cost: 200,
          estimated_cost: 115,
          currency,
        },
        explain: [{ rule: 'test', inputs: { a: null } }],
      })),
      summary: {
        total_damages_assessed: request.damages.length,
        overall_severity: 'minor',
        overall_severity_score: 1,
        total_value_reduction_percentage: 0.5,
        repair_cost_summary: {
          recommended_repairs_total: { ...range, estimated: 115 },
          all_repairs_range: range,
          adjustments: [],
          adjusted_total: { ...range, estimated: 115 },
          departments: [],
        },
        repair_timeline: { estimated_total_days: 1, can_repair_simultaneously: true, formula: 'x' },
        impact_on_vehicle_value: {
          estimated_market_value: 20000,
          value_reduction: 100,
          adjusted_value: 19900,
          currency,
          basis: 'regional_default',
          formula: 'x',
        },
        total_loss: {
          is_total_loss: false,
          near_threshold: false,
          rule: 'percent_of_value',
          threshold_percentage: 75,
          repair_cost: 115,
          salvage_value: 1000,
          vehicle_value: 20000,
          ratio_percentage: 1,
          currency,
          formula: 'x',
          source: 'x',
        },
        supplement_risk: {
          level: 'low',
          probability_min: 0,
          probability_max: 0.1,
          additional_cost: range,
          formula: 'x',
          source: 'x',
        },
        adas_notes: [],
      },
      reports: { pdf_url: null, json_url: null },
      vehicle: { class_used: 'standard' },
      estimate: {
        panels: [],
        refinish: [],
        paint_materials: { refinish_hours: 0, rate_per_hour: 0, total: 0, currency },
      },
      region: { ...region, code },
      warnings: [],
    },
    meta: {
      request_id: 'req_x',
      processing_time: 0,
      labor_rate_used: 115,
      currency,
      region: code,
      schema_version: '1',
      software_version: '0.0.0',
      tables: [],
    },
  };
}

export interface FakeEngine {
  /** Requests seen so far. */
  readonly seen: InspectRequest[];
  /** Analyses wait while this is set. */
  hold: Promise<void> | undefined;
  /** What the next analyses throw. */
  failWith: unknown;
}

/** Programs with known answers; the contract's rules for parts, regions and currencies hold as in the real ones. */
export function fakePrograms(): Programs & { fake: FakeEngine } {
  const fake: FakeEngine = { seen: [], hold: undefined, failWith: undefined };
  return {
    fake,
    modelVersion: 'test-1',
    engine: {
      async inspect(request: InspectRequest, _hooks?: InspectHooks) {
        fake.seen.push(request);
        await fake.hold;
        if (fake.failWith !== undefined) throw fake.failWith;
        return inspectionOf(request);
      },
    },
    assessor: {
      regions: REGIONS,
      async assess(request, { assessmentId, now }) {
        const bad = (code: string, field: string) =>
          new VehiError('input', code, `${field} is wrong`, { field });
        const ids = new Set<string>();
        request.damages.forEach((d, i) => {
          const part = typeof d.location === 'string' ? d.location : d.location.part;
          if (!isPartName(part)) throw bad('INVALID_DAMAGE_DATA', `damages[${i}].location`);
          if (ids.has(d.damage_id)) throw bad('INVALID_DAMAGE_DATA', `damages[${i}].damage_id`);
          ids.add(d.damage_id);
        });
        const options = request.assessment_options;
        if (options?.labor_rate_region !== undefined && !REGIONS.includes(options.labor_rate_region)) {
          throw bad('INVALID_REGION', 'assessment_options.labor_rate_region');
        }
        if (options?.currency !== undefined && !isCurrency(options.currency)) {
          throw bad('INVALID_CURRENCY', 'assessment_options.currency');
        }
        return assess(request, assessmentId, now);
      },
    },
    photos: {
      async check(bytes) {
        const text = Buffer.from(bytes).toString();
        const reject = (code: string, found: string) => ({
          code,
          found,
          needed: 'another',
          message: `found ${found}`,
        });
        if (!text.startsWith('photo')) return reject('UNSUPPORTED_IMAGE_FORMAT', 'no photo');
        const size = /(\d+)x(\d+)/.exec(text);
        if (!size) return reject('IMAGE_UNREADABLE', 'no size');
        const sides = [Number(size[1]), Number(size[2])].sort((a, b) => b - a);
        if ((sides[0] ?? 0) < 1280 || (sides[1] ?? 0) < 720) return reject('IMAGE_QUALITY_TOO_LOW', size[0]);
        return undefined;
      },
    },
    artifacts: {
      async annotate(inspection, photos) {
        const seen = new Set(inspection.results?.damages.map((d) => d.evidence[0]?.image_index));
        return photos
          .filter(({ index }) => seen.has(index))
          .map(({ index }) => ({ index, bytes: Buffer.from('jpeg') }));
      },
      async inspectionPdf() {
        return Buffer.from('%PDF-inspection');
      },
      async assessmentPdf() {
        return Buffer.from('%PDF-assessment');
      },
    },
  };
}
