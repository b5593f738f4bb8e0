import { describe, expect, it } from 'vitest';
import type { VisualInspection } from '../../../src/contract/inspection.ts';
import type { Box } from '../../../src/domain/geometry.ts';
import { describeRedaction, hideReadPlate, listCoveredFindings } from '../../../src/report/blurred-plates.ts';
import { writeIn } from '../../../src/report/languages.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

/** An inspection of one damage, with a plate in its photo. */
function withPlate(place: (damage: Box) => Box): VisualInspection {
  const { data } = exampleInspection({ photos: 1, damages: 1 });
  const box = data.results?.damages[0]?.evidence[0]?.coordinates ?? { x: 0, y: 0, width: 1, height: 1 };
  const { x, y, width, height } = place(box);
  const [right, bottom] = [x + width, y + height];
  const corners = [x, y, right, y, right, bottom, x, bottom];
  const plates = [{ corners: [0, 2, 4, 6].map((at) => corners.slice(at, at + 2)), confidence: 0.9 }];
  return { ...data, images: data.images.map((photo) => ({ ...photo, plates })) };
}

describe('a blurred plate', () => {
  const over = withPlate((box) => ({ ...box, width: Math.ceil(box.width / 2) }));
  const apart = withPlate(({ x, y, width }) => ({ x: x + width + 5, y, width: 60, height: 20 }));

  it('names the finding it covers', () => {
    const number = over.results?.damages[0]?.number;
    expect(listCoveredFindings(over.images[0] as VisualInspection['images'][number], over)).toEqual([number]);
    expect(describeRedaction([over])).toContain(`A blurred plate covers part of number ${number}.`);
    const both = describeRedaction([over, over]) ?? '';
    expect(both).toContain(`part of number B${number}. A blurred plate covers part of number ${number}.`);
    expect(writeIn('de').stored(both)).toContain(`verdeckt einen Teil von Nummer B${number}.`);
  });

  it('names none apart from it, and is not said of photos that were not searched', () => {
    expect(describeRedaction([apart])).toMatch(/The model misses some plates(?!.*covers)/);
    expect(describeRedaction([exampleInspection({ photos: 1, damages: 1 }).data])).toBeUndefined();
  });
});

describe('a plate that was read', () => {
  const inspection = exampleInspection({ photos: 1 });
  const withVehicle = (vehicle: object) => ({ ...inspection, data: { ...inspection.data, vehicle } });

  it.each([
    ['goes', { plate: 'AB123', vin: 'V', read: ['plate', 'vin'] }, { vin: 'V', read: ['vin'] }],
    ['that was stated stays', { plate: 'AB 123', read: ['vin'] }, { plate: 'AB 123', read: ['vin'] }],
  ])('%s where pictures blur plates', (_, vehicle, left) => {
    expect(hideReadPlate(withVehicle(vehicle)).data.vehicle).toEqual(left);
  });
});
