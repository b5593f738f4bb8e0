import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeOutcome, makeEmptyRow, renderSummaryTable } from '../../../src/cli/fleet/summary.ts';
import { listSubfolders, readVehicleList } from '../../../src/cli/fleet/vehicles.ts';
import { markDrawnCopy } from '../../../src/images/find/drawn-copy.ts';
import { hashBytes } from '../../../src/lib/ids.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder, openFiles } from '../../helpers/temporary-folder.ts';
import { drawn } from '../images/pictures.ts';

test('names the photos that links lead to, takes no folder of drawn copies, and gives no two results one name', async () => {
  const { folder, at, write } = openFiles(makeOwnFolder('fleet-names'));
  const photo = await drawn().jpeg().toBuffer();
  write('front.jpg', photo);
  write('fleet/car/notes.txt', '');
  symlinkSync('../front.jpg', at('fleet/left.jpg'));
  symlinkSync('../none.jpg', at('fleet/right.jpg'));
  write('fleet/marked/front.jpg', markDrawnCopy(photo));
  const { vehicles, strays } = await listSubfolders('fleet', folder, []);
  expect([vehicles.map(({ label }) => label), strays]).toEqual([['car'], ['left.jpg']]);
  write('fleet/marked/notes.txt', 'none');
  expect((await listSubfolders('fleet', folder, [])).vehicles).toHaveLength(2);
  const name = `x_y-${hashBytes('x y').slice(0, 8)}`;
  write('list.csv', `vehicle_id,folder\n${name},car\nx y,car\n`);
  const listed = await readVehicleList('list.csv', fakeTerminal({ cwd: folder }).ctx);
  expect(listed.map((one) => one.name)).toEqual([name, `${name}-2`]);
});

const row = { ...makeEmptyRow('error', { label: 'car', folder: 'car' }), status: 'completed' } as const;

test.each<[scopes: readonly (string | null)[], last: string]>([
  [['Visible damage only.', 'Visible damage only.', null], 'Visible damage only.'],
  [
    ['Up to $12,000 after teardown.', 'Up to $9,000 after teardown.', 'Visible damage only.'],
    'Without tax. The column cost_scope of summary.csv says what the amounts of each vehicle include.',
  ],
  [[null], '1 vehicle: 1 completed; 0 damages, 0 to check'],
])('the table of many vehicles ends with one sentence on what its amounts include: %j', (scopes, last) => {
  const rows = scopes.map((cost_scope) => ({ ...row, cost_scope }));
  expect(renderSummaryTable(rows, 0, 120).trimEnd().split('\n\n').at(-1)).toBe(last);
});

test('photos of several vehicles have no price of their own, and the total says that it leaves them out', () => {
  const one = { ...row, grade: 'fair', damages: 2, cost_min: 100, cost_max: 300, currency: 'USD' };
  const several = { ...one, vehicle_id: 'cars', grade: '2 vehicles', cost_min: null, cost_max: null };
  const table = renderSummaryTable([one, several], 0, 120);
  expect(table).toMatch(/^cars .* – {2}/m);
  expect(table).toContain('repair $100–300 without 1 folder of several vehicles');
  expect(describeOutcome(several)).toBe('2 vehicles, 2 damages');
  expect(describeOutcome(one)).toContain('$100–300');
});
