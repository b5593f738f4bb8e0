import { expect, test } from 'vitest';
import { computeCoverage } from '../../../../src/domain/grading/vehicle-coverage.ts';
import { createGrounds } from '../../../../src/engine/inspect/grounds.ts';
import { toCheckOf } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

test.each([
  [undefined, 'trunk_lid', 'the trunk lid / tailgate, 0.6 m: '],
  ['part', 'quarter_panel_right', 'the right quarter panel, 0.6 m: '],
  ['side', 'quarter_panel_right', 'the quarter panel of no. 1, 0.6 m: '],
] as const)(
  'where the photos leave open %s, the close-up of %s is asked for by what is known',
  (uncertain, part, words) => {
    const { data } = exampleInspection({ damages: 1 });
    const [damage] = data.results?.damages ?? [];
    if (!damage) throw new Error('the example has no damage');
    const location = { ...damage.location, part, ...(uncertain && { uncertain }) };
    const place = toCheckOf({ ...damage, location }, 1);
    const { nextPhotos } = createGrounds(computeCoverage([]), [place], data.images);
    const asked = nextPhotos.find((one) => one.code === 'place_to_check');
    expect(asked).toMatchObject({ parts: [part], message: expect.stringContaining(words) });
  },
);
