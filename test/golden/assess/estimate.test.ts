import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AssessmentEnvelope } from '../../../src/contract/assessment/assessment.ts';
import { formatMoney } from '../../../src/report/figures.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { listPhotos } from '../../helpers/photos/demo-vehicle.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const NOW = ['--now', '2026-01-31T12:00:00Z'];
const dir = makeOwnFolder('estimate');
beforeAll(() => {
  writeFileSync(join(dir, 'demo.json'), JSON.stringify(demoDamages()));
});
const vehi = (...args: string[]) => runInside([...args, ...NOW], { cwd: dir });
const read = (name: string) => readFileSync(join(dir, name), 'utf8');
const estimateOf = (name: string) => (JSON.parse(read(name)) as AssessmentEnvelope).data;

/** The damages planted on the demo vehicle, each once. */
function demoDamages(): object[] {
  const planted = listPhotos('damaged').flatMap(([, photo]) => photo.damages);
  const once = new Map(planted.map((one) => [one.id, one]));
  return [...once.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, type, subtype, severity, part, size_cm }) => ({
      damage_id: id,
      type,
      ...(subtype ? { subtype } : {}),
      location: part,
      severity,
      measurements: { length: Math.round(size_cm.length * 10) / 10, unit: 'cm' },
    }));
}

describe('the demo vehicle, with tax', () => {
  test.each([
    ['estimate-us', 'US_NORTHEAST', 'USD'],
    ['estimate-germany', 'EU_GERMANY', 'EUR'],
    ['estimate-japan', 'ASIA_JAPAN', 'JPY'],
  ])('%s', async (name, region, currency) => {
    const { code, stdout, stderr } = await vehi(
      'assess',
      'demo.json',
      '--region',
      region,
      '--currency',
      currency,
      '--options',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const from = stdout.indexOf('Totals');
    await expect(stdout.slice(from)).toMatchFileSnapshot(`expected/${name}.txt`);
  });
});

describe('lines that leave the house', () => {
  test('CSV and JSON hold the same lines', async () => {
    const edits = ['--edit', '1:hours=9.9', '--edit', 'add:Subl:wheel_alignment:price=120'];
    const run = await vehi('assess', 'demo.json', ...edits, '-q', '-o', 'e.json', '-o', 'e.lines.csv');
    expect(run.code).toBe(0);
    const { lines } = JSON.parse(read('e.json')).data.estimate;
    const rows = read('e.lines.csv').split('\r\n');
    expect(rows.filter((row) => row.startsWith('line,'))).toHaveLength(lines.length);
    expect(rows.some((row) => row.includes('Visible damage only'))).toBe(true);
  });

  test('an inspection without prices has no lines to write', async () => {
    writeFileSync(join(dir, 'inspected.json'), JSON.stringify(exampleInspection()));
    const run = await vehi('report', 'inspected.json', '-o', 'lines=none.csv');
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('there is none')]);
  });
});

describe('what is wrong with an edit is said', () => {
  test.each([
    ['a line that is not there', ['--edit', 'hod/rpr:remove'], 2, 'which the estimate does not have'],
    ['an invalid form', ['--edit', 'hood'], 2, 'a line and its change are needed'],
  ])('%s', async (_, args, code, said) => {
    const run = await vehi('assess', 'demo.json', ...args);
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(said)]);
    expect(run.stdout).toBe('');
  });
});

test('--fail-on cost> goes by the first bill without tax, as an inspection does', async () => {
  await vehi('assess', 'demo.json', '-q', '-o', 'cost.json');
  const { first_bill } = estimateOf('cost.json').summary.repair_cost_summary;
  const estimated = first_bill?.estimated ?? 0;
  expect((await vehi('assess', 'demo.json', '-q', '--fail-on', `cost>${estimated}`)).code).toBe(0);
  const hit = await vehi('assess', 'demo.json', '-q', '--fail-on', `cost>${estimated - 0.01}`);
  expect([hit.code, hit.stderr]).toEqual([
    1,
    expect.stringContaining(`estimated at ${formatMoney(estimated, 'USD')}`),
  ]);
});
