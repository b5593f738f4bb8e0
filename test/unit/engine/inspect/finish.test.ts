import { expect, it } from 'vitest';
import { endInspection } from '../../../../src/engine/inspect/finish.ts';
import { listFindings } from '../../../../src/report/finding-rows.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { dent, inspectPhotos } from '../../../helpers/results/fake-inspection.ts';

it('links every image and every find, certain or to check, to the photo that shows it best', () => {
  const found = exampleInspection({ damages: 3, toCheck: 2, photos: 4 });
  const annotated = new Map([0, 1, 2].map((index) => [index, `marked/${index}.jpg`]));
  const linked = endInspection(found, { annotated }).data;
  expect(linked.images.map((image) => image.annotated_url)).toEqual([...annotated.values(), null]);
  const finds = listFindings(linked);
  expect(finds).toHaveLength(5);
  for (const { annotated_url, evidence } of finds)
    expect(annotated_url).toBe(linked.images[evidence[0]?.image_index ?? -1]?.annotated_url);
  expect(listFindings(found.data).every(({ annotated_url }) => annotated_url === null)).toBe(true);
});

it('states how a result ended, and nothing that is not given', () => {
  const found = exampleInspection();
  expect(endInspection(found, {})).toEqual(found);
  const file = { claim: { claim_number: 'C-1' }, vehicle: {} };
  const completion = { completedAt: '2026-01-01T00:00:09.000Z', processingTime: 9 };
  const { data, meta } = endInspection(found, { file, pdf: 'report.pdf', completion });
  expect([data.claim, data.vehicle, data.reports.pdf_url]).toEqual([file.claim, undefined, 'report.pdf']);
  const times = [data.completed_at, data.processing_time, meta.processing_time];
  expect(times).toEqual([completion.completedAt, 9, 9]);
  expect(endInspection(found, { pdf: null }).data.warnings.at(-1)?.code).toBe('REPORT_UNAVAILABLE');
});

it('says what the request says of its result', async () => {
  const own = {
    id: 'vis_own',
    createdAt: '2025-12-31T00:00:00.000Z',
    requestId: 'req_own',
    claim: { claim_number: 'C-1' },
    vehicle: { vin: '1M8GDM9AXKP042788' },
    ignored: [{ code: 'unknown_field' as const, field: 'x', message: 'x is not known.' }],
    order: ['lost', 'a', 'left out'],
    rejected: ['left out', 'lost'].map((url) => ({ url, code: 'C', message: 'm', found: 'f', needed: 'n' })),
  };
  const { data, meta } = await inspectPhotos({ a: {} }, {}, own);
  const { id: inspection_id, createdAt: created_at, claim, vehicle } = own;
  expect(data).toMatchObject({ inspection_id, created_at, claim, vehicle });
  expect([meta.request_id, meta.warnings]).toEqual([own.requestId, own.ignored]);
  expect(data.rejected_images.map(({ url }) => url)).toEqual(['lost', 'left out']);
});

it.each([
  ['inspection', () => inspectPhotos({ a: { detections: [dent(420)] } })],
  ['ended inspection', async () => endInspection(exampleInspection(), { annotated: new Map() })],
  ['assessment', async () => assessed({ damages: [{ damage_id: 'd', type: 'dent', location: 'hood' }] })],
])('%s: leaves the engine frozen, in every field', async (_name, make) => {
  const unfrozen: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Object.isFrozen(value)) unfrozen.push(at);
    for (const [name, inner] of Object.entries(value)) walk(inner, `${at}.${name}`);
  };
  walk(await make(), '');
  expect(unfrozen).toEqual([]);
});
