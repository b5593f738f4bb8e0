import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { RequestedVehicleSchema, VehicleSchema } from '../../../src/contract/claim.ts';
import { ERROR_CODES } from '../../../src/contract/errors.ts';
import { CLAIM_FIELDS, MAX_ODOMETER } from '../../../src/domain/vehicle/claim-file.ts';
import { EQUIPMENT_FACTS } from '../../../src/domain/vehicle/vehicle.ts';
import { parseVehiJson } from '../../../src/images/find/vehi-json-file.ts';
import { fits } from '../../../src/lib/check.ts';
import { readDocument } from '../../helpers/documents.ts';
import { assessed } from '../../helpers/pricing/assessments.ts';

const CONTRACT = resolve(import.meta.dirname, '../../../src/contract');
/** Fields of a vehicle and of a claim, which requests, results and `vehi.json` have alike. */
const SHARED: readonly string[] = [
  ...['make', 'model', 'year', 'mileage_km', 'market_value', 'vin', 'plate', 'paint_code', 'class', 'paint'],
  // An estimate has a list of `panels`.
  ...EQUIPMENT_FACTS.filter((name) => name !== 'panels'),
  ...CLAIM_FIELDS,
];
const BOUNDS = ['type', 'enum', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum'];

type Schema = Readonly<Record<string, unknown>> & { readonly properties?: Readonly<Record<string, Schema>> };

/** Lists the fields below a schema with what is judged of each. */
function* listFields(schema: unknown): Generator<readonly [name: string, bounds: string]> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, one] of Object.entries((schema as Schema).properties ?? {}))
    yield [name, JSON.stringify(BOUNDS.map((bound) => one[bound]))];
  for (const inner of Object.values(schema)) yield* listFields(inner);
}

it('a field of a vehicle or a claim has the same limits wherever it stands', async () => {
  const files = readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const limits = new Map<string, Set<string>>(SHARED.map((name) => [name, new Set()]));
  for (const file of files)
    for (const schema of Object.values(await import(resolve(CONTRACT, file))))
      for (const [name, bounds] of listFields(schema)) limits.get(name)?.add(bounds);
  expect([...limits].filter(([, found]) => found.size !== 1)).toEqual([]);
});

it('the page of decisions names every error code that is not of the contract itself', () => {
  const page = readDocument('docs/contract.md');
  expect(ERROR_CODES.slice(7).filter((code) => !page.includes(code))).toEqual([]);
});

it.each([
  [MAX_ODOMETER, true],
  [MAX_ODOMETER + 1, false],
])('an odometer that reads %d is one in a request and in vehi.json: %s', (value, isOne) => {
  const odometer = { value, unit: 'km' };
  expect(fits(RequestedVehicleSchema, { odometer })).toBe(isOne);
  const read = () => parseVehiJson(JSON.stringify({ vehicle: { odometer } }), 'vehi.json');
  if (isOne) expect(read().vehicle?.odometer).toEqual(odometer);
  else expect(read).toThrow('vehicle.odometer');
});

it('an odometer in miles is answered with a mileage that a request may state', () => {
  const damages = [{ damage_id: 'a', type: 'dent', location: 'hood' }];
  const odometer = { value: MAX_ODOMETER, unit: 'mi' };
  const { vehicle } = assessed({ damages, vehicle: { odometer } }).data;
  expect([vehicle?.mileage_km, fits(VehicleSchema, vehicle ?? {})]).toEqual([MAX_ODOMETER, true]);
});
