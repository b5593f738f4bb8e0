import { expect, it } from 'vitest';
import { createFlights } from '../../../../src/server/webhooks/flights.ts';

it('lets four at once fly to an endpoint, sixteen for an account, and each message once', () => {
  const flights = createFlights();
  const to = (endpoint: number, accountId = 'acc_1') => ({ id: `whe_${endpoint}`, accountId });
  const begin = (id: string, endpoint: number) => flights.begin(id, to(endpoint));
  const landFirst = begin('first', 0);
  expect([landFirst, begin('first', 1)]).toEqual([expect.any(Function), undefined]);
  for (let i = 0; i < 3; i++) expect(begin(`a${i}`, 0)).toBeDefined();
  expect(begin('one too many', 0)).toBeUndefined();
  landFirst?.();
  expect(begin('first', 0)).toBeDefined();
  for (let i = 0; i < 12; i++) expect(begin(`b${i}`, 1 + (i % 3))).toBeDefined();
  expect(begin('too many of the account', 9)).toBeUndefined();
  expect(flights.begin('of another account', to(9, 'acc_2'))).toBeDefined();
});
