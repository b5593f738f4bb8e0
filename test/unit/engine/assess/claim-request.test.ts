import { expect, test } from 'vitest';
import type { AssessmentRequest } from '../../../../src/contract/assessment/request.ts';
import { readRequestClaim } from '../../../../src/engine/assess/read.ts';

const VIN = '1HGCM82633A004352';
const NAMED = { vehicle_id: 'v', damages: [] };

test.each([
  ['nothing', {}, {}],
  ['only what prices follow from', { vehicle: { make: 'VW', class: 'suv' } }, {}],
  ['a claim', { claim: { claim_number: 'C-1' } }, { claim: { claim_number: 'C-1' } }],
  ['an empty claim', { claim: {} }, {}],
  ['a VIN, which is checked', { vehicle: { vin: VIN } }, { vehicle: { vin: VIN, vin_check_digit: 'right' } }],
  [
    'plate, paint code and odometer',
    { vehicle: { plate: 'AB-1', paint_code: 'LC9Z', odometer: { value: 48_210, unit: 'km' } } },
    { vehicle: { plate: 'AB-1', paint_code: 'LC9Z', odometer: { value: 48_210, unit: 'km' } } },
  ],
] as const)('a request is filed under %s', (_, given, wanted) => {
  expect(readRequestClaim({ ...NAMED, ...given } as unknown as AssessmentRequest)).toStrictEqual(wanted);
});
