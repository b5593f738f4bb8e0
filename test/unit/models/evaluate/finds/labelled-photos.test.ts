import { expect, it, test } from 'vitest';
import { parseLabelledPhotos } from '../../../../../models/evaluate/finds/labelled-photos.ts';

const parse = (labels: object) => parseLabelledPhotos(JSON.stringify(labels), 'l.json');
const label = { type: 'dent', severity: 'minor', part: 'hood', bbox: [1, 2, 3, 4] };
const one = { file: 'a.jpg', width: 9, height: 9, damages: [label] };
test.each([
  ['a list', [{ ...one, source_folder: 's' }], ['a.jpg', undefined, 's', false]],
  ['a named vehicle', [{ ...one, source_folder: 's', vehicle: 'v' }], ['a.jpg', undefined, 'v', false]],
  ['a walk-around', { photos: [{ ...one, folder: 'f', car: 'A' }] }, ['f/a.jpg', 'f A', 'f A', false]],
  ['a clean photo', [{ ...one, damages: [] }], ['a.jpg', undefined, 'a.jpg', true]],
])('reads %s', (_, labels, [file, vehicle, group, clean]) =>
  expect(parse(labels)).toMatchObject([{ file, vehicle, group, clean }]),
);

it('takes a label for sure unless it says otherwise', () => {
  const [photo] = parse([{ ...one, damages: [label, { ...label, sure: false }] }]);
  expect(photo?.damages).toMatchObject([{ sure: true }, { sure: false }]);
});

test.each([
  ['[0].damages[0].type', { damages: [{ ...label, type: 'hole' }] }],
  // Which would leave the folder.
  ['[0].file', { file: '../a.jpg' }],
])('names %s when it is wrong', (place, change) => {
  expect(() => parse([{ ...one, ...change }])).toThrow(place);
});
