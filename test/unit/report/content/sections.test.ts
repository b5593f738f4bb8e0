import { describe, expect, it, test } from 'vitest';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import type { PartName } from '../../../../src/domain/parts.ts';
import { writeDamages } from '../../../../src/report/content/damages.ts';
import { writeDecision, writeFirstPage } from '../../../../src/report/content/first-page.ts';
import { writePhotoCaption } from '../../../../src/report/content/photos.ts';
import { listReportSections } from '../../../../src/report/content/report.ts';
import { listDamageRows, listToCheckRows } from '../../../../src/report/finding-rows.ts';
import { listFigures } from '../../../../src/report/headline.ts';
import { NO_PICTURES } from '../../../../src/report/pictures.ts';
import { listPartMarks, type PartMark } from '../../../../src/report/plan/plan.ts';
import { explainPlan } from '../../../../src/report/plan/plan-words.ts';
import { english } from '../../../../src/report/translator.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { type ExampleShape, exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { divide } from '../../../helpers/results/two-vehicles.ts';

const noParts = { marks: new Map(), unseen: new Set<PartName>() };
const makeInput = () => ({ inspection: exampleInspection({ damages: 2, photos: 2 }), assessment: null });

test.each([
  [0, 'worst'],
  [2, 'thumbnails'],
])('with %i damages the places to check are shown as large as %s, without a price', (damages, size) => {
  const inspection = exampleInspection({ damages, toCheck: 2, photos: 2 });
  const finds = inspection.data.results?.to_check ?? [];
  const picture = { jpeg: new Uint8Array(), width: 1, height: 1 };
  const closeUp = { picture, region: { x: 0, y: 0, width: 1, height: 1 } };
  const closeUps = new Map(finds.map(({ damage_id: id }) => [id, closeUp]));
  const { blocks } = writeFirstPage({ inspection, assessment: null }, { ...NO_PICTURES, closeUps }, english);
  expect(blocks.find((one) => one.kind === 'pictures')).toMatchObject({ size, pictures: [{}, {}] });
  const table = blocks.flatMap((one) => (one.kind === 'beside_plan' ? one.blocks : [])).at(-1);
  const cells = table?.kind === 'table' ? table.rows.at(-1)?.cells : [];
  expect(String(cells?.at(-1)).includes('$')).toBe(damages > 0);
});

describe('what score, cost and drawing leave out', () => {
  it('explains the question mark where a place is to check', () => {
    const input = { inspection: exampleInspection({ toCheck: 1 }), assessment: null };
    expect(explainPlan(listToCheckRows(input), noParts)).toEqual([
      expect.stringMatching(/^A number with a question mark/),
    ]);
    expect(explainPlan([], noParts)).toEqual([]);
  });

  it('names damaged parts that are not drawn, with the numbers of their damages', () => {
    const mark: PartMark = { severity: 'minor', numbers: [2], toCheck: [5] };
    const marks = new Map([['brake_system', mark] as const]);
    expect(explainPlan(listDamageRows(makeInput()), { ...noParts, marks })).toEqual([
      'Not on the plan: Brake system (no. 2, 5?).',
    ]);
  });

  it.each([
    ['part', true],
    ['side', false],
  ] as const)('a find whose %s is open is on the plan: %s; else a note names it', (uncertain, drawn) => {
    const input = makeInput();
    const [first = expect.fail()] = input.inspection.data.results?.damages ?? [];
    first.location.uncertain = uncertain;
    const rows = listDamageRows(input);
    expect(listPartMarks(rows).get(first.location.part)?.numbers.includes(first.number) ?? false).toBe(drawn);
    const note = `Not on the plan: no. ${first.number}; the close-up leaves open where on the vehicle it is.`;
    expect(explainPlan(rows, { ...noParts, marks: listPartMarks(rows) })).toEqual(drawn ? [] : [note]);
  });
});

const priced = exampleInspection({ damages: 2, photos: 4 });
const clean = exampleInspection({ damages: 0, photos: 4 });
const open = exampleInspection({ damages: 0, photos: 4, toCheck: 2 });
const failure = { code: 'NO_VEHICLE', message: 'No photo shows a vehicle.' };
const failed: InspectionEnvelope = {
  ...clean,
  data: { ...clean.data, status: 'failed', results: null, failure },
};
const several = divide(exampleInspection({ damages: 2, photos: 4 }));
const REPAIR = ['Repair as estimated', 'Repair with changes', 'Total loss'];
const NO_ESTIMATE = ['No repair', 'Repair, see remarks', 'Total loss'];

test.each([
  ['a repair is priced', priced, null, REPAIR],
  ['nothing is found', clean, null, NO_ESTIMATE],
  ['all is to check', open, null, NO_ESTIMATE],
  ['the photos show two vehicles', several, null, []],
  ['the inspection failed', failed, null, []],
  ['it failed, and somebody listed the damages', failed, exampleAssessment(priced), REPAIR],
  ['there is an assessment only', null, exampleAssessment(priced), REPAIR],
])('the decision offers only what can be decided: %s', (_, inspection, assessment, outcomes) => {
  expect(writeDecision({ inspection, assessment }, english).blocks).toMatchObject([
    { kind: 'form', boxes: [...outcomes, 'More photos needed', 'Rejected'] },
  ]);
});

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

const [photo = expect.fail()] = exampleInspection({ photos: 1 }).data.images;
const long = `${'a'.repeat(30)}${'b'.repeat(30)}.jpg`;

test.each([
  ['a name of 44 characters as it is', `${'a'.repeat(40)}.jpg`, `${'a'.repeat(40)}.jpg`],
  ['a longer name without its middle', long, `${'a'.repeat(21)}…${'b'.repeat(18)}.jpg`],
])('a caption has %s', (_, url, name) => {
  expect(writePhotoCaption({ ...photo, url, angle: null }, [])).toBe(`Photo 1: ${name}`);
  expect(writePhotoCaption({ ...photo, index: 4, url, angle: 'left_side' }, [])).toBe(
    `Photo 5: ${name}, left side`,
  );
});

test('a report names two photos of one name with their folders', () => {
  const { data, ...rest } = exampleInspection({ photos: 2, damages: 1 });
  const [one] = data.images;
  if (!one || !data.results) throw new Error('the example has photos and results');
  const issue = { code: 'blur', message: 'blurred', value: 1, limit: 2 } as const;
  const images = ['a/IMG.jpg', 'b/IMG.jpg'].map((url, index) => {
    return { ...(data.images[index] ?? one), url, index, issues: index === 0 ? [issue] : [] };
  });
  const rejected = data.rejected_images.map((one) => ({ ...one, url: 'c/IMG.jpg' }));
  const results = { ...data.results, not_assessed: [{ code: 'part', what: 'b/IMG.jpg', reason: 'dark' }] };
  const shown = { ...data, images, rejected_images: rejected, results };
  const input = { inspection: { ...rest, data: shown }, assessment: null } as never;
  const said = JSON.stringify(listReportSections(input, NO_PICTURES, new Date(0), english));
  expect(said.match(/[abc]\/IMG\.jpg/g)?.length).toBeGreaterThan(6);
  expect(said.match(/(?<![abc]\/)IMG\.jpg/g)).toBeNull();
});
