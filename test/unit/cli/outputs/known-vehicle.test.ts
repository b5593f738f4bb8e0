import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pickVehicleFacts } from '../../../../src/cli/outputs/known-vehicle.ts';
import { findRegion, loadTables } from '../../../../src/pricing/index.ts';

let folder: string;
let ownRegions: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vehi-claim-file-'));
  ownRegions = join(folder, 'regions.json');
  const tables = loadTables();
  const row = { ...findRegion(tables, 'US_TEXAS'), code: 'MY_SHOP' };
  writeFileSync(ownRegions, JSON.stringify({ ...tables.regions, rows: [row] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['US_TEXAS', 'mi'],
  ['EU_UK', 'mi'],
  ['EU_GERMANY', 'km'],
  ['DUKE_AUTO', 'km'],
  ['MY_SHOP', 'mi'],
])('an odometer without a unit is read in %s as %s', async (region, unit) => {
  const file = region === 'MY_SHOP' ? ownRegions : null;
  const { odometer } = await pickVehicleFacts({ odometer: { value: 48_210 } }, region, file);
  expect(odometer).toEqual({ value: 48_210, unit });
});
