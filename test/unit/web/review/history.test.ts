import { expect, test } from 'vitest';
import { record, returnTo, startHistory } from '../../../../src/web/review/history.ts';

const [KEPT, REFUSED, LATER] = [['kept'], ['refused'], ['later']];

test('a refused value goes with what came after it; what came before can be undone still', () => {
  const before = record(startHistory<readonly string[]>([]), KEPT);
  const refused = record(record(before, REFUSED), LATER);
  expect(returnTo(refused, KEPT)).toEqual(before);
  expect(returnTo(refused, ['never seen'])).toEqual(startHistory(['never seen']));
});
