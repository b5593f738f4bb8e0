import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { InspectionEnvelopeSchema } from '../../../src/contract/inspection.ts';
import { ROOT } from '../../helpers/cli/run-cli.ts';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { drawLabel } from '../../helpers/photos/draw-label.ts';

const { at, read, readJson, run, write } = openBuilt('read-facts', join(ROOT, 'models'));
const VIN = '1HGCP2F89BA123456';

/** Runs a line that must end with 0. */
async function done(line: string | readonly string[]) {
  const { code, stdout, stderr } = await run(line);
  expect(code, stderr).toBe(0);
  return stdout;
}

describe('facts that photos show', () => {
  let stdout = '';
  beforeAll(async () => {
    for (const name of ['front.jpg', 'left_side_closeup.jpg'])
      copyFileSync(join(ROOT, 'fixtures/vehicle', name), at(name));
    write('label.png', await drawLabel(`VIN ${VIN}`));
    write('dashboard.png', await drawLabel('ODO 48210 km'));
    stdout = await done('inspect . -o r.json -o r.html -o r.md -o r.csv --fail-on none');
  });

  test('stand in the JSON with photo, box and confidence', () => {
    const result = readJson('r.json');
    expect(Check(InspectionEnvelopeSchema, result)).toBe(true);
    const { vehicle, images } = result.data;
    expect(vehicle).toEqual({
      make: 'Honda',
      year: 2011,
      plate: 'VH417DE',
      vin: VIN,
      vin_check_digit: 'right',
      odometer: { value: 48210, unit: 'km' },
      read: ['plate', 'vin', 'odometer', 'make', 'year'],
    });
    const found = images.flatMap(({ url, read: facts = [] }: { url: string; read?: { fact: string }[] }) =>
      facts.map(({ fact }) => `${url} ${fact}`),
    );
    expect(found.sort()).toEqual(['dashboard.png odometer', 'front.jpg plate', 'label.png vin']);
  });

  test('are printed, but for the plate, which pictures show blurred', () => {
    for (const text of [stdout, read('r.html'), read('r.md'), read('r.csv')]) {
      expect(text).toContain(VIN);
      expect(text).not.toContain('VH417DE');
    }
    expect(stdout.replaceAll('\n', ' ')).toContain(
      `VIN ${VIN} (read in label.png) · Odometer 48,210 km (read in dashboard.png)`,
    );
    // Without --detailed a page states the size that the severity was judged by.
    expect(read('r.html')).toMatch(/~[\d.]+ cm/);
  });

  test('are printed with the plate where pictures show it', async () => {
    await done('report r.json --redact off --language de -o shown.html -o shown.csv');
    expect(read('shown.html')).toContain('VH417DE (gelesen auf front.jpg)');
    expect(read('shown.csv')).toContain('VH417DE');
  });

  test('are not the plate of an estimate, which shows no photo', async () => {
    const estimate = await done('assess r.json --json');
    expect(JSON.parse(estimate).data.vehicle).toMatchObject({ vin: VIN, make: 'Honda', mileage_km: 48210 });
    expect(estimate).not.toContain('VH417DE');
  });

  test('give way to stated ones, with a warning', async () => {
    const facts = 'vin=1M8GDM9AXKP042788,plate=ZZ 9,odometer=48300 km';
    const table = await done(['report', 'r.json', '--set', facts, '-o', 'set.json', '--format', 'table']);
    const { vehicle } = readJson('set.json').data;
    expect(vehicle).toMatchObject({ vin: '1M8GDM9AXKP042788', plate: 'ZZ 9', odometer: { value: 48300 } });
    expect([vehicle.read, vehicle.make]).toEqual([undefined, undefined]);
    expect(table).toContain('The number plate in the photos differs from the stated one: front.jpg');
    expect(table).toContain('The VIN in the photos differs from the stated 1M8GDM9AXKP042788');
  });
});
