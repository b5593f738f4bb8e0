import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { formatJunit } from '../../../../src/report/formats/junit.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { divide } from '../../../helpers/results/two-vehicles.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

const some = exampleInspection({ damages: 12, photos: 6 });
const failed = { ...some, data: { ...some.data, results: null, status: 'failed' as const } };
const vehicleId = 'Ωμέγα <b>&"\'\u0000\u001b[31m \uD800 车';
const photoUrl = (index: number) => `photos/ä ${index}\n<x>&"#?%.jpg`;
const INPUTS: readonly (readonly [string, InspectionEnvelope | null, boolean])[] = [
  ['no damage', exampleInspection({ damages: 0, photos: 4 }), false],
  ['hostile names', exampleInspection({ damages: 3, photos: 3, vehicleId, photoUrl }), false],
  ['a failed inspection', failed, false],
  ['both', some, true],
  ['an assessment alone', null, true],
];

/**
 * A new file with the published schema of Ant's JUnit reports (Windy Road Technology, Apache-2.0), which the package
 * junit-xml carries as a text of its tests. No package on npm has it as a file without bringing a test runner along.
 */
function writeJunitSchema(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('junit-xml/package.json'));
  const source = readFileSync(join(folder, 'src/index.test.ts'), 'utf8');
  const schema = /const antJunitSchema = '([\s\S]*?)';/.exec(source)?.[1];
  if (schema === undefined) throw new Error('junit-xml has no schema in its tests any more');
  const file = join(makeOwnFolder('junit'), 'junit.xsd');
  writeFileSync(file, schema);
  return file;
}

const junitSchema = writeJunitSchema();
const lint = (xml: string) =>
  spawnSync('xmllint', ['--noout', '--schema', junitSchema, '-'], { input: xml, encoding: 'utf8' });
const noXmllint = spawnSync('xmllint', ['--version']).error !== undefined;
const write = (inspection: InspectionEnvelope, failOn: 'none' | 'minor' = 'none') =>
  formatJunit({ inspection, assessment: null }, { failOn });

describe.skipIf(noXmllint)('junit against the schema (skipped where xmllint is not installed)', () => {
  it.each(INPUTS)('%s', (_, inspection, isAssessed) => {
    const assessment = isAssessed ? exampleAssessment(some) : null;
    const { status, stderr } = lint(formatJunit({ inspection, assessment }, { failOn: 'moderate' }));
    expect({ status, stderr: stderr.trim() }).toEqual({ status: 0, stderr: '- validates' });
  });

  it('refuses what the schema refuses', () => {
    expect(lint(write(some).replace('<testsuite ', '<testsuite skipped="1" ')).status).not.toBe(0);
  });
});

test('a suite counts what it lists, and fails nothing without a threshold', () => {
  const xml = write(some, 'minor');
  const count = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(xml)?.[1]);
  expect(count('tests')).toBe(xml.match(/<testcase /g)?.length);
  expect(count('failures')).toBe(xml.match(/<failure /g)?.length);
  expect(count('errors')).toBe(xml.match(/<error /g)?.length);
  expect(write(some)).not.toContain('<failure');
});

test('a photo that shows no vehicle is skipped with the reason, not passed', () => {
  const { data, ...rest } = exampleInspection({ damages: 1, photos: 2 });
  const message = 'no vehicle is recognized in this photo with any certainty';
  const issue = { code: 'no_vehicle', value: 0, limit: 0.1, message, summary: message } as const;
  const images = data.images.map((photo, index) => ({
    ...photo,
    analyzed: true,
    issues: index === 1 ? [issue] : [],
  }));
  const lines = write({ ...rest, data: { ...data, images } }).split('\n');
  const photos = lines.filter((line) => /classname="vehi.photo"(?!.*<error)/.test(line));
  expect(photos.map((line) => /<skipped message="(.*?)"/.exec(line)?.[1])).toEqual([undefined, message]);
});

test('the properties grade no vehicle of which too little is seen', () => {
  const inspection = structuredClone(exampleInspection({ damages: 1, photos: 2 }));
  const list = () => [...write(inspection).matchAll(/<property name="(\w+)"/g)].map(([, name = '']) => name);
  const grade = ['overall_condition', 'condition_score'];
  expect(list()).toEqual(expect.arrayContaining(grade));
  if (inspection.data.results) inspection.data.results.grade_basis.code = 'too_little_seen';
  expect(list().filter((name) => grade.includes(name))).toEqual([]);
});

test('the time of a run stands once, however many vehicles the photos show', () => {
  const inspection = divide(exampleInspection({ damages: 2, photos: 2 }));
  inspection.meta.processing_time = 4.5;
  const times = [...write(inspection).matchAll(/<testsuite .* time="(.*?)"/g)].map(([, time]) => time);
  expect(times).toEqual(['4.500', '0.000']);
});
