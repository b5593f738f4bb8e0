import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { photoHost, startService, type TestService, visualRequest } from '../helpers/service.ts';

/*
 * A client that knows the service by the tables of its contract alone: field, type and values of each row, each on every
 * object that it is about. Rows are written here from the contract, not taken from the schemas that make the answers. The
 * values that requests may have are in test/unit/contract, its rules in the tests of each operation.
 */
const SEVERITIES = ['minor', 'moderate', 'severe', 'critical'];
const TYPES = ['scratch', 'dent', 'rust', 'crack', 'paint_damage', 'glass_damage', 'panel_damage'];
const REPAIR_TYPES = ['cosmetic', 'pdr', 'replacement', 'structural'];
const CONDITIONS = ['excellent', 'good', 'fair', 'poor', 'critical'];

type Rule =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'time'
  | 'score'
  | 'share'
  | RegExp
  | readonly string[];
/** Path of a field, `[]` for each entry, a `?` where it may be absent or null; what it holds. */
type Row = readonly [path: string, rule: Rule];

const VISUAL: readonly Row[] = [
  ['data.inspection_id', /^vis_/],
  ['data.vehicle_id', ['veh_conformance']],
  ['data.status', ['processing', 'completed', 'failed']],
  ['data.created_at', 'time'],
  ['data.completed_at', 'time'],
  ['data.processing_time', 'number'],
  ['data.reports.pdf_url', 'string'],
  ['data.reports.json_url', 'string'],
  ['data.results.overall_condition', CONDITIONS],
  ['data.results.condition_score', 'score'],
  ['data.results.confidence', 'share'],
  ['data.results.parts_affected[].part', 'string'],
  ['data.results.parts_affected[].condition', 'string'],
  ['data.results.parts_affected[].damage_count', 'integer'],
  ['data.results.damages[].damage_id', /^dmg_/],
  ['data.results.damages[].type', TYPES],
  ['data.results.damages[].severity', SEVERITIES],
  ['data.results.damages[].location.part', 'string'],
  ['data.results.damages[].location.side', 'string'],
  ...['x', 'y', 'width', 'height'].map(
    (name) => [`data.results.damages[].location.coordinates.${name}`, 'number'] as const,
  ),
  ['data.results.damages[].confidence', 'share'],
  ['data.results.damages[].image_url', 'string'],
  ['data.results.damages[].annotated_url', 'string'],
  ['data.results.damages[].estimated_repair.min', 'number'],
  ['data.results.damages[].estimated_repair.max', 'number'],
  ['data.results.damages[].estimated_repair.currency', 'string'],
  ['data.results.damages[].estimated_repair.repair_type', REPAIR_TYPES],
  ['data.results.damage_summary.total_damages', 'integer'],
  ...SEVERITIES.map((name) => [`data.results.damage_summary.by_severity.${name}`, 'integer'] as const),
  ...TYPES.slice(0, 5).map((name) => [`data.results.damage_summary.by_type.${name}`, 'integer'] as const),
  ['data.results.damage_summary.total_estimated_repair.min', 'number'],
  ['data.results.damage_summary.total_estimated_repair.max', 'number'],
  ['data.results.damage_summary.total_estimated_repair.currency', 'string'],
  ['meta.request_id', 'string'],
  ['meta.processing_time', 'number'],
  ['meta.images_processed', 'integer'],
  ['meta.ai_model_version', 'string'],
];

const OPTION = 'data.assessed_damages[].repair_options[]';
const IMPACT = 'data.assessed_damages[].impact_assessment';
const RECOMMENDED = 'data.assessed_damages[].recommended_repair';
const SUMMARY = 'data.summary';
const ASSESSMENT: readonly Row[] = [
  ['data.assessment_id', /^asmt_/],
  ['data.vehicle_id', ['veh_conformance']],
  ['data.created_at', 'time'],
  ['data.reports.pdf_url', 'string'],
  ['data.reports.json_url', 'string'],
  ['data.assessed_damages[].damage_id', 'string'],
  ['data.assessed_damages[].type', 'string'],
  ['data.assessed_damages[].location', 'string'],
  ['data.assessed_damages[].severity', SEVERITIES],
  ['data.assessed_damages[].severity_score', 'score'],
  [`${IMPACT}.structural`, ['none', ...SEVERITIES]],
  [`${IMPACT}.cosmetic`, ['none', 'minor', 'moderate', 'severe']],
  [`${IMPACT}.safety`, ['none', ...SEVERITIES]],
  [`${IMPACT}.affects_value`, 'boolean'],
  [`${IMPACT}.value_reduction_percentage`, 'number'],
  ...['min_cost', 'max_cost', 'estimated_cost'].map((name) => [`${RECOMMENDED}.${name}`, 'number'] as const),
  [`${RECOMMENDED}.option`, 'string'],
  [`${RECOMMENDED}.currency`, 'string'],
  [`${OPTION}.option`, 'string'],
  [`${OPTION}.description`, 'string'],
  [`${OPTION}.recommended`, 'boolean'],
  [`${OPTION}.repair_type`, REPAIR_TYPES],
  [`${OPTION}.parts_required[].part`, 'string'],
  [`${OPTION}.parts_required[].type`, 'string'],
  [`${OPTION}.parts_required[].oem_price`, 'number'],
  [`${OPTION}.parts_required[].aftermarket_price?`, 'number'],
  [`${OPTION}.parts_required[].currency`, 'string'],
  ...['hours', 'rate_per_hour', 'total'].map((name) => [`${OPTION}.labor.${name}`, 'number'] as const),
  ...['parts', 'labor', 'total'].map((name) => [`${OPTION}.total_cost.${name}`, 'number'] as const),
  [`${OPTION}.timeline.estimated_days`, 'integer'],
  [`${OPTION}.timeline.description`, 'string'],
  [`${SUMMARY}.total_damages_assessed`, 'integer'],
  [`${SUMMARY}.overall_severity`, SEVERITIES],
  [`${SUMMARY}.overall_severity_score`, 'score'],
  [`${SUMMARY}.total_value_reduction_percentage`, 'number'],
  ...['min', 'max', 'estimated'].map(
    (name) => [`${SUMMARY}.repair_cost_summary.recommended_repairs_total.${name}`, 'number'] as const,
  ),
  ...['min', 'max'].map(
    (name) => [`${SUMMARY}.repair_cost_summary.all_repairs_range.${name}`, 'number'] as const,
  ),
  [`${SUMMARY}.repair_timeline.estimated_total_days`, 'integer'],
  [`${SUMMARY}.repair_timeline.can_repair_simultaneously`, 'boolean'],
  ...['estimated_market_value', 'value_reduction', 'adjusted_value'].map(
    (name) => [`${SUMMARY}.impact_on_vehicle_value.${name}`, 'number'] as const,
  ),
  ['meta.request_id', 'string'],
  ['meta.processing_time', 'number'],
  ['meta.labor_rate_used', 'number'],
  ['meta.currency', ['USD']],
  ['meta.region', 'string'],
];

const KEY_TEST: readonly Row[] = [
  ['data.authenticated', 'boolean'],
  ['data.account_id', /^acc_/],
  ['data.plan', 'string'],
  ['data.permissions[]', 'string'],
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

let service: TestService;
let host: Awaited<ReturnType<typeof photoHost>>;
const answers: Record<string, unknown> = {};
beforeAll(async () => {
  host = await photoHost();
  service = await startService();
  const photos = Array.from({ length: 4 }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`);
  const request = visualRequest(photos, { vehicle_id: 'veh_conformance' });
  answers.visual = (await service.call('POST', '/v1/inspections/visual', { json: request })).body;
  const parts = ['hood', 'front_door_left', 'quarter_panel_left'];
  const damages = parts.map((part) => ({ damage_id: part, type: 'dent', location: part }));
  const json = { vehicle_id: 'veh_conformance', damages };
  answers.assessment = (await service.call('POST', '/v1/inspections/damage-assessment', { json })).body;
  answers.key = (await service.call('GET', '/v1/auth/test')).body;
});
afterAll(async () => {
  await service.close();
  await host.close();
});

describe.each([
  ['visual', VISUAL],
  ['assessment', ASSESSMENT],
  ['key', KEY_TEST],
])('%s', (name, rows) => {
  it.each(rows)('%s: %j', (path, rule) => {
    const values = readAll(answers[name], path.replace('?', ''));
    expect(values.length).toBeGreaterThan(0);
    const optional = path.endsWith('?');
    expect(values.filter((value) => !(optional && value == null) && !holds(rule, value))).toEqual([]);
  });
});
