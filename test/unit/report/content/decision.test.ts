import { expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { writeDecisionForm } from '../../../../src/report/content/decision.ts';
import { renderHtml } from '../../../../src/report/html/html-report.ts';
import { NO_PICTURES } from '../../../../src/report/pictures.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const priced = exampleInspection({ damages: 2, photos: 4 });
const clean = exampleInspection({ damages: 0, photos: 4 });
const open = exampleInspection({ damages: 0, photos: 4, toCheck: 2 });
const failed: InspectionEnvelope = {
  ...clean,
  data: {
    ...clean.data,
    status: 'failed',
    results: null,
    failure: { code: 'NO_VEHICLE', message: 'No photo shows a vehicle.' },
  },
};
const mixed = exampleInspection({ damages: 2, photos: 4 });
if (mixed.data.results) mixed.data.results.grade_basis.vehicles = 2;
const REPAIR = ['Repair as estimated', 'Repair with changes', 'Total loss'];
const NO_ESTIMATE = ['No repair', 'Repair, see remarks', 'Total loss'];

test.each([
  ['a repair is priced', { inspection: priced, assessment: null }, REPAIR],
  ['nothing is found', { inspection: clean, assessment: null }, NO_ESTIMATE],
  ['all is to check', { inspection: open, assessment: null }, NO_ESTIMATE],
  ['the photos show two vehicles', { inspection: mixed, assessment: null }, []],
  ['the inspection failed', { inspection: failed, assessment: null }, []],
  [
    'it failed, and somebody listed the damages',
    { inspection: failed, assessment: exampleAssessment(priced) },
    REPAIR,
  ],
  ['there is an assessment only', { inspection: null, assessment: exampleAssessment(priced) }, REPAIR],
])('the decision offers only what can be decided: %s', (_, input, outcomes) => {
  expect(writeDecisionForm(input).boxes).toEqual([...outcomes, 'More photos needed', 'Rejected']);
});

test('an inspection that failed offers no estimate to sign', () => {
  const page = renderHtml({ inspection: failed, assessment: null }, NO_PICTURES, {
    generatedAt: new Date(0),
  });
  expect(page).toContain('More photos needed');
  expect(page).not.toMatch(/as estimated|Total loss/);
});
