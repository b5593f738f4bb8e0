import { afterAll, describe, expect, it } from 'vitest';
import { ASSESSMENT as ASSESSMENT_PATH, startService } from '../helpers/service.ts';

/*
 * A client that knows the service by the tables of its contract alone: field, type and values of each row, each on every
 * object that it is about. Rows are written here from the contract, not taken from the schemas that make the answers. The
 * values that requests may have are in test/unit/contract, its rules in the tests of each operation.
 */
const SEVERITIES = ['minor', 'moderate', 'severe', 'critical'];
const TYPES = ['scratch', 'dent', 'rust', 'crack', 'paint_damage', 'glass_damage', 'panel_damage'];
const REPAIR_TYPES = ['cosmetic', 'pdr', 'replacement', 'structural'];
const CONDITIONS = ['excellent', 'good', 'fair', 'poor', 'critical'];

type Rule = string | RegExp | readonly string[];
/** Path of a field, `[]` for each entry, a `?` where it may be absent or null; what it holds. */
type Row = readonly [path: string, rule: Rule];

/** Rows of fields next to each other with one rule. */
const each = (path: string, names: readonly string[], rule: Rule) =>
  names.map((name): Row => [`${path}.${name}`, rule]);

const DAMAGE = 'data.results.damages[]';
const TOTALS = 'data.results.damage_summary';
const VISUAL: readonly Row[] = [
  ['data.inspection_id', /^vis_/],
  ['data.vehicle_id', ['veh_conformance']],
  ['data.status', ['processing', 'completed', 'failed']],
  ...each('data', ['created_at', 'completed_at'], 'time'),
  ['data.processing_time', 'number'],
  ...each('data.reports', ['pdf_url', 'json_url'], 'string'),
  ['data.results.overall_condition', CONDITIONS],
  ['data.results.condition_score', 'score'],
  ['data.results.confidence', 'share'],
  ['data.results.parts_affected[].part', 'string'],
  ['data.results.parts_affected[].condition', CONDITIONS],
  ['data.results.parts_affected[].damage_count', 'integer'],
  [`${DAMAGE}.damage_id`, /^dmg_/],
  [`${DAMAGE}.type`, TYPES],
  [`${DAMAGE}.severity`, SEVERITIES],
  ...each(`${DAMAGE}.location`, ['part', 'side'], 'string'),
  ...each(`${DAMAGE}.location.coordinates`, ['x', 'y', 'width', 'height'], 'number'),
  [`${DAMAGE}.confidence`, 'share'],
  ...each(DAMAGE, ['image_url', 'annotated_url'], 'string'),
  ...each(`${DAMAGE}.estimated_repair`, ['min', 'max'], 'number'),
  [`${DAMAGE}.estimated_repair.currency`, 'string'],
  [`${DAMAGE}.estimated_repair.repair_type`, REPAIR_TYPES],
  [`${TOTALS}.total_damages`, 'integer'],
  ...each(`${TOTALS}.by_severity`, SEVERITIES, 'integer'),
  ...each(`${TOTALS}.by_type`, TYPES.slice(0, 5), 'integer'),
  ...each(`${TOTALS}.total_estimated_repair`, ['min', 'max'], 'number'),
  [`${TOTALS}.total_estimated_repair.currency`, 'string'],
  ['meta.request_id', 'string'],
  ['meta.processing_time', 'number'],
  ['meta.images_processed', 'integer'],
  ['meta.ai_model_version', 'string'],
];

const OPTION = 'data.assessed_damages[].repair_options[]';
const IMPACT = 'data.assessed_damages[].impact_assessment';
const RECOMMENDED = 'data.assessed_damages[].recommended_repair';
const SUMMARY = 'data.summary';
const COSTS = `${SUMMARY}.repair_cost_summary`;
const VALUES = ['estimated_market_value', 'value_reduction', 'adjusted_value'];
const ASSESSMENT: readonly Row[] = [
  ['data.assessment_id', /^asmt_/],
  ['data.vehicle_id', ['veh_conformance']],
  ['data.created_at', 'time'],
  ...each('data.reports', ['pdf_url', 'json_url'], 'string'),
  ...each('data.assessed_damages[]', ['damage_id', 'location'], 'string'),
  ['data.assessed_damages[].type', TYPES],
  ['data.assessed_damages[].severity', SEVERITIES],
  ['data.assessed_damages[].severity_score', 'score'],
  [`${IMPACT}.structural`, ['none', ...SEVERITIES]],
  [`${IMPACT}.cosmetic`, ['none', 'minor', 'moderate', 'severe']],
  [`${IMPACT}.safety`, ['none', ...SEVERITIES]],
  [`${IMPACT}.affects_value`, 'boolean'],
  [`${IMPACT}.value_reduction_percentage`, 'number'],
  ...each(RECOMMENDED, ['min_cost', 'max_cost', 'estimated_cost'], 'number'),
  ...each(RECOMMENDED, ['option', 'currency'], 'string'),
  ...each(OPTION, ['option', 'description'], 'string'),
  [`${OPTION}.recommended`, 'boolean'],
  [`${OPTION}.repair_type`, REPAIR_TYPES],
  ...each(`${OPTION}.parts_required[]`, ['part', 'type', 'currency'], 'string'),
  ...each(`${OPTION}.parts_required[]`, ['oem_price', 'aftermarket_price?'], 'number'),
  ...each(`${OPTION}.labor`, ['hours', 'rate_per_hour', 'total'], 'number'),
  ...each(`${OPTION}.total_cost`, ['parts', 'labor', 'total'], 'number'),
  [`${OPTION}.timeline.estimated_days`, 'integer'],
  [`${OPTION}.timeline.description`, 'string'],
  [`${SUMMARY}.total_damages_assessed`, 'integer'],
  [`${SUMMARY}.overall_severity`, SEVERITIES],
  [`${SUMMARY}.overall_severity_score`, 'score'],
  [`${SUMMARY}.total_value_reduction_percentage`, 'number'],
  ...each(`${COSTS}.recommended_repairs_total`, ['min', 'max', 'estimated'], 'number'),
  ...each(`${COSTS}.all_repairs_range`, ['min', 'max'], 'number'),
  [`${SUMMARY}.repair_timeline.estimated_total_days`, 'integer'],
  [`${SUMMARY}.repair_timeline.can_repair_simultaneously`, 'boolean'],
  ...each(`${SUMMARY}.impact_on_vehicle_value`, VALUES, 'number'),
  ['meta.request_id', 'string'],
  ['meta.processing_time', 'number'],
  ['meta.labor_rate_used', 'number'],
  ['meta.currency', ['USD']],
  ['meta.region', 'string'],
];

const between = (value: unknown, most: number) => typeof value === 'number' && value >= 0 && value <= most;

function holds(rule: Rule, value: unknown): boolean {
  if (rule instanceof RegExp) return typeof value === 'string' && rule.test(value);
  if (typeof rule !== 'string') return rule.includes(value as string);
  if (rule === 'integer') return Number.isInteger(value);
  if (rule === 'score' || rule === 'share') return between(value, rule === 'score' ? 10 : 1);
  if (rule === 'time') return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return rule === 'number' ? Number.isFinite(value) : typeof value === rule;
}

/** All values at a path; undefined among them where one is absent. */
function readAll(value: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (found, step) =>
      found.flatMap((one) => {
        const inner = (one as Record<string, unknown> | undefined)?.[step.replace('[]', '')];
        return step.endsWith('[]') ? (Array.isArray(inner) ? inner : [undefined]) : [inner];
      }),
    [value],
  );
}

const service = await startService();
afterAll(() => service.close());
const damages = ['hood', 'front_door_left', 'quarter_panel_left'].map((location) => ({
  damage_id: location,
  type: 'dent',
  location,
}));
const vehicle_id = 'veh_conformance';
const answers: Record<string, unknown> = {
  visual: (await service.inspect({ vehicle_id })).body,
  assessment: (await service.call('POST', ASSESSMENT_PATH, { json: { vehicle_id, damages } })).body,
};

describe.each([
  ['visual', VISUAL],
  ['assessment', ASSESSMENT],
])('%s', (name, rows) => {
  it.each(rows)('%s: %j', (path, rule) => {
    const values = readAll(answers[name], path.replace('?', ''));
    expect(values.length).toBeGreaterThan(0);
    const optional = path.endsWith('?');
    expect(values.filter((value) => !(optional && value == null) && !holds(rule, value))).toEqual([]);
  });
});
