import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseVehicleManifest, readManifest } from '../../../../src/images/find/manifest-file.ts';
import { makeEmptyFolder } from '../pictures.ts';

describe('parseManifest', () => {
  it('takes photos by name or as a list', () => {
    const byName = parseVehicleManifest('{"photos":{"a.jpg":{"angle":"top"}}}', 'vehi.json');
    const asList = parseVehicleManifest('\uFEFF{"photos":[{"file":"./a.jpg","angle":"top"}]}', 'vehi.json');
    expect(byName.photos).toEqual(new Map([['a.jpg', { angle: 'top' }]]));
    expect(asList.photos).toEqual(byName.photos);
  });

  it('knows a name in either spelling of its accents', () => {
    expect([...parseVehicleManifest('{"photos":{"gro\u0308\u00dfe.jpg":{}}}', 'm').photos.keys()]).toEqual([
      'gr\u00f6\u00dfe.jpg',
    ]);
  });

  it('takes the terms of a settlement', () => {
    const settlement = {
      deductible: 500,
      storage: { days: 3, per_day: 40 },
      betterment: [{ of: 'windshield', percentage: 30, reason: 'worn' }],
    };
    expect(parseVehicleManifest(JSON.stringify({ settlement }), 'm').settlement).toEqual(settlement);
  });

  it.each([
    ['48210', { value: 48_210 }],
    ['"48,210 km"', { value: 48_210, unit: 'km' }],
    ['"30000 mi"', { value: 30_000, unit: 'mi' }],
    ['{ "value": 48210, "unit": "km" }', { value: 48_210, unit: 'km' }],
    ['{ "value": 48210 }', { value: 48_210 }],
  ])('takes %s as a reading of the odometer', (odometer, reading) => {
    expect(parseVehicleManifest(`{"vehicle":{"odometer":${odometer}}}`, 'm').vehicle).toEqual({
      odometer: reading,
    });
  });

  it.each(['null', '{ "unit": "km" }', '"far"', '10000001'])('takes %s for no reading', (odometer) => {
    expect(() => parseVehicleManifest(`{"vehicle":{"odometer":${odometer}}}`, 'm')).toThrow(
      /^m: vehicle\.odometer.*: found .*; expected/,
    );
  });

  it('takes the equipment that is stated, and none that is not', () => {
    expect(parseVehicleManifest('{"vehicle":{"body":"suv","drive":"electric"}}', 'm').vehicle).toEqual({
      body: 'suv',
      drive: 'electric',
    });
    expect(parseVehicleManifest('{"vehicle":{"make":"Example"}}', 'm').vehicle).toEqual({ make: 'Example' });
  });

  it('takes an empty manifest', () => {
    expect(parseVehicleManifest('{}', 'm')).toEqual({ path: 'm', photos: new Map() });
  });

  it.each([
    ['[]', 'top level: found []; expected an object'],
    ['null', 'top level: found null'],
    [
      '{"vehicel":{}}',
      'top level: found an unknown field "vehicel" (did you mean "vehicle"?); expected only vehicle_id, vehicle, claim, settlement, photos',
    ],
    ['{"__proto__":{"x":1}}', 'found an unknown field "__proto__"'],
    ['{"vehicle_id":7}', 'vehicle_id: found 7; expected a text of 1 to 128 characters'],
    ['{"vehicle_id":" "}', 'vehicle_id: found " "'],
    [
      '{"vehicle_id":"a\\u001b[2J"}',
      'vehicle_id: found "a\\u001b[2J"; expected a text without control characters',
    ],
    ['{"vehicle":{"year":"2019"}}', 'vehicle.year: found "2019"; expected a whole number from 1886 to 2100'],
    ['{"vehicle":{"year":2019.5}}', 'vehicle.year: found 2019.5'],
    ['{"vehicle":{"mileage_km":-1}}', 'vehicle.mileage_km: found -1; expected a number from 0'],
    ['{"vehicle":{"market_value":1e999}}', 'vehicle.market_value: found null'],
    ['{"vehicle":{"currency":"usd"}}', 'vehicle.currency: found "usd" (did you mean'],
    [
      '{"vehicle":{"class":"luxry"}}',
      'vehicle.class: found "luxry" (did you mean "luxury"?); expected one of economy,',
    ],
    ['{"vehicle":[]}', 'vehicle: found []; expected an object'],
    ['{"settlement":{"deductable":500}}', 'settlement: found an unknown field "deductable" (did you mean'],
    ['{"settlement":{"deductible":-1}}', 'settlement.deductible: found -1; expected a number from 0'],
    ['{"settlement":{"rental":{"days":3}}}', 'settlement.rental: found no per_day; expected both'],
    ['{"settlement":{"betterment":[{}]}}', 'settlement.betterment[0]: found nothing to deduct'],
    ['{"settlement":{"betterment":{}}}', 'settlement.betterment: found no list'],
    ['{"photos":"a.jpg"}', 'photos: found "a.jpg"; expected an object'],
    ['{"photos":{"a.jpg":"front"}}', 'photos["a.jpg"]: found "front"; expected an object'],
    [
      '{"photos":{"a.jpg":{"angle":"frontleft"}}}',
      'photos["a.jpg"].angle: found "frontleft" (did you mean "front_left"?)',
    ],
    ['{"photos":{"a.jpg":{"type":"outside"}}}', 'photos["a.jpg"].type: found "outside"'],
    [
      '{"photos":{"a.jpg":{"kind":"x"}}}',
      'photos["a.jpg"]: found an unknown field "kind"; expected only angle, type',
    ],
    ['{"photos":[{"angle":"front"}]}', 'photos[0].file: found nothing; expected a path relative'],
    ['{"photos":[{"file":"../a.jpg"}]}', 'photos[0].file: found "../a.jpg"'],
    ['{"photos":[{"file":"x/../../a.jpg"}]}', 'photos[0].file: found'],
    ['{"photos":[{"file":"/etc/passwd"}]}', 'photos[0].file: found "/etc/passwd"'],
    ['{"photos":[{"file":"C:\\\\a.jpg"}]}', 'photos[0].file: found'],
    ['{"photos":[{"file":"a.jpg"},{"file":"./a.jpg"}]}', 'photos[1].file: found "a.jpg" a second time'],
  ])('refuses %s', (text, message) => {
    expect(() => parseVehicleManifest(text, 'car/vehi.json')).toThrow(
      `car/vehi.json: ${message}`.replace('car/vehi.json: found', 'car/vehi.json: top level: found'),
    );
  });

  it('says where the text is not JSON', () => {
    expect(() => parseVehicleManifest('{', 'car/vehi.json')).toThrow(
      /^car\/vehi.json is not valid JSON: .* \(line 1\)/,
    );
  });

  it('repeats little of a long value', () => {
    const text = JSON.stringify({ vehicle_id: 'x'.repeat(100_000) });
    expect(() => parseVehicleManifest(text, 'm')).toThrow(/^m: vehicle_id: found "x{59}…; expected/);
  });
});

describe('readManifest', () => {
  it('is undefined where there is none, and refuses what is not a small file', async () => {
    const folder = await makeEmptyFolder();
    expect(await readManifest(folder)).toBeUndefined();
    await mkdir(join(folder, 'a/vehi.json'), { recursive: true });
    await expect(readManifest(join(folder, 'a'))).rejects.toMatchObject({
      code: 'INVALID_MANIFEST',
      kind: 'input',
    });
    await mkdir(join(folder, 'b'));
    await writeFile(join(folder, 'b/vehi.json'), ' '.repeat(1024 * 1024 + 1));
    await expect(readManifest(join(folder, 'b'))).rejects.toThrow(
      /found 1048577 bytes; expected at most 1 MB/,
    );
  });
});
