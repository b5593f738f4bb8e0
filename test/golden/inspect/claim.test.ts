import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { InspectionEnvelopeSchema } from '../../../src/contract/inspection.ts';
import { parseVehiJson } from '../../../src/images/find/vehi-json-file.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('claim');
beforeAll(() => {
  writeFileSync(join(dir, 'result.json'), JSON.stringify(exampleInspection({ damages: 2, photos: 2 })));
});

const FLAGS = [
  ...['--set', 'claim_number=C-4711,policy_number=P 9', '--set', 'insured=Doe, Jane'],
  ...['--set', 'loss_date=2026-11-02,loss_kind=hail', '--set', 'inspector=R. Roe'],
  ...['--set', 'vin=1m8gdm9axkp042788,plate=AB 123', '--set', 'odometer=48,210 km,paint_code=040'],
];

describe('what a report is filed under', () => {
  test('is no setting: the refusal says where it belongs', async () => {
    const run = await runInside(['config', 'set', 'claim_number', 'C-1'], { cwd: dir });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('unknown setting "claim_number"');
    expect(run.stderr).toContain('vehi.json next to its photos, or in --set');
  });

  test('stands in the JSON as it was given, and in the page', async () => {
    const run = await runInside(['report', 'result.json', ...FLAGS, '-o', 'r.json', '-o', 'r.html'], {
      cwd: dir,
    });
    expect([run.code, run.stdout]).toEqual([0, '']);
    const { data } = JSON.parse(readFileSync(join(dir, 'r.json'), 'utf8'));
    expect(data.claim).toEqual({
      claim_number: 'C-4711',
      policy_number: 'P 9',
      insured: 'Doe, Jane',
      loss_date: '2026-11-02',
      loss_kind: 'hail',
      inspector: 'R. Roe',
    });
    expect(data.vehicle).toEqual({
      vin: '1M8GDM9AXKP042788',
      vin_check_digit: 'right',
      plate: 'AB 123',
      odometer: { value: 48210, unit: 'km' },
      paint_code: '040',
    });
    const page = readFileSync(join(dir, 'r.html'), 'utf8');
    for (const said of [
      'C-4711',
      'P 9',
      'Doe, Jane',
      '2026-11-02, hail',
      'R. Roe',
      '1M8GDM9AXKP042788',
      '48,210 km',
    ])
      expect(page).toContain(said);
    expect(page).toContain('Signature');
  });

  test('what prices go by is refused by a report, and changes an estimate', async () => {
    const facts = { class: 'luxury', paint: 'three_stage', headlights: 'matrix', panels: 'aluminium' };
    const named = Object.entries(facts).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const filed = await runInside(['report', 'result.json', ...named, '-o', 'luxury.html'], { cwd: dir });
    expect(filed.code).toBe(2);
    expect(filed.stderr).toContain('a report does not change prices');
    expect(filed.stderr).toContain('vehi assess RESULT.json --set');
    expect(existsSync(join(dir, 'luxury.html'))).toBe(false);
    const priced = async (...flags: string[]) => {
      const run = await runInside(['assess', 'result.json', '--json', ...flags], { cwd: dir });
      expect(run.code, run.stderr).toBe(0);
      return JSON.parse(run.stdout).data;
    };
    const luxury = await priced(...named);
    expect(luxury.vehicle).toMatchObject({ ...facts, class_used: 'luxury' });
    expect(luxury.summary).not.toEqual((await priced()).summary);
  });

  test('what files a vehicle stays with an estimate that is priced by more', async () => {
    await writeDrawnCar(join(dir, 'car.jpg'));
    const flags = ['--assess', '--json', '--fail-on', 'none', '--models', TINY_MODELS];
    const words = ['inspect', 'car.jpg', ...flags, ...FLAGS, '--set', 'class=luxury'];
    const run = await runInside(words, { cwd: dir });
    expect(run.code, run.stderr).toBe(0);
    const { assessment, ...inspection } = JSON.parse(run.stdout);
    expect(Check(InspectionEnvelopeSchema, inspection)).toBe(true);
    const { data } = inspection;
    expect(data.claim).toMatchObject({ claim_number: 'C-4711' });
    const filed = { vin: '1M8GDM9AXKP042788', plate: 'AB 123', paint_code: '040' };
    expect(data.vehicle).toMatchObject(filed);
    expect(assessment.data.vehicle).toMatchObject({ ...filed, class_used: 'luxury' });
  });

  test('is absent where it was not given', async () => {
    await runInside(['report', 'result.json', '-o', 'bare.json', '-o', 'bare.html'], { cwd: dir });
    const { data } = JSON.parse(readFileSync(join(dir, 'bare.json'), 'utf8'));
    expect([data.claim, data.vehicle]).toEqual([undefined, undefined]);
    expect(readFileSync(join(dir, 'bare.html'), 'utf8')).not.toContain('<dt>VIN</dt>');
  });

  test.each([
    ['a VIN with a slip', ['--set', 'vin=1M8GDM9AXKP0I2788'], '--set: vin has "I", which is in no VIN'],
    ['no value', ['--set', 'insured'], 'key=value is needed'],
  ])('%s is a usage error that names the field', async (_, flags, said) => {
    const run = await runInside(['report', 'result.json', ...flags, '-o', 'no.html'], { cwd: dir });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(said);
  });

  test('a wrong check digit is said on paper where the law asks for a right one', async () => {
    await runInside(['report', 'result.json', '--set', 'vin=1M8GDM9AXKP042789', '-o', 'w.html'], {
      cwd: dir,
    });
    expect(readFileSync(join(dir, 'w.html'), 'utf8')).toContain('the check digit does not fit');
  });
});

test('vehi.json has blocks of the same names', () => {
  const manifest = parseVehiJson(
    JSON.stringify({
      vehicle: { make: 'BMW', vin: '1M8GDM9AXKP042788', odometer: { value: 30_000, unit: 'mi' } },
      claim: { claim_number: 'C-1', loss_date: '2026-11-02' },
    }),
    'vehi.json',
  );
  expect(manifest.claim).toEqual({ claim_number: 'C-1', loss_date: '2026-11-02' });
  expect(manifest.vehicle).toMatchObject({ make: 'BMW', odometer: { value: 30_000, unit: 'mi' } });
});
