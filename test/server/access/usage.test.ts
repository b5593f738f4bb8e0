import { expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { photoHost, startService, visualRequest } from '../helpers/service.ts';

const DAY = '2026-03-05';

it('counts work per day, also of what was deleted since, and of nobody else', async () => {
  const host = await photoHost();
  const clock = {
    ...createClock({ now: new Date(`${DAY}T12:00:00Z`) }),
    wallMs: () => Date.parse(`${DAY}T12:00:00Z`),
  };
  const service = await startService({}, { parts: { clock } });
  const urls = Array.from({ length: 5 }, (_, i) => `${host.url}/${i}-1920x1080.jpg`);
  const inspect = (more: object = {}) =>
    service.call('POST', '/v1/inspections/visual', { json: visualRequest(urls), ...more });
  const done = await inspect();
  expect(done.status).toBe(201);
  await inspect({ headers: { 'x-vehi-simulate': 'failed' } });
  await inspect({ headers: { 'x-vehi-simulate': 'processing' } });
  await inspect({ as: service.otherKey });
  const damages = [{ damage_id: 'd', type: 'dent', location: 'hood' }];
  await service.call('POST', '/v1/inspections/damage-assessment', { json: { vehicle_id: 'v', damages } });
  await service.call('DELETE', `/v1/inspections/visual/${done.body.data.inspection_id}`);

  const { data } = (await service.call('GET', '/v1/usage')).body;
  expect([data.from, data.to, data.days.length]).toEqual(['2026-02-04', DAY, 30]);
  expect(data.days.at(-1)).toEqual({ date: DAY, inspections: 1, photos: 5, failed: 1, assessments: 1 });
  expect(data.days[0]).toEqual({ date: '2026-02-04', inspections: 0, photos: 0, failed: 0, assessments: 0 });
  expect(data.totals).toEqual({ inspections: 1, photos: 5, failed: 1, assessments: 1 });
  const before = await service.call('GET', '/v1/usage?from=2026-03-01&to=2026-03-04');
  expect([before.body.data.days.length, before.body.data.totals.inspections]).toEqual([4, 0]);
  for (const query of ['from=2026-02-30', 'from=2026-03-06&to=2026-03-05', 'from=2024-01-01', 'to=yesterday'])
    expect((await service.call('GET', `/v1/usage?${query}`)).status).toBe(400);
  await service.close();
  await host.close();
});
