import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../src/contract/result.ts';
import { FORMATTERS } from '../../../helpers/reports/formatters.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { writeJunitSchema } from './junit-schema.ts';

const some = exampleInspection({ damages: 12, photos: 6 });
const failed = {
  ...structuredClone(some),
  data: { ...structuredClone(some.data), results: null, status: 'failed' as const },
};
const INPUTS: readonly (readonly [string, Result])[] = [
  ['no damage', { inspection: exampleInspection({ damages: 0, photos: 4 }), assessment: null }],
  ['one damage, one photo', { inspection: exampleInspection({ damages: 1, photos: 1 }), assessment: null }],
  ['twelve damages', { inspection: some, assessment: null }],
  [
    'a hundred damages, fifty photos',
    { inspection: exampleInspection({ damages: 100, photos: 50 }), assessment: null },
  ],
  [
    'hostile names',
    {
      inspection: exampleInspection({
        damages: 3,
        photos: 3,
        vehicleId: 'Ωμέγα <b>&"\'\u0000\u001b[31m \uD800 车',
        photoUrl: (index) => `photos/ä ${index}\n<x>&"#?%.jpg`,
      }),
      assessment: null,
    },
  ],
  ['a failed inspection', { inspection: failed, assessment: null }],
  ['both', { inspection: some, assessment: exampleAssessment(some) }],
  ['an assessment alone', { inspection: null, assessment: exampleAssessment(some) }],
];

const junitSchema = writeJunitSchema();
const lint = (xml: string) =>
  spawnSync('xmllint', ['--noout', '--schema', junitSchema, '-'], { input: xml, encoding: 'utf8' });
const noXmllint = spawnSync('xmllint', ['--version']).error !== undefined;

describe.skipIf(noXmllint)('junit against the schema (skipped where xmllint is not installed)', () => {
  it.each(INPUTS)('%s', (_, input) => {
    const { status, stderr } = lint(FORMATTERS.junit(input, { failOn: 'moderate' }));
    expect({ status, stderr: stderr.trim() }).toEqual({ status: 0, stderr: '- validates' });
  });

  it('refuses what the schema refuses', () => {
    const xml = FORMATTERS.junit({ inspection: some, assessment: null }, { failOn: 'none' });
    expect(lint(xml.replace('<testsuite ', '<testsuite skipped="1" ')).status).not.toBe(0);
  });

  it('counts what it lists', () => {
    const xml = FORMATTERS.junit({ inspection: some, assessment: null }, { failOn: 'minor' });
    const count = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(xml)?.[1]);
    expect(count('tests')).toBe(xml.match(/<testcase /g)?.length);
    expect(count('failures')).toBe(xml.match(/<failure /g)?.length);
    expect(count('errors')).toBe(xml.match(/<error /g)?.length);
  });

  it('never fails a photo without a threshold', () => {
    expect(FORMATTERS.junit({ inspection: some, assessment: null }, { failOn: 'none' })).not.toContain(
      '<failure',
    );
  });
});
