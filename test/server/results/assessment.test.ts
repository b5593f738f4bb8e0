import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeOf,
  photoHost,
  refusalOf,
  startService,
  type TestService,
  visualRequest,
} from '../helpers/service.ts';

let host: Awaited<ReturnType<typeof photoHost>>;
let service: TestService;
const PATH = '/v1/inspections/damage-assessment';
const OPTIONS = 'assessment_options';
const damage = (more: object = {}) => ({ damage_id: 'd1', type: 'scratch', location: 'hood', ...more });
const request = (more: object = {}) => ({ vehicle_id: 'veh_1', damages: [damage()], ...more });

beforeAll(async () => {
  host = await photoHost();
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await host.close();
});

describe('POST /v1/inspections/damage-assessment', () => {
  it('answers 201 with what the contract fixes: sums, echoes, region and rate in meta', async () => {
    const damages = [
      damage({ severity: 'moderate' }),
      damage({ damage_id: 'd2', type: 'dent', location: 'front_door_left' }),
    ];
    const options = { labor_rate_region: 'EU_GERMANY', currency: 'EUR' };
    const { status, headers, body } = await service.call('POST', PATH, {
      json: request({ damages, assessment_options: options }),
    });
    expect(status).toBe(201);
    const { data, meta } = body;
    expect(data.assessment_id).toMatch(/^asmt_[0-9A-Z]{26}$/);
    expect(headers.location).toBe(`http://localhost${PATH}/${data.assessment_id}`);
    expect(data.reports.json_url).toBe(`${headers.location}/report`);
    expect(meta).toMatchObject({
      region: 'EU_GERMANY',
      currency: 'EUR',
      labor_rate_used: 100,
      request_id: headers['x-request-id'],
    });
    expect(data.assessed_damages.map((d: { damage_id: string }) => d.damage_id)).toEqual(['d1', 'd2']);
    for (const { repair_options } of data.assessed_damages) {
      for (const { labor, total_cost, parts_required } of repair_options) {
        expect(labor.total).toBeCloseTo(labor.hours * labor.rate_per_hour, 2);
        expect(total_cost.total).toBeCloseTo(total_cost.parts + total_cost.labor, 2);
        const parts = parts_required.reduce(
          (sum: number, part: { oem_price: number }) => sum + part.oem_price,
          0,
        );
        expect(total_cost.parts).toBeCloseTo(parts, 2);
      }
    }
    expect(data.summary.total_damages_assessed).toBe(2);
  });

  it.each([
    ['nothing is said', {}],
    ['null is said', { inspection_id: null, assessment_options: null, vehicle: null, line_edits: null }],
  ])('uses US_MIDWEST and USD where %s', async (_, more) => {
    const { status, body } = await service.call('POST', PATH, { json: request(more) });
    expect(status).toBe(201);
    expect(body.data.inspection_id).toBeUndefined();
    expect(body.meta).toMatchObject({ region: 'US_MIDWEST', currency: 'USD', labor_rate_used: 115 });
  });

  // One row per code: test/unit/engine/assess/assess-request.test.ts has every field.
  it.each([
    [
      'unknown part',
      { damages: [damage({ location: 'wing' })] },
      'INVALID_DAMAGE_DATA',
      'damages[0].location',
    ],
    ['no damage', { damages: [] }, 'INVALID_DAMAGE_DATA', 'damages'],
    [
      'region',
      { assessment_options: { labor_rate_region: 'MARS' } },
      'INVALID_REGION',
      `${OPTIONS}.labor_rate_region`,
    ],
    ['currency', { assessment_options: { currency: 'XXX' } }, 'INVALID_CURRENCY', `${OPTIONS}.currency`],
    ['vehicle blank', { vehicle_id: '  ' }, 'INVALID_REQUEST', 'vehicle_id'],
  ])('%s → 400', async (_name, change, code, field) => {
    const answer = await service.call('POST', PATH, { json: request(change) });
    expect(refusalOf(answer)).toEqual([400, code, field]);
  });

  it("refuses an unknown inspection and another account's alike", async () => {
    const urls = Array.from({ length: 4 }, (_v, i) => `${host.url}/1920x1080-${i}`);
    const visual = (await service.call('POST', '/v1/inspections/visual', { json: visualRequest(urls) })).body
      .data;
    for (const [inspection_id, as] of [
      ['vis_00000000000000000000000000', service.key],
      [visual.inspection_id, service.otherKey],
    ]) {
      const answer = await service.call('POST', PATH, { json: request({ inspection_id }), as });
      expect(refusalOf(answer)).toEqual([404, 'INSPECTION_NOT_FOUND', 'inspection_id']);
    }
    const ok = await service.call('POST', PATH, {
      json: request({ inspection_id: visual.inspection_id, damages: visual.results.damages }),
    });
    expect([ok.status, ok.body.data.inspection_id]).toEqual([201, visual.inspection_id]);
    expect(ok.body.data.assessed_damages[0]).toMatchObject({
      damage_id: 'dmg_front_bumper_001',
      location: 'front_bumper',
    });
  });

  it('leaves the timeline and the part prices out on request', async () => {
    const options = { include_repair_timeline: false, include_part_prices: false };
    const { body } = await service.call('POST', PATH, {
      json: request({ damages: [damage({ severity: 'severe' })], assessment_options: options }),
    });
    expect(body.data.summary.repair_timeline).toBeUndefined();
    expect(JSON.stringify(body.data.assessed_damages)).not.toContain('oem_price');
  });
});

describe('reading assessments', () => {
  it('fetches, reports, lists, deletes; other accounts get 404', async () => {
    const { data } = (await service.call('POST', PATH, { json: request({ vehicle_id: 'veh_list' }) })).body;
    const path = `${PATH}/${data.assessment_id}`;
    expect((await service.call('GET', path)).body.data.assessment_id).toBe(data.assessment_id);
    const report = (await service.call('GET', `${path}/report`)).body.data;
    expect(report).toMatchObject({
      report_id: `rep_${data.assessment_id.slice(5)}`,
      region: { code: 'US_MIDWEST' },
    });
    expect(report.rules_fired.length).toBeGreaterThan(0);
    expect((await service.call('GET', `${PATH}?vehicle_id=veh_list`)).body.data.pagination.total).toBe(1);
    for (const url of [path, `${path}/report`]) {
      const answer = await service.call('GET', url, { as: service.otherKey });
      expect(codeOf(answer)).toEqual([404, 'ASSESSMENT_NOT_FOUND']);
    }
    const pdf = await service.call('GET', data.reports.pdf_url.replace('http://localhost', ''), { as: null });
    expect(pdf.text).toBe('%PDF-assessment');
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect((await service.call('GET', path)).status).toBe(404);
  });

  it('an assessment id is no inspection id', async () => {
    const { data } = (await service.call('POST', PATH, { json: request() })).body;
    const answer = await service.call('GET', `/v1/inspections/visual/${data.assessment_id}`);
    expect(codeOf(answer)).toEqual([404, 'INSPECTION_NOT_FOUND']);
  });

  it('GET /v1/inspections lists both kinds', async () => {
    const urls = Array.from({ length: 4 }, (_v, i) => `${host.url}/1920x1080-${i}`);
    await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest(urls, { vehicle_id: 'veh_both' }),
    });
    await service.call('POST', PATH, { json: request({ vehicle_id: 'veh_both' }) });
    const { data } = (await service.call('GET', '/v1/inspections?vehicle_id=veh_both')).body;
    expect(data.inspections.map((one: { kind: string }) => one.kind)).toEqual([
      'damage_assessment',
      'visual',
    ]);
    expect(data.inspections[0].assessment_id).toMatch(/^asmt_/);
    expect(data.inspections[1]).toMatchObject({ status: 'completed', vehicle_id: 'veh_both' });
    expect(data.pagination.total).toBe(2);
  });
});

describe('parts', () => {
  it('each have an aftermarket price: the OEM price where no other maker sells one', async () => {
    const { body } = await service.call('POST', '/v1/inspections/damage-assessment', {
      json: {
        vehicle_id: 'v',
        damages: [
          { damage_id: 'd1', type: 'dent', location: 'hood', severity: 'severe' },
          { damage_id: 'd2', type: 'crack', location: 'windshield', severity: 'severe' },
          { damage_id: 'd3', type: 'panel_damage', location: 'engine', severity: 'severe' },
        ],
      },
    });
    const damages = body.data.assessed_damages as { repair_options: { parts_required: Part[] }[] }[];
    const parts = damages.flatMap((damage) =>
      damage.repair_options.flatMap((option) => option.parts_required),
    );
    expect(parts.length).toBeGreaterThan(3);
    for (const { type, oem_price, aftermarket_price } of parts) {
      expect(aftermarket_price).toBeGreaterThan(0);
      if (type === 'consumable') expect(aftermarket_price).toBe(oem_price);
    }
  });
});

interface Part {
  readonly type: string;
  readonly oem_price: number;
  readonly aftermarket_price: number;
}
