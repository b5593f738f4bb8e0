import type { AssessmentEnvelope } from '../../../src/contract/assessment/assessment.ts';
import type { AssessedDamage } from '../../../src/contract/assessment/damage.ts';
import type { EstimateLine } from '../../../src/contract/assessment/lines.ts';
import type { RepairOption } from '../../../src/contract/assessment/option.ts';
import type { Damage, InspectionEnvelope } from '../../../src/contract/inspection.ts';
import type { RepairLine } from '../../../src/contract/inspection-grounds.ts';
import { SEVERITIES } from '../../../src/domain/damage.ts';
import { rankSeverity } from '../../../src/domain/judge/severity.ts';
import { cents } from './example-inspection.ts';

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
  const worst = Math.max(0, ...assessed.map((one) => rankSeverity(one.severity)));
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
          first_bill: adjusted,
          as_seen: adjusted,
          first_bill_gross: adjusted.estimated,
          net_total: adjusted.estimated,
          gross_total: adjusted.estimated,
          range_meaning:
            'Visible damage only: after teardown the bills of four US claims were 1.7 to 2.4 times as high.',
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
          rule: '17c',
          formula: '18,500 × 7.4 %',
          value_formula: 'regional default 18,500 USD',
        },
        total_loss: {
          verdict: 'unknown',
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
      },
      reports: { pdf_url: null, json_url: null },
      vehicle,
      estimate: {
        lines: assessed.slice(0, 40).flatMap((one, index) => exampleLines(one, index, currency)),
        repair_lines: exampleRepairLines(
          inspection.data.results?.damages ?? [],
          adjusted.estimated,
          currency,
        ),
        associated_operations: 'likely',
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

/** One row per part, which add up to `total`: the first one takes what the others leave. */
function exampleRepairLines(damages: readonly Damage[], total: number, currency: string): RepairLine[] {
  const parts = [...new Set(damages.map((one) => one.location.part))];
  const share = Math.floor(total / parts.length);
  return parts.map((part, index) => ({
    kind: 'part',
    part,
    damage_ids: damages.filter((one) => one.location.part === part).map((one) => one.damage_id),
    words: 'dent',
    action: 'repair, paint',
    hours: 4,
    cost: index === 0 ? Math.round((total - share * (parts.length - 1)) * 100) / 100 : share,
    currency,
    image_urls: [],
  }));
}

function assessedDamage(damage: Damage, currency: string): AssessedDamage {
  const repair = {
    ...option('conventional_repair', 'cosmetic', true, 3.2, 40, currency, damage),
    repair_category: 'panel_repair' as const,
  };
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

/** The work on one part: its repair, and its paint. */
function exampleLines(
  { damage_id, location, recommended_repair: { estimated_cost } }: AssessedDamage,
  index: number,
  currency: string,
): EstimateLine[] {
  const line = {
    group: 'part',
    part: location,
    price: null,
    part_source: null,
    tax_class: 'labor',
    currency,
    counted_in: 'total',
    note: '',
    source: 'test',
    set_by: 'rule',
  } as const;
  const paint = cents(1.2 * 115, currency);
  const repair = cents(estimated_cost - paint, currency);
  const work = [
    { operation: 'Rpr', department: 'body', hours: 2, labor: repair, basis: 'judgement' },
    { operation: 'Refn', department: 'refinish', hours: 1.2, labor: paint, basis: 'table' },
  ] as const;
  return work.map((one, at) => ({
    ...line,
    ...one,
    damage_ids: [damage_id],
    line_id: `${location}/${one.operation.toLowerCase()}`,
    number: index * 2 + at + 1,
    rate_per_hour: 115,
    amount: one.labor,
    taxable: one.labor,
  }));
}
