import { existsSync } from 'node:fs';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { InspectionEnvelopeSchema } from '../../../src/contract/inspection.ts';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { at, read, readJson, run, write } = openBuilt('claim');
write('result.json', exampleInspection({ damages: 2, photos: 2 }));

const CLAIM = {
  claim_number: 'C-4711',
  policy_number: 'P 9',
  insured: 'Doe, Jane',
  loss_date: '2026-11-02',
  loss_kind: 'hail',
  inspector: 'R. Roe',
};
const VEHICLE = { vin: '1M8GDM9AXKP042788', plate: 'AB 123', paint_code: '040' };
const setAll = (facts: object) =>
  Object.entries(facts).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
const FLAGS = setAll({ ...CLAIM, ...VEHICLE, vin: '1m8gdm9axkp042788', odometer: '48,210 km' });

describe('what a report is filed under', () => {
  test('stands in the JSON as it was given, and in the page', async () => {
    const ran = await run(['report', 'result.json', ...FLAGS, '-o', 'r.json', '-o', 'r.html']);
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    const odometer = { value: 48210, unit: 'km' };
    const { claim, vehicle } = readJson('r.json').data;
    expect(claim).toEqual(CLAIM);
    expect(vehicle).toEqual({ ...VEHICLE, odometer, vin_check_digit: 'right' });
    const page = read('r.html');
    for (const said of ['C-4711', 'P 9', 'Doe, Jane', '2026-11-02, hail', 'R. Roe', VEHICLE.vin, '48,210 km'])
      expect(page).toContain(said);
    expect(page).toContain('Signature');
  });

  test('what prices go by is refused by a report, and changes an estimate', async () => {
    const facts = { class: 'luxury', paint: 'three_stage', headlights: 'matrix', panels: 'aluminium' };
    const filed = await run(['report', 'result.json', ...setAll(facts), '-o', 'luxury.html']);
    expect(filed.code).toBe(2);
    expect(filed.stderr).toContain('a report does not change prices');
    expect(filed.stderr).toContain('vehi assess RESULT.json --set');
    expect(existsSync(at('luxury.html'))).toBe(false);
    const price = async (...flags: string[]) =>
      JSON.parse((await run(['assess', 'result.json', '--json', ...flags])).stdout).data;
    const luxury = await price(...setAll(facts));
    expect(luxury.vehicle).toMatchObject({ ...facts, class_used: 'luxury' });
    expect(luxury.summary).not.toEqual((await price()).summary);
    await run(['assess', 'result.json', '--set', 'make=BMW', '-o', 'bmw.json']);
    const fits = async (fact: string) =>
      (await run(['report', 'bmw.json', '--set', fact, '-o', 'bmw.csv'])).code === 0;
    expect(await fits('make=bmw')).toBe(true);
    expect([await fits('market_value=5000'), await fits('odometer=300000 km')]).toEqual([false, false]);
  });

  test('what files a vehicle stays with an estimate that is priced by more', async () => {
    await writeDrawnCar(at('car.jpg'));
    const ran = await run(['inspect', 'car.jpg', '--assess', '--json', ...FLAGS, '--set', 'class=luxury']);
    expect(ran.code, ran.stderr).toBe(0);
    const { assessment, ...inspection } = JSON.parse(ran.stdout);
    expect(Check(InspectionEnvelopeSchema, inspection)).toBe(true);
    expect(inspection.data).toMatchObject({ claim: CLAIM, vehicle: VEHICLE });
    expect(assessment.data.vehicle).toMatchObject({ ...VEHICLE, class_used: 'luxury' });
  });

  test('a wrong check digit is said on paper where the law asks for a right one', async () => {
    await run('report result.json --set vin=1M8GDM9AXKP042789 -o w.html');
    expect(read('w.html')).toContain('the check digit does not fit');
  });
});
