import { afterAll, describe, expect, it } from 'vitest';
import { codeOf, ASSESSMENT as PATH, refusalOf, startService, VISUAL } from '../helpers/service.ts';

const service = await startService();
afterAll(() => service.close());

const OPTIONS = 'assessment_options';
const damage = (more: object = {}) => ({ damage_id: 'd1', type: 'scratch', location: 'hood', ...more });
const request = (more: object = {}) => ({ vehicle_id: 'veh_1', damages: [damage()], ...more });

const create = (more: object = {}, as = service.key) =>
  service.call('POST', PATH, { json: request(more), as });

describe('POST /v1/inspections/damage-assessment', () => {
  it('answers 201 with what the contract fixes: sums, echoes, region and rate in meta', async () => {
    const damages = [
      damage({ severity: 'moderate' }),
      damage({ damage_id: 'd2', type: 'dent', location: 'front_door_left' }),
    ];
    const options = { labor_rate_region: 'EU_GERMANY', currency: 'EUR' };
    const { status, headers, body } = await create({ damages, assessment_options: options });
    expect(status).toBe(201);
    const { data, meta } = body;
    expect(data.assessment_id).toMatch(/^asmt_[0-9A-Z]{26}$/);
    expect(headers.location).toBe(`http://localhost${PATH}/${data.assessment_id}`);
    expect(data.reports.json_url).toBe(`${headers.location}/report`);
    const { 'x-request-id': request_id } = headers;
    expect(meta).toMatchObject({ region: 'EU_GERMANY', currency: 'EUR', labor_rate_used: 100, request_id });
    expect(data.assessed_damages.map((d: { damage_id: string }) => d.damage_id)).toEqual(['d1', 'd2']);
    for (const { repair_options } of data.assessed_damages) {
      for (const { labor, total_cost, parts_required } of repair_options) {
        expect(labor.total).toBeCloseTo(labor.hours * labor.rate_per_hour, 2);
        expect(total_cost.total).toBeCloseTo(total_cost.parts + total_cost.labor, 2);
        const parts = parts_required.map(({ oem_price }: Part) => oem_price);
        expect(total_cost.parts).toBeCloseTo(
          parts.reduce((sum: number, price: number) => sum + price, 0),
          2,
        );
      }
    }
    expect(data.summary.total_damages_assessed).toBe(2);
  });

  it.each([
    ['nothing is said', {}],
    ['null is said', { inspection_id: null, assessment_options: null, vehicle: null, line_edits: null }],
  ])('uses US_MIDWEST and USD where %s', async (_, more) => {
    const { status, body } = await create(more);
    expect(status).toBe(201);
    expect(body.data.inspection_id).toBeUndefined();
    expect(body.meta).toMatchObject({ region: 'US_MIDWEST', currency: 'USD', labor_rate_used: 115 });
  });

  // One row per code: test/unit/engine/assess/assess-request.test.ts has every field.
  it.each([
    [{ damages: [damage({ location: 'wing' })] }, 'INVALID_DAMAGE_DATA', 'damages[0].location'],
    [{ [OPTIONS]: { labor_rate_region: 'MARS' } }, 'INVALID_REGION', `${OPTIONS}.labor_rate_region`],
    [{ [OPTIONS]: { currency: 'XXX' } }, 'INVALID_CURRENCY', `${OPTIONS}.currency`],
  ])('%j → 400', async (change, code, field) => {
    expect(refusalOf(await create(change))).toEqual([400, code, field]);
  });

  it("refuses an unknown inspection and another account's alike", async () => {
    const { inspection_id, results } = (await service.inspect()).body.data;
    for (const answer of [
      await create({ inspection_id: 'vis_00000000000000000000000000' }),
      await create({ inspection_id }, service.otherKey),
    ])
      expect(refusalOf(answer)).toEqual([404, 'INSPECTION_NOT_FOUND', 'inspection_id']);
    const { status, body } = await create({ inspection_id, damages: results.damages });
    expect([status, body.data.inspection_id]).toEqual([201, inspection_id]);
    const [assessed] = body.data.assessed_damages;
    expect(assessed).toMatchObject({ damage_id: 'dmg_front_bumper_001', location: 'front_bumper' });
  });
});

describe('reading assessments', () => {
  it('fetches, reports, lists, deletes; other accounts get 404', async () => {
    const { data } = (await create({ vehicle_id: 'veh_list' })).body;
    const path = `${PATH}/${data.assessment_id}`;
    expect((await service.read(path)).assessment_id).toBe(data.assessment_id);
    const report = await service.read(`${path}/report`);
    const report_id = `rep_${data.assessment_id.slice(5)}`;
    expect(report).toMatchObject({ report_id, region: { code: 'US_MIDWEST' } });
    expect(report.rules_fired.length).toBeGreaterThan(0);
    expect((await service.read(`${PATH}?vehicle_id=veh_list`)).pagination.total).toBe(1);
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
    const { data } = (await create()).body;
    const answer = await service.call('GET', `${VISUAL}/${data.assessment_id}`);
    expect(codeOf(answer)).toEqual([404, 'INSPECTION_NOT_FOUND']);
  });

  it('GET /v1/inspections lists both kinds', async () => {
    await service.inspect({ vehicle_id: 'veh_both' });
    await create({ vehicle_id: 'veh_both' });
    const { inspections, pagination } = await service.read('/v1/inspections?vehicle_id=veh_both');
    expect(inspections).toMatchObject([
      { kind: 'damage_assessment', assessment_id: expect.stringMatching(/^asmt_/) },
      { kind: 'visual', status: 'completed', vehicle_id: 'veh_both' },
    ]);
    expect(pagination.total).toBe(2);
  });
});

it('parts have an aftermarket price each: the OEM price where no other maker sells one', async () => {
  const severe = [
    { damage_id: 'd1', type: 'dent', location: 'hood' },
    { damage_id: 'd2', type: 'crack', location: 'windshield' },
    { damage_id: 'd3', type: 'panel_damage', location: 'engine' },
  ].map((one) => ({ ...one, severity: 'severe' }));
  const { body } = await create({ damages: severe });
  const damages = body.data.assessed_damages as { repair_options: { parts_required: Part[] }[] }[];
  const parts = damages.flatMap(({ repair_options }) => repair_options.flatMap((one) => one.parts_required));
  expect(parts.length).toBeGreaterThan(3);
  for (const { type, oem_price, aftermarket_price } of parts) {
    expect(aftermarket_price).toBeGreaterThan(0);
    if (type === 'consumable') expect(aftermarket_price).toBe(oem_price);
  }
});

interface Part {
  readonly type: string;
  readonly oem_price: number;
  readonly aftermarket_price: number;
}
