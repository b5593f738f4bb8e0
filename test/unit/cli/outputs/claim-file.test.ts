import { expect, test } from 'vitest';
import { pickVehicleFacts } from '../../../../src/cli/outputs/claim-file.ts';

test.each([
  ['US_TEXAS', 'mi'],
  ['EU_UK', 'mi'],
  ['EU_GERMANY', 'km'],
  ['DUKE_AUTO', 'km'],
])('an odometer without a unit is read in %s as %s', (region, unit) => {
  expect(pickVehicleFacts({ odometer: { value: 48_210 } }, region).odometer).toEqual({ value: 48_210, unit });
});
