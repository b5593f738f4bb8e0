import { describe, expect, it, test } from 'vitest';
import { parseLabelledPhotos } from '../../../../../models/evaluate/finds/labelled-photos.ts';

describe('parseLabelledPhotos', () => {
  const label = { type: 'dent', severity: 'minor', part: 'hood', bbox: [1, 2, 3, 4] };
  const one = { file: 'a.jpg', width: 9, height: 9, damages: [label] };
  test.each([
    [
      'a list',
      [{ ...one, source_folder: 's' }],
      { file: 'a.jpg', vehicle: undefined, group: 's', clean: false },
    ],
    ['a named vehicle', [{ ...one, source_folder: 's', vehicle: 'v' }], { vehicle: undefined, group: 'v' }],
    [
      'a walk-around',
      { photos: [{ ...one, folder: 'f', car: 'A' }] },
      { file: 'f/a.jpg', vehicle: 'f A', group: 'f A' },
    ],
    ['a clean photo', [{ ...one, damages: [] }], { clean: true, group: 'a.jpg' }],
  ])('reads %s', (_, file, wanted) =>
    expect(parseLabelledPhotos(JSON.stringify(file), 'l.json')[0]).toMatchObject(wanted),
  );

  it('takes a label for sure unless it says otherwise', () => {
    const file = [{ ...one, damages: [label, { ...label, sure: false }] }];
    expect(parseLabelledPhotos(JSON.stringify(file), 'l.json')[0]?.damages.map(({ sure }) => sure)).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    ['a type', { type: 'hole' }, '[0].damages[0].type'],
    ['a severity', { severity: 'bad' }, 'severity'],
    ['a box', { bbox: [1, 2, 3] }, 'bbox'],
    ['a box of five sides', { bbox: [1, 2, 3, 4, 5] }, 'bbox'],
    ['a certainty', { sure: 'yes' }, 'sure'],
  ])('names %s that is wrong', (_, change, place) => {
    const file = [{ ...one, damages: [{ ...label, ...change }] }];
    expect(() => parseLabelledPhotos(JSON.stringify(file), 'l.json')).toThrow(place);
  });

  it('does not leave the folder', () => {
    expect(() => parseLabelledPhotos(JSON.stringify([{ ...one, file: '../a.jpg' }]), 'l.json')).toThrow(
      'file',
    );
  });
});
