import { expect, it } from 'vitest';
import { createSlotCounter } from '../../../../src/server/work/slot-counter.ts';

it('counts a place until it is cancelled, or counted with the queue after it was submitted', () => {
  const places = createSlotCounter();
  const [first, second] = [places.reserve('a'), places.reserve('a')];
  const other = places.reserve('b');
  expect([places.size, places.countOpen('a'), places.countOpen('b'), places.countOpen('c')]).toEqual([
    3, 2, 1, 0,
  ]);
  const before = places.submitted;
  first.submit();
  other.cancel();
  other.submit();
  expect([places.size, places.countOpen('a'), places.countOpen('b')]).toEqual([2, 1, 0]);
  // That count was begun before the first was submitted.
  places.discountSubmitted(before);
  expect(places.size).toBe(2);
  places.discountSubmitted(places.submitted);
  expect([places.size, places.countOpen('a')]).toEqual([1, 1]);
  // More were counted than are known here: a count never takes away places that are open.
  places.discountSubmitted(7);
  expect([places.size, places.submitted]).toEqual([1, 0]);
  second.submit();
  second.submit();
  expect([places.size, places.countOpen('a')]).toEqual([1, 0]);
});
