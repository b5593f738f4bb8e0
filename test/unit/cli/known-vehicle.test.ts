import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readEditFlag } from '../../../src/cli/assess/edit-flag.ts';
import { pickVehicleFacts, readClaimFlags } from '../../../src/cli/known-vehicle.ts';
import { main } from '../../../src/cli/main.ts';
import { loadTables } from '../../../src/pricing/tables/load.ts';
import { findRegion } from '../../../src/pricing/tables/regions.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

let folder: string;
let ownRegions: string;
beforeAll(() => {
  folder = makeOwnFolder('claim-file');
  ownRegions = join(folder, 'regions.json');
  const tables = loadTables();
  const row = { ...findRegion(tables, 'US_TEXAS'), code: 'MY_SHOP' };
  writeFileSync(ownRegions, JSON.stringify({ ...tables.regions, rows: [row] }));
});

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

test.each([
  ['MY_SHOP', 'mi'],
  ['EU_GERMANY', 'km'],
])('a report files an odometer without a unit of a result of %s in %s', async (region, unit) => {
  const found = exampleInspection({ damages: 1, photos: 1, rich: false });
  const { data } = found;
  const result = {
    ...found,
    meta: { ...found.meta, region },
    data: { ...data, region: { ...data.region, code: region } },
  };
  const [source, filed] = ['result.json', 'filed.json'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(source, JSON.stringify(result));
  const env = { VEHI_REGIONS_FILE: ownRegions, XDG_CONFIG_HOME: join(folder, 'config') };
  const terminal = fakeTerminal({ cwd: folder, env });
  const words = ['report', source, '--set', 'odometer=48210', '-o', `json=${filed}`];
  await main(['node', 'vehi', ...words], terminal.ctx);
  expect([terminal.code ?? 0, terminal.stderr()]).toEqual([0, expect.anything()]);
  const { odometer } = JSON.parse(readFileSync(filed, 'utf8')).data.vehicle;
  expect(odometer).toEqual({ value: 48_210, unit });
});

test.each([
  [
    '--set plate=A, color=red,plate=B',
    'plate',
    (value: string) => readClaimFlags({ set: [value] }, `--set ${value}`),
  ],
  [
    '--set plate=A --set {"plate":"B"}',
    'plate',
    (value: string) => readClaimFlags({ set: value.split(' --set ') }, `--set ${value}`),
  ],
  ['--edit 3:hours=3,hours=4', 'hours', readEditFlag],
  ['--edit add:Subl:wheel_alignment:price=1,price=2', 'price', readEditFlag],
])('%s is refused: the earlier value would be lost', (text, key, read) => {
  const value = text.replace(/^--\w+ /, '');
  expect(() => read(value)).toThrow(`${text}: ${key} is given twice.`);
});
