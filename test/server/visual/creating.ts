import { beforeAll, describe, expect, it } from 'vitest';
import { type TestService, visualRequest } from '../helpers/service.ts';
import { OWN_LIMITS, type Running } from './running.ts';

let service: TestService;
let host: Running['host'];
let good: Running['good'];

/** Describes what a visual inspection is created with and answered as. */
export function describeCreating(running: () => Running): void {
  beforeAll(() => {
    ({ service, host, good } = running());
  });

  describe('POST /v1/inspections/visual', () => {
    it('answers 201 with every field of the contract, Location and the ids and sums it promises', async () => {
      const { status, headers, body } = await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(good()),
      });
      expect([status, body.status]).toEqual([201, 'success']);
      const { data, meta } = body;
      expect(data.inspection_id).toMatch(/^vis_[0-9A-Z]{26}$/);
      expect(data).toMatchObject({ vehicle_id: 'veh_1', status: 'completed' });
      expect(headers.location).toBe(`http://localhost/v1/inspections/visual/${data.inspection_id}`);
      expect(data.reports.json_url).toBe(`${headers.location}/report`);
      expect(data.reports.pdf_url).toMatch(
        /^http:\/\/localhost\/files\/vis_.*\/report\.pdf\?expires=\d+&signature=/,
      );
      expect(Date.parse(data.completed_at)).toBeGreaterThanOrEqual(Date.parse(data.created_at));
      expect(data.processing_time).toBe(meta.processing_time);
      expect(meta).toMatchObject({ images_processed: 4, ai_model_version: 'test-1' });
      expect(meta.request_id).toBe(headers['x-request-id']);
      const [damage] = data.results.damages;
      expect(damage.image_url).toBe(good()[0]);
      expect(damage.annotated_url).toContain('/annotated-0.jpg?');
      expect(damage.measurements).toBeUndefined();
      expect(data.results.damage_summary.total_damages).toBe(data.results.damages.length);
    });

    it('names options that it does not know, also when the inspection is read again', async () => {
      const { status, body } = await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(good(), { options: { detailed_analisys: true } }),
      });
      expect(status).toBe(201);
      expect(body.meta.warnings).toEqual([
        {
          code: 'unknown_field',
          field: 'options.detailed_analisys',
          message: expect.stringContaining('Did you mean detailed_analysis?'),
        },
      ]);
      const list = await service.call('GET', '/v1/inspections/visual?vehicleid=v&limit=1');
      expect(list.body.meta).toEqual({
        request_id: list.headers['x-request-id'],
        warnings: [
          expect.objectContaining({ field: 'vehicleid', message: expect.stringContaining('vehicle_id?') }),
        ],
      });
    });

    it('passes the options on: detailed, hidden damage, no report', async () => {
      const options = { detailed_analysis: true, detect_hidden_damage: true, generate_report: false };
      const { body } = await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(good(), { options }),
      });
      expect(body.data.results.damages[0].measurements.unit).toBe('cm');
      expect(body.data.results.hidden_damage_risks).toHaveLength(1);
      expect(body.data.reports.pdf_url).toBeNull();
      expect(body.data.reports.json_url).toContain('/report');
    });

    it("asks the engine by the operator's own limits of confidence", async () => {
      await service.call('POST', '/v1/inspections/visual', { json: visualRequest(good()) });
      const { options } = service.backend.fake.seen.at(-1) ?? {};
      expect(options).toMatchObject({ sensitivity: 'default', ownLimits: OWN_LIMITS });
    });

    it('keeps the order of the photos although they are fetched in parallel', async () => {
      const urls = good(9);
      await service.call('POST', '/v1/inspections/visual', { json: visualRequest(urls) });
      const seen = service.backend.fake.seen.at(-1);
      expect(seen?.photos.map((p) => p.url)).toEqual(urls);
      expect(
        seen?.photos.map((p) => (p.source.kind === 'bytes' ? Buffer.from(p.source.bytes).toString() : '')),
      ).toEqual(urls.map((_url, i) => `photo 1920x1080-${i}.jpg`));
    });

    it('takes a portrait photo and exactly 50 photos', async () => {
      const { status } = await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest([...good(49), `${host.url}/720x1280`]),
      });
      expect(status).toBe(202);
    });

    it('answers 202 on Prefer: respond-async and completes', async () => {
      const { status, headers, body } = await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(good()),
        headers: { prefer: 'respond-async' },
      });
      expect(status).toBe(202);
      expect(body.data).toMatchObject({ status: 'processing', completed_at: null, results: null });
      const path = new URL(headers.location ?? '').pathname;
      await expect.poll(async () => (await service.call('GET', path)).body.data.status).toBe('completed');
    });

    it('the meta of a 202 has every field of the finished one, priced as the request asks', async () => {
      const create = (headers: Record<string, string>, options?: object) =>
        service.call('POST', '/v1/inspections/visual', {
          json: visualRequest(good(), options ? { options } : {}),
          headers,
        });
      const later = { prefer: 'respond-async' };
      const [done, accepted, failed] = [
        await create({}),
        await create(later),
        await create({ 'x-vehi-simulate': 'failed' }),
      ];
      expect(done.status).toBe(201);
      for (const { body } of [accepted, failed]) {
        expect(Object.keys(body.meta).sort()).toEqual(Object.keys(done.body.meta).sort());
        expect(body.meta).toMatchObject({ region: 'US_MIDWEST', labor_rate_used: 115, currency: 'USD' });
      }
      const { body } = await create(later, { labor_rate_region: 'EU_GERMANY', currency: 'USD' });
      expect(body.meta).toMatchObject({
        region: 'EU_GERMANY',
        currency: 'USD',
        fx: { from: 'EUR', to: 'USD' },
      });
      expect(body.meta.labor_rate_used).toBeCloseTo(100 * body.meta.fx.rate, 2);
    });

    it('answers 201 with status failed when the analysis fails', async () => {
      const { status, body } = await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(good()),
        headers: { 'x-vehi-simulate': 'failed' },
      });
      expect([status, body.data.status, body.data.results]).toEqual([201, 'failed', null]);
      expect(body.data.failure.code).toBe('SIMULATED');
    });
  });
}
