import { expect, test } from 'vitest';
import { readEditFlag } from '../../../src/cli/assess/edit-flag.ts';
import { pickVehicleFacts, readClaimFlags } from '../../../src/cli/known-vehicle.ts';
import { loadTables } from '../../../src/pricing/tables/load.ts';
import { findRegion } from '../../../src/pricing/tables/regions.ts';
import { openFolder } from '../../helpers/cli/claim-folder.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { at, readJson, run, write } = openFolder('known-vehicle');
const tables = loadTables();
const shop = { ...findRegion(tables, 'US_TEXAS'), code: 'MY_SHOP' };
write('regions.json', { ...tables.regions, rows: [shop] });

test.each([
  ['US_TEXAS', 'mi'],
  ['EU_GERMANY', 'km'],
  ['MY_SHOP', 'mi'],
])('an odometer without a unit is read in %s as %s', async (region, unit) => {
  const file = region === 'MY_SHOP' ? at('regions.json') : null;
  const { odometer } = await pickVehicleFacts({ odometer: { value: 48_210 } }, region, file);
  expect(odometer).toEqual({ value: 48_210, unit });
});

test('a report files an odometer without a unit in that of the region of its result', async () => {
  const { meta, ...found } = exampleInspection({ damages: 1, photos: 1, rich: false });
  write('result.json', { ...found, meta: { ...meta, region: 'MY_SHOP' } });
  const { code, stderr } = await run('report result.json --set odometer=48210 -o json=filed.json', {
    VEHI_REGIONS_FILE: at('regions.json'),
  });
  expect(code, stderr).toBe(0);
  expect(readJson('filed.json').data.vehicle.odometer).toEqual({ value: 48_210, unit: 'mi' });
});

test('a misspelled key is named, and no part of the value before it', () => {
  const read = () => readClaimFlags({ set: ['make=Audi,market-value=5000'] }, 'x');
  expect(read).toThrow(/market-value/);
  expect(read).not.toThrow(/Audi/);
});

test.each([
  ['--set plate=A, color=red,plate=B', 'plate'],
  ['--set plate=A --set {"plate":"B"}', 'plate'],
  ['--edit 3:hours=3,hours=4', 'hours'],
  ['--edit add:Subl:wheel_alignment:price=1,price=2', 'price'],
])('%s is refused: the earlier value would be lost', (text, key) => {
  const [, ...values] = text.split(/(?:^| )--(?:set|edit) /);
  const read = () =>
    text.startsWith('--set') ? readClaimFlags({ set: values }, text) : values.map(readEditFlag);
  expect(read).toThrow(`${text}: ${key} is given twice.`);
});
