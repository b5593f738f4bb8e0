import { expect, it } from 'vitest';
import { describeDamages } from '../../../src/domain/damage-words.ts';
import { listMarks } from '../../../src/report/finding-rows.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

it('a box on a photo has the words of the table', () => {
  const { data } = exampleInspection({ damages: 3, photos: 4 });
  const damages = data.results?.damages ?? [];
  const marks = data.images.flatMap((photo) => listMarks(photo, data));
  expect(marks.length).toBeGreaterThan(0);
  for (const { number, words } of marks) {
    const damage = damages.find((one) => one.number === number);
    expect(damage && describeDamages([{ ...damage, part: damage.location.part }])).toContain(words);
  }
});
