import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseVehiJson, readVehiJson } from '../../../../src/images/find/vehi-json-file.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

it.each([
  ['by name', '{"photos":{"a.jpg":{"angle":"top"}}}', 'a.jpg'],
  ['as a list', '\uFEFF{"photos":[{"file":"./a.jpg","angle":"top"}]}', 'a.jpg'],
  ['in either spelling of accents', '{"photos":{"gro\u0308\u00dfe":{"angle":"top"}}}', 'gr\u00f6\u00dfe'],
])('takes photos %s', (_, text, name) => {
  expect(parseVehiJson(text, 'm').photos).toEqual(new Map([[name, { angle: 'top' }]]));
});

it.each([
  ['4821.125', { value: 4821.125 }],
  ['"48,210 km"', { value: 48_210, unit: 'km' }],
  ['"48\u202f210 km"', { value: 48_210, unit: 'km' }],
  ['"48’210"', { value: 48_210 }],
  ['"1.048.210"', { value: 1_048_210 }],
  ['"48210.375 km"', { value: 48_210.375, unit: 'km' }],
  ['"30000 mi"', { value: 30_000, unit: 'mi' }],
  ['{ "value": 48210, "unit": "km" }', { value: 48_210, unit: 'km' }],
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
  ['{"__proto__":{"x":1}}', '__proto__ is not a field.'],
  ['{"vehicle_id":" "}', 'vehicle_id is blank; text is needed.'],
  ['{"vehicle_id":"a\\u001b[2J"}', 'vehicle_id is "a\\u001b[2J"; text without control characters is needed.'],
  [
    '{"vehicle":{"currency":"usd"}}',
    'vehicle.currency is "usd"; a currency of ISO 4217, such as EUR, is needed. Did you mean USD?',
  ],
  ['{"vehicle":{"vin":"1M8GDM9AXKP0I2788"}}', 'vehicle.vin has "I", which is in no VIN'],
  ['{"claim":{"loss_date":"2026-02-30"}}', 'claim.loss_date is "2026-02-30"; a day such as 2026-11-02'],
  ['{"photos":"a.jpg"}', 'photos is "a.jpg"; an object is needed.'],
  ['{"photos":{"a.jpg":"front"}}', 'photos["a.jpg"] is "front"; an object is needed.'],
  [
    '{"photos":{"a.jpg":{"angle":"frontleft"}}}',
    'photos["a.jpg"].angle is "frontleft", which is not known. Did you mean front_left?',
  ],
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

it('reads a small file, or undefined where there is none', async () => {
  const folder = makeOwnFolder('images');
  const read = (name: string) => readVehiJson(join(folder, name), name);
  expect(await read('vehi.json')).toBeUndefined();
  await mkdir(join(folder, 'a/vehi.json'), { recursive: true });
  await expect(read('a/vehi.json')).rejects.toMatchObject({ code: 'INVALID_MANIFEST', kind: 'input' });
  await writeFile(join(folder, 'vehi.json'), ' '.repeat(1024 * 1024 + 1));
  await expect(read('vehi.json')).rejects.toThrow(/^vehi.json: found 1048577 bytes; expected at most 1 MB/);
});
