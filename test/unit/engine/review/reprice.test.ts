import { expect, test } from 'vitest';
import { createPricer, loadTablesWith } from '../../../../src/engine/pricer.ts';
import { repriceEnvelope } from '../../../../src/engine/review/reprice.ts';
import { CHECK, envelope, pricer } from '../../../helpers/results/reviewed-result.ts';

const tables = await loadTablesWith(undefined);

test('in dollars nothing is converted, and an earlier conversion goes', () => {
  const fx = { from: 'USD', to: 'EUR', rate: 2, date: '2026-05-08' } as const;
  const { meta } = repriceEnvelope({ ...envelope, meta: { ...envelope.meta, fx, parts_fx: fx } }, pricer);
  expect(meta).not.toHaveProperty('fx');
  expect(meta).not.toHaveProperty('parts_fx');
  expect(meta.labor_rate_used).toBe(115);
});

test.each([
  ['EU_GERMANY', 'EUR', undefined, 'EUR'],
  ['EU_GERMANY', 'USD', 'USD', undefined],
] as const)('%s in %s names what was converted', (region, currency, fx, partsFx) => {
  const { meta, data } = repriceEnvelope(envelope, createPricer(tables, region, currency));
  expect([meta.fx?.to, meta.parts_fx?.to]).toEqual([fx, partsFx]);
  expect(data.region?.code).toBe(region);
  for (const find of [...(data.results?.damages ?? []), ...(data.results?.to_check ?? [])])
    expect(find.estimated_repair.currency).toBe(currency);
});

test('places to check are in the price if all are confirmed, and in no sum', () => {
  const { results } = repriceEnvelope(envelope, pricer).data;
  expect(results?.to_check.map((one) => one.damage_id)).toEqual([CHECK.damage_id]);
  expect(results?.repair_cost.items).toBe(results?.damages.length);
  expect(results?.if_all_confirmed?.items).toBe((results?.damages.length ?? 0) + 1);
});

test('a failed inspection has no price to make', () => {
  const failed = { ...envelope, data: { ...envelope.data, results: null } };
  expect(repriceEnvelope(failed, pricer)).toBe(failed);
});
