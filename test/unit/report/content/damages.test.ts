import { expect, it } from 'vitest';
import { writeDamages } from '../../../../src/report/content/damages.ts';
import { listReportSections } from '../../../../src/report/content/report.ts';
import { listDamageRows } from '../../../../src/report/finding-rows.ts';
import { listFigures } from '../../../../src/report/headline.ts';
import { NO_PICTURES } from '../../../../src/report/pictures.ts';
import { english } from '../../../../src/report/translator.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { type ExampleShape, exampleInspection } from '../../../helpers/results/example-inspection.ts';

const damage = { damage_id: 'd', type: 'dent', location: 'hood', severity: 'severe' };
const input = (more: object) => ({
  inspection: null,
  assessment: assessed({ damages: [{ ...damage, ...more }] }),
});
/** Lists the ids of the sections of a report that say something. */
const whereSaid = (shape: ExampleShape, words: RegExp) =>
  listReportSections(
    { inspection: exampleInspection(shape), assessment: null },
    NO_PICTURES,
    new Date(0),
    english,
  )
    .filter(({ blocks }) => words.test(JSON.stringify(blocks)))
    .map(({ id }) => id);

it.each([
  [{ measurements: { length: 30, unit: 'cm' } }, '30\u00A0cm'],
  [{}, '–'],
])('an assessment of %j shows the size that was stated', (more, said) => {
  const result = input(more);
  const [block] = writeDamages(result, listDamageRows(result), english)?.blocks ?? [];
  expect(block).toMatchObject({ rows: [{ cells: expect.arrayContaining([said]) }] });
});

it.each([0, 2])('without damages and with %i places to check, the first page alone says so', (toCheck) => {
  const shape = { damages: 0, photos: 4, toCheck };
  expect(whereSaid(shape, /No damage (was )?(found|confirmed)/)).toEqual(['first']);
});

it('the price of an assessment is that of the whole job, and how far it may go', () => {
  expect(listFigures(input({}))[0]).toMatchObject({
    label: 'Repair',
    value: expect.stringMatching(/^about \$[\d,]+$/),
    note: expect.stringMatching(/^\$[\d,]+ with tax; up to \$[\d,]+/),
  });
});

it.each([2, 0])('of %i damages, what prices include stands with the method alone', (damages) => {
  expect(whereSaid({ damages, photos: 4, toCheck: 2 }, /Without tax\./)).toEqual(['method']);
});
