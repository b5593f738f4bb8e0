import { expect, test } from 'vitest';
import type { AssessmentRequest } from '../../../../src/contract/assessment/request.ts';
import { readSupplementTo, toEarlierEstimate } from '../../../../src/engine/assess/read.ts';
import { findRequestFaults } from '../../../../src/engine/assess/rules.ts';

const EARLIER = {
  version: 'S01',
  created_at: '2026-01-31T12:00:00.000Z',
  net_total: 1234.56,
  gross_total: 1469.13,
  currency: 'EUR',
  lines: [{ line_id: 'hood/rpr', operation: 'Rpr', part: 'hood', hours: 2.5, amount: 150.25 }],
} as const;

test('an earlier version is read in tenths of hours and minor units', () => {
  const read = readSupplementTo(EARLIER as unknown as Parameters<typeof readSupplementTo>[0]);
  expect(toEarlierEstimate(read, 'EUR')).toEqual({
    version: 'S01',
    netMinor: 123_456,
    grossMinor: 146_913,
    lines: [{ id: 'hood/rpr', operation: 'Rpr', part: 'hood', hoursTenths: 25, amountMinor: 15_025 }],
  });
  expect(() => toEarlierEstimate(read, 'USD')).toThrow('supplement_to is in EUR, this estimate in USD.');
});

test.each([
  [undefined, 0],
  ['E01', 0],
  ['S98', 0],
  ['S99', 1],
])('after %s there are %d faults', (version, faults) => {
  const earlier = version && ({ ...EARLIER, version } as unknown as Parameters<typeof readSupplementTo>[0]);
  const request = { vehicle_id: 'v', damages: [], ...(earlier && { supplement_to: earlier }) };
  expect(findRequestFaults(request as AssessmentRequest)).toHaveLength(faults);
});
