import type { Photo, RejectedImage } from '../../contract/inspection.ts';
import { type DamageRow, damageRows, type ReportInput, vehicleIdOf } from '../input.ts';
import { sentenceOf } from '../sentence.ts';
import { type FormatOptions, type Formatter, reaches } from './format.ts';
import { xmlText } from './xml.ts';

interface TestCase {
  readonly name: string;
  readonly kind: 'photo' | 'damage';
  readonly verdict: 'passed' | 'failed' | 'error' | 'skipped';
  readonly body: string;
}

/**
 * JUnit XML (Ant's schema): one suite per vehicle. An inspection has one case per photo: it fails where the photo
 * shows a damage at or above the threshold, is an error where the photo was rejected, is skipped where it was not
 * analysed (the schema has no number of these). An assessment without its inspection has one case per damage.
 */
export const formatJunit: Formatter = (input, options) =>
  ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', suite(input, options), '</testsuites>', ''].join(
    '\n',
  );

function suite(input: ReportInput, options: FormatOptions): string {
  const { inspection, assessment } = input;
  const rows = damageRows(input);
  const cases = inspection
    ? [
        ...inspection.data.images.map((photo) => photoCase(photo, rows, options)),
        ...inspection.data.rejected_images.map(rejectedCase),
      ]
    : rows.map((row) => damageCase(row, options));
  const count = (verdict: TestCase['verdict']) => cases.filter((one) => one.verdict === verdict).length;
  const created = inspection?.data.created_at ?? assessment?.data.created_at ?? 0;
  const attributes = [
    `name="${token(vehicleIdOf(input))}"`,
    'package="vehi"',
    'id="0"',
    `timestamp="${new Date(created).toISOString().slice(0, 19)}"`,
    'hostname="localhost"',
    `tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}"`,
    `time="${(inspection?.meta.processing_time ?? assessment?.meta.processing_time ?? 0).toFixed(3)}"`,
  ].join(' ');
  return [
    `<testsuite ${attributes}>`,
    '<properties>',
    ...properties(input, options).map(
      ([name, value]) => `<property name="${name}" value="${xmlText(value)}"/>`,
    ),
    '</properties>',
    ...cases.map(
      (one) =>
        `<testcase name="${token(one.name)}" classname="vehi.${one.kind}" time="0">${one.body}</testcase>`,
    ),
    '<system-out></system-out>',
    '<system-err></system-err>',
    '</testsuite>',
  ].join('\n');
}

function properties(
  { inspection, assessment }: ReportInput,
  options: FormatOptions,
): (readonly [string, string])[] {
  const known: Record<string, string | number | undefined> = {
    inspection_id: inspection?.data.inspection_id ?? assessment?.data.inspection_id,
    assessment_id: assessment?.data.assessment_id,
    software_version: inspection?.meta.software_version ?? assessment?.meta.software_version,
    model_version: inspection?.meta.ai_model_version,
    fail_on: options.failOn,
    overall_condition: inspection?.data.results?.overall_condition,
    condition_score: inspection?.data.results?.condition_score,
    overall_severity: assessment?.data.summary.overall_severity,
  };
  return Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}

function photoCase(photo: Photo, rows: readonly DamageRow[], options: FormatOptions): TestCase {
  const base = { name: photo.url, kind: 'photo' } as const;
  if (!photo.analysed) return { ...base, verdict: 'skipped', body: '<skipped/>' };
  const seen = rows.filter((row) =>
    row.found?.evidence.some((evidence) => evidence.image_index === photo.index),
  );
  return { ...base, ...verdictOn(seen, options) };
}

function damageCase(row: DamageRow, options: FormatOptions): TestCase {
  return { name: row.id, kind: 'damage', ...verdictOn([row], options) };
}

function verdictOn(rows: readonly DamageRow[], options: FormatOptions): Pick<TestCase, 'verdict' | 'body'> {
  const failing = rows.filter((row) => reaches(row.severity, options.failOn));
  if (failing.length === 0) return { verdict: 'passed', body: '' };
  const message = `${failing.length} ${failing.length === 1 ? 'damage' : 'damages'} at or above ${options.failOn}`;
  const lines = xmlText(failing.map(sentenceOf).join('\n'));
  return { verdict: 'failed', body: `<failure type="vehi.damage" message="${message}">${lines}</failure>` };
}

function rejectedCase(rejected: RejectedImage): TestCase {
  const detail = `${rejected.message} Found: ${rejected.found}. Needed: ${rejected.needed}.`;
  return {
    name: rejected.url,
    kind: 'photo',
    verdict: 'error',
    body: `<error type="${xmlText(rejected.code)}" message="${xmlText(rejected.message)}">${xmlText(detail)}</error>`,
  };
}

/** The schema's token type: no line breaks, no runs of spaces, never empty. */
function token(text: string): string {
  return xmlText(text.replace(/\s+/g, ' ').trim() || '(unnamed)');
}
