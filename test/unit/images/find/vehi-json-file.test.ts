import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseVehiJson, readVehiJson } from '../../../../src/images/find/vehi-json-file.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

describe('parseVehiJson', () => {
  it.each([
    ['by name', '{"photos":{"a.jpg":{"angle":"top"}}}', 'a.jpg'],
    ['as a list', '\uFEFF{"photos":[{"file":"./a.jpg","angle":"top"}]}', 'a.jpg'],
    ['in either spelling of accents', '{"photos":{"gro\u0308\u00dfe":{"angle":"top"}}}', 'gr\u00f6\u00dfe'],
  ])('takes photos %s', (_, text, name) => {
    expect(parseVehiJson(text, 'm').photos).toEqual(new Map([[name, { angle: 'top' }]]));
  });

  it.each([
    ['48210', { value: 48_210 }],
    ['4821.125', { value: 4821.125 }],
    ['"48,210 km"', { value: 48_210, unit: 'km' }],
    ['"48\u202f210 km"', { value: 48_210, unit: 'km' }],
    ['"48’210"', { value: 48_210 }],
    ['"1.048.210"', { value: 1_048_210 }],
    ['"48210.375 km"', { value: 48_210.375, unit: 'km' }],
    ['"30000 mi"', { value: 30_000, unit: 'mi' }],
    ['{ "value": 48210, "unit": "km" }', { value: 48_210, unit: 'km' }],
    ['{ "value": 48210 }', { value: 48_210 }],
  ])('takes %s as a reading of the odometer', (odometer, reading) => {
    expect(parseVehiJson(`{"vehicle":{"odometer":${odometer}}}`, 'm').vehicle).toEqual({
      odometer: reading,
    });
  });

  it.each([
    ...['null', '["48210 km"]', '{ "unit": "km" }', '{ "value": "48210" }'],
    ...['"far"', '"48.21 km"', '"0.123 km"', '10000001'],
  ])('takes %s for no reading', (odometer) => {
    expect(() => parseVehiJson(`{"vehicle":{"odometer":${odometer}}}`, 'm')).toThrow(
      /^m: vehicle\.odometer is .*; a reading such as "48210 km" or "30000 mi" is needed/,
    );
  });

  it('takes what is stated and nothing else', () => {
    const vehicle = { body: 'suv', drive: 'electric' };
    expect(parseVehiJson(JSON.stringify({ vehicle }), 'm').vehicle).toEqual(vehicle);
    expect(parseVehiJson('{}', 'm')).toEqual({ path: 'm', photos: new Map() });
  });

  it.each([
    ['[]', 'top level is a list; an object is needed.'],
    ['{"vehicel":{}}', 'vehicel is not a field. Did you mean vehicle?'],
    ['{"__proto__":{"x":1}}', '__proto__ is not a field.'],
    ['{"vehicle_id":7}', 'vehicle_id is 7; text of 1 to 128 characters is needed.'],
    ['{"vehicle_id":" "}', 'vehicle_id is blank; text is needed.'],
    [
      '{"vehicle_id":"a\\u001b[2J"}',
      'vehicle_id is "a\\u001b[2J"; text without control characters is needed.',
    ],
    ['{"vehicle":{"make":"\\u202ea"}}', 'vehicle.make is "\\u{202e}a"; text without control characters'],
    ['{"vehicle":{"year":"2019"}}', 'vehicle.year is "2019"; a whole number from 1886 to 2100 is needed.'],
    ['{"vehicle":{"mileage_km":-1}}', 'vehicle.mileage_km is -1; a number from 0 to 10000000 is needed.'],
    ['{"vehicle":{"market_value":1e999}}', 'vehicle.market_value is Infinity; a number above 0'],
    [
      '{"vehicle":{"currency":"usd"}}',
      'vehicle.currency is "usd"; a currency of ISO 4217, such as EUR, is needed. Did you mean USD?',
    ],
    ['{"vehicle":{"class":"luxry"}}', 'vehicle.class is "luxry", which is not known. Did you mean luxury?'],
    ['{"vehicle":{"vin":"1M8GDM9AXKP0I2788"}}', 'vehicle.vin has "I", which is in no VIN'],
    ['{"claim":{"loss_date":"2026-02-30"}}', 'claim.loss_date is "2026-02-30"; a day such as 2026-11-02'],
    ['{"photos":"a.jpg"}', 'photos is "a.jpg"; an object is needed.'],
    ['{"photos":{"a.jpg":"front"}}', 'photos["a.jpg"] is "front"; an object is needed.'],
    [
      '{"photos":{"a.jpg":{"angle":"frontleft"}}}',
      'photos["a.jpg"].angle is "frontleft", which is not known. Did you mean front_left?',
    ],
    ['{"photos":{"a.jpg":{"kind":"x"}}}', 'photos["a.jpg"].kind is not a field. One of angle, type.'],
    ['{"photos":[{"angle":"front"}]}', 'photos[0].file is missing.'],
    ['{"photos":[{"file":""}]}', 'photos[0].file has 0 characters; text of at least 1 character is needed.'],
    ['{"photos":[{"file":"./"}]}', 'photos[0].file is "./"; a path relative'],
    ['{"photos":[{"file":"x/../../a.jpg"}]}', 'photos[0].file is'],
    ['{"photos":{"../a.jpg":{}}}', 'photos["../a.jpg"] is "../a.jpg"; a path relative'],
    ['{"photos":[{"file":"/etc/passwd"}]}', 'photos[0].file is "/etc/passwd"'],
    ['{"photos":[{"file":"C:\\\\a.jpg"}]}', 'photos[0].file is'],
    [
      '{"photos":[{"file":"a.jpg"},{"file":"./a.jpg"}]}',
      'photos[1].file is "a.jpg" a second time; each file is needed once.',
    ],
    ['{"vehicel":{},"photos":7}', 'vehicel is not a field. Did you mean vehicle? (and 1 more)'],
  ])('refuses %s', (text, message) => {
    expect(() => parseVehiJson(text, 'car/vehi.json')).toThrow(`car/vehi.json: ${message}`);
  });

  it('says where the text is not JSON, and repeats little of a long value', () => {
    expect(() => parseVehiJson('{', 'm')).toThrow(/^m is not valid JSON: .* \(line 1\)/);
    const text = JSON.stringify({ vehicle_id: 'x'.repeat(100_000) });
    expect(() => parseVehiJson(text, 'm')).toThrow(/^m: vehicle_id has 100000 characters; text of 1 to 128/);
  });
});

it('reads a small file, or undefined where there is none', async () => {
  const folder = makeOwnFolder('images');
  const read = (name: string) => readVehiJson(join(folder, name), name);
  expect(await read('vehi.json')).toBeUndefined();
  await mkdir(join(folder, 'a/vehi.json'), { recursive: true });
  await expect(read('a/vehi.json')).rejects.toMatchObject({ code: 'INVALID_MANIFEST', kind: 'input' });
  await writeFile(join(folder, 'vehi.json'), ' '.repeat(1024 * 1024 + 1));
  await expect(read('vehi.json')).rejects.toThrow(/^vehi.json: found 1048577 bytes; expected at most 1 MB/);
});
