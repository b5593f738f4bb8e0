import { expect, test } from 'vitest';
import { loadTablesWith } from '../../../src/config/regions-file.ts';
import { createPricer } from '../../../src/engine/pricer.ts';

test('the price tables of a result are named by their content', async () => {
  const tables = await loadTablesWith(undefined);
  const nameOf = (one: typeof tables) => createPricer(one, 'US_MIDWEST', undefined).region.tables_sha256;
  const changed = { ...tables, spreads: { ...tables.spreads, version: 'another' } };
  expect(nameOf(tables)).toMatch(/^[0-9a-f]{64}$/);
  expect(nameOf(structuredClone(tables))).toBe(nameOf(tables));
  expect(nameOf(changed)).not.toBe(nameOf(tables));
});
