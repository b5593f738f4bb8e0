import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type AssessmentEnvelope,
  AssessmentEnvelopeSchema,
} from '../../../src/contract/assessment/assessment.ts';
import { runCli } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const NOW = ['--now', '2026-01-31T12:00:00Z'];
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
const INSPECTION = {
  status: 'success',
  data: {
    inspection_id: 'vis_01TEST',
    vehicle_id: 'veh_photo',
    results: {
      damages: [
        {
          damage_id: 'dmg_hood_001',
          type: 'dent',
          severity: 'moderate',
          severity_score: 3.2,
          location: { part: 'hood', side: 'front', coordinates: { x: 1, y: 2, width: 3, height: 4 } },
          measurements: { diameter: 6, depth: 0.4, unit: 'cm' },
          confidence: 0.81,
        },
      ],
    },
  },
  meta: { region: 'EU_GERMANY', currency: 'EUR' },
};
const dir = makeOwnFolder('assess');

beforeAll(() => {
  const put = (name: string, content: unknown) =>
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  put('collision.json', COLLISION);
  put('list.json', [{ type: 'scratch', location: 'rear_bumper', severity: 'moderate' }]);
  put('inspection.json', INSPECTION);
  put('clean.json', { ...INSPECTION, data: { ...INSPECTION.data, results: { damages: [] } } });
  put('wrong.json', {
    damages: [{ damage_id: 'a', type: 'dnt', location: 'hod' }],
    assessment_options: { labor_rate_region: 'US_TEXSA', currency: 'EURO' },
  });
  put('broken.json', '{"damages": [');
  put('overridden.json', {
    ...COLLISION,
    overrides: [{ damage_id: 'e', option: 'bumper_replacement_aftermarket', reason: 'agreed' }],
  });
});

const vehi = (...args: string[]) => runInside(args, { cwd: dir });

describe('vehi assess', () => {
  test.each([
    ['assess-table', ['assess', 'collision.json']],
    ['assess-options', ['assess', 'collision.json', '--options']],
    ['assess-explain', ['assess', 'overridden.json', '--quiet', '--explain']],
    [
      'assess-yen',
      ['assess', 'list.json', '--region', 'ASIA_JAPAN', '--currency', 'JPY', '--market-value', '900000'],
    ],
    ['assess-wrong', ['assess', 'wrong.json']],
    ['assess-no-input', ['assess']],
    ['regions-list', ['regions', 'list']],
    ['regions-show', ['regions', 'show', 'us_california']],
  ])('%s', async (name, args) => {
    const { code, stdout, stderr } = await vehi(...args, ...(args[0] === 'assess' ? NOW : []));
    const text = `$ vehi ${args.join(' ')}\n${stdout}--- stderr\n${stderr}--- exit ${code}\n`;
    await expect(text).toMatchFileSnapshot(`expected/${name}.txt`);
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
    writeFileSync(join(dir, 'ten.json'), JSON.stringify(damages));
    const { code, stdout } = await vehi('assess', 'ten.json', '--market-value', '9000', ...NOW);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.filter((line) => /^\d+ .*\$[\d,]+$/.test(line))).toHaveLength(10);
    expect(lines.slice(-3).map((line) => line.split('  ')[0])).toEqual(['REPAIR', 'DAMAGE', 'TOTAL LOSS']);
  });

  test('--json is one document of the contract, and the same on every run', async () => {
    const first = await vehi('assess', 'collision.json', '--json', ...NOW);
    const second = await vehi('assess', 'collision.json', '--json', ...NOW);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toBe(first.stdout);
    const envelope = JSON.parse(first.stdout) as AssessmentEnvelope;
    expect(Check(AssessmentEnvelopeSchema, envelope)).toBe(true);
    expect(envelope.data).toMatchObject({ vehicle_id: 'veh_golf', created_at: '2026-01-31T12:00:00.000Z' });
    expect(envelope.data.assessment_id).toMatch(/^asmt_[0-9A-Z]{26}$/);
  });

  test('takes an inspection from a pipe, with its region and currency; flags outrank them', async () => {
    const stdin = JSON.stringify(INSPECTION);
    const piped = await runInside(['assess', '-', '--json', ...NOW], { cwd: dir, stdin });
    const { data, meta } = JSON.parse(piped.stdout) as AssessmentEnvelope;
    expect(data).toMatchObject({ vehicle_id: 'veh_photo', inspection_id: 'vis_01TEST' });
    expect(data.assessed_damages).toMatchObject([
      { damage_id: 'dmg_hood_001', location: 'hood', severity_score: 3.2, size_cm: 6 },
    ]);
    expect(meta).toMatchObject({ region: 'EU_GERMANY', currency: 'EUR', labor_rate_used: 100 });
    const flagged = await runInside(['assess', '-', '--json', '--region', 'EU_UK', ...NOW], {
      cwd: dir,
      stdin,
    });
    expect((JSON.parse(flagged.stdout) as AssessmentEnvelope).meta).toMatchObject({
      region: 'EU_UK',
      currency: 'EUR',
      fx: { from: 'GBP', to: 'EUR' },
    });
  });

  test.each([
    ['broken.json', /broken\.json is not JSON/],
    ['missing.json', /cannot read missing\.json/],
    ['clean.json', /lists no damage/],
  ])('%s is refused with exit 3', async (file, message) => {
    const run = await vehi('assess', file, '--json');
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toMatch(message);
  });

  test.each([
    [['--fail-on', 'cost>1000'], 1],
    [['--fail-on', 'cost>100000'], 0],
    [['--fail-on', 'critical'], 0],
    [['--fail-on', 'severe'], 1],
    [['--fail-on', 'cost>much'], 2],
    [['--fail-on', 'score<6'], 2],
    [['--fail-on-cost', '1000'], 2],
    [['--set', 'color=red'], 2],
    [['--market-value', 'a lot'], 2],
    [['--damage', 'hood:dent'], 2],
  ])('%j exits %d', async (flags, code) => {
    expect((await vehi('assess', 'collision.json', ...flags)).code).toBe(code);
  });
});

describe('vehi regions', () => {
  // A table of one's own is read from the folder of the process.
  const vehi = (...args: string[]) => runCli(args, { cwd: dir });

  test('a file that is no JSON is reported as such, with what a table needs', async () => {
    writeFileSync(join(dir, 'table.csv'), 'code,rate\nMY_SHOP,75\n');
    const run = await vehi('regions', 'validate', 'table.csv');
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toMatch(/table\.csv is not JSON[\s\S]*vehi regions show CODE --json/);
  });

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
  const table = (rows: unknown[]) =>
    JSON.stringify({ name: 'regions', version: 'house-1', effective_date: '2026-01-01', rows });

  test('a table of the user is checked, then used', async () => {
    writeFileSync(join(dir, 'spain.json'), table([row]));
    expect(await vehi('regions', 'validate', 'spain.json')).toMatchObject({
      code: 0,
      stdout:
        'spain.json: 1 region: EU_SPAIN\n  vehi assess damages.json --regions spain.json --region EU_SPAIN\n',
    });
    const verdict = JSON.parse((await vehi('regions', 'validate', 'spain.json', '--json')).stdout);
    expect(verdict).toMatchObject({ valid: true, regions: ['EU_SPAIN'], errors: [] });
    const own = ['--regions', 'spain.json', '--region', 'eu_spain'];
    const run = await vehi('assess', 'list.json', ...own, '--json', ...NOW);
    const { data, meta } = JSON.parse(run.stdout) as AssessmentEnvelope;
    expect(meta).toMatchObject({ region: 'EU_SPAIN', labor_rate_used: 55 });
    // Tax on 138.60 of materials (3.6 h x 0.7 x 55), next to the total, net and gross.
    expect(data.summary.repair_cost_summary.tax).toEqual({
      name: 'tax',
      base: 'parts_and_materials',
      rate_percentage: 21,
      taxable: 138.6,
      amount: 29.11,
      net_total: 375.1,
      gross_total: 404.21,
      currency: 'EUR',
      source: 'house rates',
    });
  });

  test('a wrong table is refused with every row and reason', async () => {
    writeFileSync(
      join(dir, 'wrong-table.json'),
      table([
        { ...row, rate_per_hour: [65, 45] },
        { ...row, code: 'EU_SPAIN' },
      ]),
    );
    const run = await vehi('regions', 'validate', 'wrong-table.json');
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('rows[0] (EU_SPAIN).rate_per_hour: low 65 is above high 45');
    expect(run.stderr).toContain('rows[1] (EU_SPAIN).code: listed twice');
    const { valid, errors } = JSON.parse(
      (await vehi('regions', 'validate', 'wrong-table.json', '--json')).stdout,
    );
    expect([valid, errors[0]?.field]).toEqual([false, 'rows[0] (EU_SPAIN).rate_per_hour']);
    const used = await vehi('assess', 'list.json', '--regions', 'wrong-table.json', '--json');
    expect(used).toMatchObject({ code: 2, stdout: '' });
  });
});
