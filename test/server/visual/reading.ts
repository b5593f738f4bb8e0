import { beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { refusalOf, startService, type TestService, visualRequest } from '../helpers/service.ts';
import type { Running } from './running.ts';

let service: TestService;
let good: Running['good'];

/** Describes how visual inspections are read, listed and deleted. */
export function describeReading(running: () => Running): void {
  beforeAll(() => {
    ({ service, good } = running());
  });

  describe('reading visual inspections', () => {
    let id: string;
    beforeAll(async () => {
      id = (
        await service.call('POST', '/v1/inspections/visual', {
          json: visualRequest(good(), { vehicle_id: 'veh_read' }),
        })
      ).body.data.inspection_id;
    });

    it('GET one is {status, data} as it was created', async () => {
      const { status, body } = await service.call('GET', `/v1/inspections/visual/${id}`);
      expect([status, Object.keys(body).sort()]).toEqual([200, ['data', 'status']]);
      expect(body.data.inspection_id).toBe(id);
    });

    it('report is the whole inspection and more', async () => {
      const { body } = await service.call('GET', `/v1/inspections/visual/${id}/report`);
      expect(body.data).toMatchObject({
        inspection_id: id,
        report_id: `rep_${id.slice(4)}`,
        models: [{ id: 'damage' }],
      });
      expect(body.data.rules_fired).toEqual([
        { subject: 'dmg_front_bumper_001', rule: 'severity.scratch', inputs: { length_cm: 10 } },
      ]);
    });

    it.each(['', '/report'])("another account's or an unknown id is 404 (%s)", async (suffix) => {
      const rows: [id: string, key: string][] = [
        [id, service.otherKey],
        ['vis_00000000000000000000000000', service.key],
        ['..%2f..%2fetc', service.key],
      ];
      for (const [which, key] of rows) {
        const answer = await service.call('GET', `/v1/inspections/visual/${which}${suffix}`, { as: key });
        expect(refusalOf(answer)).toEqual([404, 'INSPECTION_NOT_FOUND', 'inspection_id']);
      }
    });

    it('lists newest first, in pages, by vehicle, status and time', async () => {
      const list = async (query: string) =>
        (await service.call('GET', `/v1/inspections/visual?${query}`)).body.data;
      const all = await list('limit=100');
      expect(all.pagination).toMatchObject({ limit: 100, offset: 0, has_more: false });
      expect(all.inspections[0].inspection_id).toBe(id);
      const times = all.inspections.map((one: { created_at: string }) => one.created_at);
      expect(times).toEqual([...times].sort().reverse());
      expect((await list('')).pagination.limit).toBe(20);
      const second = await list('limit=1&offset=1');
      expect(second.inspections[0].inspection_id).toBe(all.inspections[1].inspection_id);
      expect(second.pagination).toEqual({
        total: all.pagination.total,
        limit: 1,
        offset: 1,
        has_more: true,
        next_cursor: expect.any(String),
      });
      const next = await list(`limit=1&cursor=${second.pagination.next_cursor}`);
      expect(next.inspections[0].inspection_id).toBe(all.inspections[2].inspection_id);
      expect((await service.call('GET', '/v1/inspections/visual?cursor=nonsense')).body.error.field).toBe(
        'cursor',
      );
      expect((await list('vehicle_id=veh_read')).pagination).toMatchObject({ total: 1, next_cursor: null });
      expect((await list('status=failed')).pagination.total).toBe(2);
      const at = all.inspections[0].created_at;
      expect(
        (await list(`created_after=${at}`)).inspections.map(
          (one: { inspection_id: string }) => one.inspection_id,
        ),
      ).toContain(id);
      expect(
        (await list(`created_before=${at}`)).inspections.map(
          (one: { inspection_id: string }) => one.inspection_id,
        ),
      ).not.toContain(id);
      expect((await list('created_before=2020-01-01')).pagination.total).toBe(0);
      // A "+" that is not encoded arrives as a space; a last day of four-digit years is no year 10000.
      expect((await list('created_after=2020-01-01T00:00:00+01:00')).pagination.total).toBe(
        all.pagination.total,
      );
      expect((await list('created_before=9999-12-31T23:59-01:00')).pagination.total).toBe(
        all.pagination.total,
      );
      expect(
        (await service.call('GET', '/v1/inspections/visual', { as: service.otherKey })).body.data.pagination
          .total,
      ).toBe(0);
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=x', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=', 'limit'],
      ['offset=-1', 'offset'],
      ['status=done', 'status'],
      ['created_after=yesterday', 'created_after'],
      ['created_after=2026-02-30', 'created_after'],
      ['created_before=2026-13-01', 'created_before'],
    ])('refuses ?%s', async (query, field) => {
      const answer = await service.call('GET', `/v1/inspections/visual?${query}`);
      expect(refusalOf(answer)).toEqual([400, 'INVALID_REQUEST', field]);
    });

    it('serves report and annotated photo at signed links only', async () => {
      const { data } = (await service.call('GET', `/v1/inspections/visual/${id}`)).body;
      const path = (url: string) => url.replace('http://localhost', '');
      const pdf = await service.call('GET', path(data.reports.pdf_url), { as: null });
      expect([pdf.status, pdf.headers['content-type'], pdf.text]).toEqual([
        200,
        'application/pdf',
        '%PDF-inspection',
      ]);
      const picture = await service.call('GET', path(data.images[0].annotated_url), { as: null });
      expect(picture.headers['content-type']).toBe('image/jpeg');
      const forged = [
        path(data.reports.pdf_url).replace(/expires=\d+/, 'expires=99999999999'),
        path(data.reports.pdf_url).replace('report.pdf', 'photo-0'),
        path(data.reports.pdf_url).split('?')[0] ?? '',
        `/files/${id}/..%2f..%2fvehi.db?expires=99999999999&signature=x`,
      ];
      for (const url of forged) expect((await service.call('GET', url, { as: null })).status).toBe(404);
    });

    it('files answer with a tag, a range of their bytes, and 304 to who has them', async () => {
      const { data } = (await service.call('GET', `/v1/inspections/visual/${id}`)).body;
      const url = data.reports.pdf_url.replace('http://localhost', '');
      const get = async (headers: Record<string, string>) => {
        const answer = await service.call('GET', url, { as: null, headers });
        return [answer.status, answer.text, answer.headers['content-range']];
      };
      const whole = await service.call('GET', url, { as: null });
      const etag = String(whole.headers.etag);
      expect([whole.text, whole.headers['accept-ranges']]).toEqual(['%PDF-inspection', 'bytes']);
      expect(await get({ 'if-none-match': `"other", W/${etag}` })).toEqual([304, '', undefined]);
      expect(await get({ range: 'bytes=1-3' })).toEqual([206, 'PDF', 'bytes 1-3/15']);
      expect(await get({ range: 'bytes=5-' })).toEqual([206, 'inspection', 'bytes 5-14/15']);
      expect(await get({ range: 'bytes=-3' })).toEqual([206, 'ion', 'bytes 12-14/15']);
      expect(await get({ range: 'bytes=1-3', 'if-range': '"other"' })).toEqual([200, whole.text, undefined]);
      expect(await get({ range: 'bytes=0-1,3-4' })).toEqual([200, whole.text, undefined]);
      expect(await get({ range: 'bytes=15-' })).toEqual([
        416,
        expect.stringContaining('RANGE_NOT_SATISFIABLE'),
        'bytes */15',
      ]);
    });

    it('links name the addresses that are set for reports and results, and end with their time', async () => {
      let laterMs = 0;
      const clock = createClock({ now: new Date() });
      const other = await startService(
        {
          baseUrl: 'https://vehi.example.com',
          reportsUrl: 'https://reports.example.com',
          resultsUrl: 'https://results.example.com/v',
          linkLifetimeSeconds: 60,
        },
        { parts: { clock: { ...clock, now: () => new Date(clock.now().getTime() + laterMs) } } },
      );
      try {
        const { data } = (await other.call('POST', '/v1/inspections/visual', { json: visualRequest(good()) }))
          .body;
        const own = `/files/${data.inspection_id}`;
        expect(data.reports.json_url).toMatch('https://vehi.example.com/v1/inspections/visual/');
        expect(data.reports.pdf_url).toMatch(`https://reports.example.com${own}/report.pdf?`);
        expect(data.images[0].annotated_url).toMatch(`https://results.example.com/v${own}/`);
        const path = data.reports.pdf_url.replace('https://reports.example.com', '');
        const status = async () => (await other.call('GET', path, { as: null })).status;
        expect(await status()).toBe(200);
        laterMs = 59_000;
        expect(await status()).toBe(200);
        laterMs = 61_000;
        expect(await status()).toBe(404);
      } finally {
        await other.close();
      }
    });

    it('deletes with its files, once', async () => {
      const { data } = (await service.call('POST', '/v1/inspections/visual', { json: visualRequest(good()) }))
        .body;
      expect(
        (
          await service.call('DELETE', `/v1/inspections/visual/${data.inspection_id}`, {
            as: service.otherKey,
          })
        ).status,
      ).toBe(404);
      expect((await service.call('DELETE', `/v1/inspections/visual/${data.inspection_id}`)).status).toBe(204);
      expect((await service.call('GET', `/v1/inspections/visual/${data.inspection_id}`)).status).toBe(404);
      expect(await service.store.blobs.list(data.inspection_id)).toEqual([]);
    });
  });
}
