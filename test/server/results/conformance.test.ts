import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { photoHost, startService, type TestService, visualRequest } from '../helpers/service.ts';

/*
 * A client that knows the service by the tables of its contract alone: field, type and values of each row, each on every
 * object that it is about. Rows are written here from the contract, not taken from the schemas that make the answers.
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

const PARTS =
  'front_bumper rear_bumper hood roof trunk_lid front_fender_left front_fender_right front_door_left front_door_right rear_door_left rear_door_right quarter_panel_left quarter_panel_right windshield rear_window side_window_fl side_window_fr side_window_rl side_window_rr headlight_left headlight_right taillight_left taillight_right fog_light_left fog_light_right engine transmission suspension_fl suspension_fr suspension_rl suspension_rr exhaust_system fuel_system cooling_system brake_system'.split(
    ' ',
  );
const REGIONS =
  'US_CALIFORNIA US_TEXAS US_NORTHEAST US_MIDWEST EU_GERMANY EU_UK EU_FRANCE ASIA_JAPAN ASIA_CHINA'.split(
    ' ',
  );
const ANGLES =
  'front rear left_side right_side front_left front_right rear_left rear_right top interior dashboard engine trunk undercarriage'.split(
    ' ',
  );

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
let [held, tried] = [0, 0];
const VISUAL_PATH = '/v1/inspections/visual';
const ASSESS_PATH = '/v1/inspections/damage-assessment';
const photos = (count = 4) => Array.from({ length: count }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`);
const create = (more: object = {}, count = 4) =>
  service.call('POST', VISUAL_PATH, {
    json: visualRequest(photos(count), { vehicle_id: 'veh_conformance', ...more }),
  });
const assess = (damages: readonly object[], more: object = {}) =>
  service.call('POST', ASSESS_PATH, { json: { vehicle_id: 'veh_conformance', damages, ...more } });
const damage = (location: string, type = 'dent') => ({ damage_id: 'd1', type, location });

/** Counts a row as tried, and as held once nothing threw. */
const row = (check: () => void | Promise<void>) => async () => {
  tried++;
  await check();
  held++;
};

beforeAll(async () => {
  host = await photoHost();
  service = await startService();
  answers.visual = (await create()).body;
  answers.assessment = (
    await assess(
      ['hood', 'front_door_left', 'quarter_panel_left'].map((part) => ({ ...damage(part), damage_id: part })),
    )
  ).body;
  answers.key = (await service.call('GET', '/v1/auth/test')).body;
});
afterAll(async () => {
  process.stdout.write(`conformance: ${held} of ${tried} rows held\n`);
  await service.close();
  await host.close();
});

describe.each([
  ['visual', VISUAL],
  ['assessment', ASSESSMENT],
  ['key', KEY_TEST],
])('%s', (name, rows) => {
  it.each(rows)('%s: %j', (path, rule) =>
    row(() => {
      const values = readAll(answers[name], path.replace('?', ''));
      expect(values.length).toBeGreaterThan(0);
      const optional = path.endsWith('?');
      expect(values.filter((value) => !(optional && value == null) && !holds(rule, value))).toEqual([]);
    })(),
  );
});

describe('values that requests may have', () => {
  it.each(PARTS)('part %s', (part) =>
    row(async () => expect((await assess([damage(part)])).status).toBe(201))(),
  );
  it.each(REGIONS)('region %s', (region) =>
    row(async () => {
      const { status, body } = await assess([damage('hood')], {
        assessment_options: { labor_rate_region: region },
      });
      expect([status, body.meta?.region]).toEqual([201, region]);
    })(),
  );
  it.each(TYPES)('type %s', (type) =>
    row(async () => expect((await assess([damage('hood', type)])).status).toBe(201))(),
  );
  it.each(ANGLES)('angle %s', (angle) =>
    row(async () => {
      const images = photos().map((url) => ({ url, angle, type: 'exterior' }));
      expect((await create({ images })).status).toBe(201);
    })(),
  );
});

describe('rules', () => {
  it.each<[string, () => ReturnType<typeof create>, number, string, string, string | undefined]>([
    ['fewer than 4 images', () => create({}, 3), 400, 'INSUFFICIENT_IMAGES', 'validation_error', 'images'],
    [
      'an image below the resolution',
      () =>
        create({
          images: [
            ...visualRequest(photos(3)).images,
            { url: `${host.url}/640x480`, angle: 'rear', type: 'exterior' },
          ],
        }),
      ...([422, 'IMAGE_QUALITY_TOO_LOW', 'validation_error', 'images[3].url'] as const),
    ],
    [
      'no such part',
      () => assess([damage('wing')]),
      400,
      'INVALID_DAMAGE_DATA',
      'validation_error',
      'damages[0].location',
    ],
    [
      'no such inspection',
      () => assess([damage('hood')], { inspection_id: 'vis_none' }),
      ...([404, 'INSPECTION_NOT_FOUND', 'not_found_error', 'inspection_id'] as const),
    ],
    [
      'no key',
      () => service.call('GET', '/v1/auth/test', { as: null }),
      401,
      'MISSING_API_KEY',
      'authentication_error',
      undefined,
    ],
    [
      'a wrong key',
      () => service.call('GET', '/v1/account', { as: 'dev_x' }),
      401,
      'INVALID_API_KEY',
      'authentication_error',
      undefined,
    ],
  ])('%s', (_name, ask, status, code, type, field) =>
    row(async () => {
      const { status: found, body } = await ask();
      expect([found, body.status, body.error.code, body.error.type, body.error.field]).toEqual([
        status,
        'error',
        code,
        type,
        field,
      ]);
    })(),
  );

  it('sums of an inspection and of options', () =>
    row(() => {
      const { results } = (answers.visual as { data: Record<string, never> }).data as never as {
        results: {
          damages: { estimated_repair: { min: number; max: number } }[];
          damage_summary: { total_damages: number; total_estimated_repair: { min: number; max: number } };
        };
      };
      const { total_damages: total, total_estimated_repair: sum } = results.damage_summary;
      expect(total).toBe(results.damages.length);
      for (const end of ['min', 'max'] as const)
        expect(sum[end]).toBeCloseTo(
          results.damages.reduce((all, one) => all + one.estimated_repair[end], 0),
          2,
        );
      for (const option of readAll(answers.assessment, OPTION) as {
        labor: { hours: number; rate_per_hour: number; total: number };
        total_cost: { parts: number; labor: number; total: number };
        parts_required: { oem_price: number }[];
      }[]) {
        const { labor, total_cost: cost, parts_required: parts } = option;
        expect(labor.total).toBeCloseTo(labor.hours * labor.rate_per_hour, 2);
        expect(cost.total).toBeCloseTo(cost.parts + cost.labor, 2);
        expect(cost.parts).toBeCloseTo(
          parts.reduce((all, one) => all + one.oem_price, 0),
          2,
        );
      }
    })());

  it.each([
    ['GET', (id: string) => `${VISUAL_PATH}/${id}`],
    ['GET', (id: string) => `${VISUAL_PATH}/${id}/report`],
    ['GET', () => `${VISUAL_PATH}?status=completed&limit=100&offset=0`],
    ['GET', () => '/v1/inspections'],
    ['GET', () => '/v1/account'],
  ] as const)('%s %s answers', (method, path) =>
    row(async () => {
      const id = readAll(answers.visual, 'data.inspection_id')[0] as string;
      const { status, body } = await service.call(method, path(id));
      expect([status, body.status]).toEqual([200, 'success']);
    })(),
  );
});
