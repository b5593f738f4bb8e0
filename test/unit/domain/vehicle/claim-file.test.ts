import { expect, test } from 'vitest';
import { type IdentityFacts, mergeClaimFiles } from '../../../../src/domain/vehicle/claim-file.ts';

test('facts of the second file outrank those of the first, and nothing is filed under what is empty', () => {
  const first = { claim: { claim_number: 'C-1', insured: 'Doe' }, vehicle: { make: 'VW' } };
  expect(mergeClaimFiles(first, { claim: { claim_number: 'C-2' } })).toStrictEqual({
    claim: { claim_number: 'C-2', insured: 'Doe' },
    vehicle: { make: 'VW' },
  });
  expect(mergeClaimFiles({}, { claim: {}, vehicle: {} })).toStrictEqual({});
});

test('what is stated afterwards is no longer read in a photo', () => {
  const first = { vehicle: { plate: 'AB123', make: 'Kia', read: ['plate' as const, 'make' as const] } };
  const merged = (vehicle: IdentityFacts) => mergeClaimFiles(first, { vehicle }).vehicle;
  expect(merged({ make: 'Ford' })).toEqual({ plate: 'AB123', make: 'Ford', read: ['plate'] });
  expect(merged({ make: 'Ford', plate: 'X 1' })).toEqual({ plate: 'X 1', make: 'Ford' });
});
