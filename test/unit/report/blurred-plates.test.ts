import { describe, expect, it } from 'vitest';
import type { VisualInspection } from '../../../src/contract/inspection.ts';
import { describeRedaction, hideReadPlate, listCoveredFindings } from '../../../src/report/blurred-plates.ts';
import { writeIn } from '../../../src/report/languages.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

type PlateBox = readonly [x: number, y: number, width: number, height: number];

/** An inspection of one damage, with a plate in its photo. */
function withPlate(
  place: (box: { x: number; y: number; width: number; height: number }) => PlateBox,
): VisualInspection {
  const { data } = exampleInspection({ photos: 1, damages: 1 });
  const box = data.results?.damages[0]?.evidence[0]?.coordinates ?? { x: 0, y: 0, width: 1, height: 1 };
  const [x, y, width, height] = place(box);
  const corners = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return {
    ...data,
    images: data.images.map((photo) => ({ ...photo, plates: [{ corners, confidence: 0.9 }] })),
  };
}

describe('a blurred plate', () => {
  const over = withPlate(({ x, y, width, height }) => [x, y, Math.ceil(width / 2), height]);
  const apart = withPlate(({ x, y, width }) => [x + width + 5, y, 60, 20]);

  it('names the finding it covers', () => {
    const number = over.results?.damages[0]?.number;
    expect(listCoveredFindings(over.images[0] as VisualInspection['images'][number], over)).toEqual([number]);
    expect(describeRedaction([over])).toContain(`A blurred plate covers part of number ${number}.`);
    const both = describeRedaction([over, over]) ?? '';
    expect(both).toContain(`part of number B${number}. A blurred plate covers part of number ${number}.`);
    expect(writeIn('de').stored(both)).toContain(`verdeckt einen Teil von Nummer B${number}.`);
  });

  it('names none apart from it', () => {
    expect(describeRedaction([apart])).not.toContain('covers');
    expect(describeRedaction([apart])).toContain('The model misses some plates');
  });

  it('is not said of photos that were not searched', () => {
    expect(describeRedaction([exampleInspection({ photos: 1, damages: 1 }).data])).toBeUndefined();
  });
});

describe('a plate that was read', () => {
  const inspection = exampleInspection({ photos: 1 });
  const withVehicle = (vehicle: object) => ({ ...inspection, data: { ...inspection.data, vehicle } });

  it.each([
    ['goes', { plate: 'AB123', vin: 'V', read: ['plate', 'vin'] }, { vin: 'V', read: ['vin'] }],
    [
      'that was stated stays',
      { plate: 'AB 123', vin: 'V', read: ['vin'] },
      { plate: 'AB 123', vin: 'V', read: ['vin'] },
    ],
  ])('%s where pictures blur plates', (_, vehicle, left) => {
    expect(hideReadPlate(withVehicle(vehicle)).data.vehicle).toEqual(left);
  });
});
