import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  type AssessmentEnvelope,
  AssessmentEnvelopeSchema,
} from '../../../src/contract/assessment/assessment.ts';
import { formatMoney } from '../../../src/report/figures.ts';
import { runCli } from '../../helpers/cli/run-cli.ts';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { folder, read, readJson, run, write } = openBuilt('assess');
const COLLISION = {
  vehicle_id: 'veh_golf',
  damages: [
    { damage_id: 'a', type: 'panel_damage', location: 'hood', severity: 'severe' },
    { damage_id: 'b', type: 'scratch', location: 'hood', severity: 'minor' },
    {
      damage_id: 'c',
      type: 'dent',
      location: 'front_fender_left',
      severity: 'severe',
      measurements: { diameter: 22, unit: 'cm' },
    },
    { damage_id: 'd', type: 'headlight_damage', location: 'headlight_left', severity: 'minor' },
    { damage_id: 'e', type: 'crack', location: 'front_bumper', severity: 'severe' },
  ],
};
const INSPECTION = exampleInspection({ damages: 1, photos: 1, rich: false, currency: 'EUR' });
Object.assign(INSPECTION.meta, { region: 'EU_GERMANY' });
write('collision.json', COLLISION);
write('list.json', [{ type: 'scratch', location: 'rear_bumper', severity: 'moderate' }]);
write('clean.json', exampleInspection({ damages: 0 }));
write('wrong.json', {
  damages: [{ damage_id: 'a', type: 'dnt', location: 'hod' }],
  assessment_options: { labor_rate_region: 'US_TEXSA', currency: 'EURO' },
});
write('broken.json', '{"damages": [');
write('overridden.json', {
  ...COLLISION,
  overrides: [{ damage_id: 'e', option: 'bumper_replacement_aftermarket', reason: 'agreed' }],
});
write('inspected.json', exampleInspection());

describe('vehi assess', () => {
  test.each([
    ['assess-table', 'assess collision.json'],
    ['assess-options', 'assess collision.json --options'],
    ['assess-explain', 'assess overridden.json --quiet --explain'],
    ['assess-yen', 'assess list.json --region ASIA_JAPAN --currency JPY --market-value 900000'],
    ['assess-wrong', 'assess wrong.json'],
    ['assess-no-input', 'assess'],
    ['regions-list', 'regions list'],
    ['regions-show', 'regions show us_california'],
  ])('%s', async (name, line) => {
    const { code, stdout, stderr } = await run(line);
    const text = `$ vehi ${line}\n${stdout}--- stderr\n${stderr}--- exit ${code}\n`;
    await expect(text).toMatchFileSnapshot(`expected/${name}.txt`);
  });

  test.each([
    ['estimate-us', 'US_NORTHEAST', 'USD'],
    ['estimate-germany', 'EU_GERMANY', 'EUR'],
    ['estimate-japan', 'ASIA_JAPAN', 'JPY'],
  ])('%s has its totals, with tax', async (name, region, currency) => {
    const line = `assess collision.json --region ${region} --currency ${currency} --options`;
    const { code, stdout, stderr } = await run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout.slice(stdout.indexOf('Totals'))).toMatchFileSnapshot(`expected/${name}.txt`);
  });

  test('ten damages fit on one screen, with one price each', async () => {
    const places = ['hood', 'front_bumper', 'front_fender_left', 'front_door_left', 'rear_door_left'];
    const more = ['quarter_panel_left', 'rear_bumper', 'trunk_lid', 'taillight_left', 'windshield'];
    const kinds = ['dent', 'crack', 'panel_damage', 'scratch', 'dent', 'rust', 'crack', 'dent'];
    const damages = [...places, ...more].map((location, i) => ({
      location,
      type: kinds[i] ?? 'glass_damage',
      severity: 'severe',
    }));
    write('ten.json', damages);
    const { code, stdout } = await run('assess ten.json --market-value 9000');
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.filter((line) => /^\d+ .*\$[\d,]+$/.test(line))).toHaveLength(10);
    expect(lines.slice(-3).map((line) => line.split('  ')[0])).toEqual(['REPAIR', 'DAMAGE', 'TOTAL LOSS']);
  });

  test('--json is one document of the contract, and the same on every run', async () => {
    const first = await run('assess collision.json --json');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect((await run('assess collision.json --json')).stdout).toBe(first.stdout);
    const envelope: AssessmentEnvelope = JSON.parse(first.stdout);
    expect(Check(AssessmentEnvelopeSchema, envelope)).toBe(true);
    expect(envelope.data).toMatchObject({ vehicle_id: 'veh_golf', created_at: '2026-01-31T12:00:00.000Z' });
    expect(envelope.data.assessment_id).toMatch(/^asmt_[0-9A-Z]{26}$/);
  });

  test('takes an inspection from a pipe, with its region and currency; flags outrank them', async () => {
    const price = async (flags: string): Promise<AssessmentEnvelope> =>
      JSON.parse((await run(`assess - --json${flags}`, {}, JSON.stringify(INSPECTION))).stdout);
    const { data, meta } = await price('');
    const { vehicle_id, inspection_id, results } = INSPECTION.data;
    expect(data).toMatchObject({ vehicle_id, inspection_id });
    expect(data.assessed_damages).toMatchObject(
      results?.damages.map(({ damage_id }) => ({ damage_id })) ?? [],
    );
    expect(meta).toMatchObject({ region: 'EU_GERMANY', currency: 'EUR', labor_rate_used: 100 });
    const fx = { from: 'GBP', to: 'EUR' };
    expect((await price(' --region EU_UK')).meta).toMatchObject({ region: 'EU_UK', currency: 'EUR', fx });
  });

  test('CSV and JSON hold the same lines', async () => {
    const edits = '--edit 1:hours=9.9 --edit add:Subl:wheel_alignment:price=120';
    expect((await run(`assess collision.json ${edits} -q -o e.json -o e.lines.csv`)).code).toBe(0);
    const rows = read('e.lines.csv').split('\r\n');
    const { lines } = readJson('e.json').data.estimate;
    expect(rows.filter((row) => row.startsWith('line,'))).toHaveLength(lines.length);
    expect(rows.some((row) => row.includes('Visible damage only'))).toBe(true);
  });

  test('--fail-on cost> goes by the first bill without tax, as an inspection does', async () => {
    await run('assess collision.json -q -o cost.json');
    const { estimated } = readJson('cost.json').data.summary.repair_cost_summary.first_bill;
    expect((await run(`assess collision.json -q --fail-on cost>${estimated}`)).code).toBe(0);
    expect(await run(`assess collision.json -q --fail-on cost>${estimated - 0.01}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`estimated at ${formatMoney(estimated, 'USD')}`),
    });
  });

  test.each([
    ['assess broken.json', 3, 'broken.json is not JSON'],
    ['assess missing.json', 3, 'cannot read missing.json'],
    ['assess clean.json', 3, 'lists no damage'],
    ['assess collision.json --damage hood:dent', 2, 'Give a file or --damage, not both'],
    ['assess collision.json --edit hod/rpr:remove', 2, 'which the estimate does not have'],
    ['assess collision.json --edit hood', 2, 'a line and its change are needed'],
    ['report inspected.json -o lines=none.csv', 2, 'there is none'],
  ])('%s is refused with exit %i: %s', async (line, code, said) => {
    expect(await run(line)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  });
});

describe('a table of one’s own', () => {
  // It is read from the folder of the process.
  const runHere = (line: string) => runCli(line.split(' '), { cwd: folder });
  const row = {
    code: 'EU_SPAIN',
    name: 'Spain',
    currency: 'EUR',
    rate_per_hour: [45, 65],
    departments: {},
    total_loss: { rule: 'percent_of_value', threshold: 1, source: 'house rule' },
    tax_rate: 0.21,
    default_market_value: 9000,
    market_value_source: 'house rule',
    date: '2026-01-01',
    source: 'house rates',
  };
  const table = { name: 'regions', version: 'house-1', effective_date: '2026-01-01' };
  write('spain.json', { ...table, rows: [row] });
  write('reversed.json', { ...table, rows: [{ ...row, rate_per_hour: [65, 45] }] });
  write('table.csv', 'code,rate\nMY_SHOP,75\n');

  test('is checked, then used', async () => {
    const said =
      'spain.json: 1 region: EU_SPAIN\n  vehi assess damages.json --regions spain.json --region EU_SPAIN\n';
    expect(await runHere('regions validate spain.json')).toMatchObject({ code: 0, stdout: said });
    const { stdout } = await runHere('assess list.json --regions spain.json --region eu_spain --json');
    const { data, meta }: AssessmentEnvelope = JSON.parse(stdout);
    expect(meta).toMatchObject({ region: 'EU_SPAIN', labor_rate_used: 55 });
    // Tax on 138.60 of materials (3.6 h x 0.7 x 55), next to the total, net and gross.
    expect(data.summary.repair_cost_summary.tax).toMatchObject({
      taxable: 138.6,
      amount: 29.11,
      net_total: 375.1,
      gross_total: 404.21,
      source: 'house rates',
    });
  });

  test('is refused with what it needs, or with row and reason', async () => {
    const { code, stdout, stderr } = await runHere('regions validate table.csv');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/table\.csv is not JSON[\s\S]*vehi regions show CODE --json/);
    const reversed = await runHere('regions validate reversed.json --json');
    expect(reversed.code).toBe(3);
    expect(JSON.parse(reversed.stdout)).toMatchObject({
      valid: false,
      errors: [{ field: 'rows[0] (EU_SPAIN).rate_per_hour' }],
    });
  });
});
