import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { InspectionEnvelopeSchema } from '../../../src/contract/inspection.ts';
import { ROOT } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { drawLabel } from '../../helpers/photos/draw-label.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('read-facts');
const read = (name: string) => readFileSync(join(dir, name), 'utf8');
const VIN = '1HGCP2F89BA123456';

describe('facts that photos show', () => {
  let stdout = '';
  beforeAll(async () => {
    for (const name of ['front.jpg', 'left_side_closeup.jpg'])
      copyFileSync(join(ROOT, 'fixtures/vehicle', name), join(dir, name));
    writeFileSync(join(dir, 'label.png'), await drawLabel(`VIN ${VIN}`));
    writeFileSync(join(dir, 'dashboard.png'), await drawLabel('ODO 48210 km'));
    const outputs = ['json', 'html', 'md', 'csv'].flatMap((ending) => ['-o', `r.${ending}`]);
    const run = await runInside(['inspect', '.', ...outputs, '--fail-on', 'none'], { cwd: dir });
    expect(run.code, run.stderr).toBe(0);
    stdout = run.stdout;
  });

  test('stand in the JSON with photo, box and confidence', () => {
    const result = JSON.parse(read('r.json'));
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
  });

  test('are printed with the plate where pictures show it', async () => {
    const flags = ['--redact', 'off', '--language', 'de', '-o', 'shown.html', '-o', 'shown.csv'];
    const run = await runInside(['report', 'r.json', ...flags], { cwd: dir });
    expect(run.code, run.stderr).toBe(0);
    expect(read('shown.html')).toContain('VH417DE (gelesen auf front.jpg)');
    expect(read('shown.csv')).toContain('VH417DE');
  });

  test('are not the plate of an estimate, which shows no photo', async () => {
    const run = await runInside(['assess', 'r.json', '--json'], { cwd: dir });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).data.vehicle).toMatchObject({ vin: VIN, make: 'Honda', mileage_km: 48210 });
    expect(run.stdout).not.toContain('VH417DE');
  });

  test('give way to stated ones, with a warning', async () => {
    const facts = 'vin=1M8GDM9AXKP042788,plate=ZZ 9,odometer=48300 km';
    const run = await runInside(['report', 'r.json', '--set', facts, '-o', 'set.json', '--format', 'table'], {
      cwd: dir,
    });
    expect(run.code, run.stderr).toBe(0);
    const { vehicle, warnings } = JSON.parse(read('set.json')).data;
    expect(vehicle).toMatchObject({
      vin: '1M8GDM9AXKP042788',
      plate: 'ZZ 9',
      odometer: { value: 48300, unit: 'km' },
    });
    expect([vehicle.read, vehicle.make]).toEqual([undefined, undefined]);
    expect(warnings.filter(({ code }: { code: string }) => code.startsWith('read_'))).toEqual([
      {
        code: 'read_differs',
        message: 'the number plate in the photos differs from the stated one: front.jpg',
      },
      {
        code: 'read_differs',
        message: `the VIN in the photos differs from the stated 1M8GDM9AXKP042788: ${VIN} (label.png)`,
      },
    ]);
    expect(run.stdout).toContain('The VIN in the photos differs from the stated 1M8GDM9AXKP042788');
  });
});
