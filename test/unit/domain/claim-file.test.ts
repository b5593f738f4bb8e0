import { expect, test } from 'vitest';
import { mergeClaimFiles } from '../../../src/domain/claim-file.ts';

test('facts of the second file outrank those of the first, and nothing is filed under what is empty', () => {
  const first = { claim: { claim_number: 'C-1', insured: 'Doe' }, vehicle: { make: 'VW' } };
  expect(mergeClaimFiles(first, { claim: { claim_number: 'C-2' } })).toStrictEqual({
    claim: { claim_number: 'C-2', insured: 'Doe' },
    vehicle: { make: 'VW' },
  });
  expect(mergeClaimFiles({}, { claim: {}, vehicle: {} })).toStrictEqual({});
});
