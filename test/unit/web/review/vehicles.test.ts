import { expect, test } from 'vitest';
import type { Decision } from '../../../../src/contract/review.ts';
import { isOneVehicle, moveToVehicle, toggleOneVehicle } from '../../../../src/web/review/decisions.ts';
import { listRows } from '../../../../src/web/review/rows.ts';
import { envelope, finding, ONE, review } from '../../../helpers/results/reviewed-result.ts';

const group = (number: number, ...images: number[]) => ({
  group: number,
  images,
  image_urls: [],
  color: 'red',
});
const TWO_GROUPS = [group(1, 0), group(2, 1)];
const accept: Decision = { decision: 'accept', damage_id: ONE };
const moved: Decision = { decision: 'vehicle', image_index: 1, vehicle: 3 };

test('a photo back where it was found has no decision; a second move replaces the first', () => {
  const once = moveToVehicle([accept], 1, 3, TWO_GROUPS);
  expect(once).toEqual([accept, moved]);
  expect(moveToVehicle(once, 1, 1, TWO_GROUPS)).toEqual([accept, { ...moved, vehicle: 1 }]);
  expect(moveToVehicle(once, 1, 2, TWO_GROUPS)).toEqual([accept]);
  // Where all are one vehicle, the first is home.
  const one: Decision[] = [{ decision: 'one_vehicle' }];
  expect(moveToVehicle(moveToVehicle(one, 1, 2, TWO_GROUPS), 1, 1, TWO_GROUPS)).toEqual(one);
});

test('all on one vehicle takes back every move, and the same again leads to what was found', () => {
  const one = toggleOneVehicle([accept, moved], TWO_GROUPS);
  expect(one).toEqual([accept, { decision: 'one_vehicle' }]);
  expect(isOneVehicle(one)).toBe(true);
  expect(toggleOneVehicle(one, TWO_GROUPS)).toEqual([accept]);
  expect(toggleOneVehicle([accept, moved], [])).toEqual([accept]);
});

test('rows stand by vehicle; a finding seen on two is one on each', () => {
  const { results } = envelope.data;
  if (results === null) throw new Error('the example has results');
  const [evidence] = finding(ONE, 1).evidence;
  if (!evidence) throw new Error('the example has evidence');
  const both = finding(ONE, 1, { evidence: [evidence, { ...evidence, image_index: 1, confidence: 0.5 }] });
  const data = { ...envelope.data, results: { ...results, damages: [both], to_check: [] } };
  const rows = listRows(data, review([]).review, [moved]);
  expect(rows.map(({ key, vehicle, boxes }) => [key, vehicle, boxes.length])).toEqual([
    [ONE, 1, 1],
    [`${ONE}002`, 2, 1],
  ]);
  expect(listRows(data, review([]).review, []).map(({ key }) => key)).toEqual([ONE]);
});
