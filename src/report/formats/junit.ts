import type { Photo, RejectedImage } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { preventsJudgment } from '../../domain/photo.ts';
import { describeAmountScope } from '../content/price-scope.ts';
import { writeReference } from '../escape.ts';
import { pickVehicleId } from '../facts.ts';
import { type DamageRow, listFindingRows } from '../finding-rows.ts';
import { isGraded } from '../grade.ts';
import { splitVehicles } from '../split-vehicles.ts';
import { type FormatOptions, type Formatter, isAtLeast, writeSentence } from './format.ts';

interface TestCase {
  readonly name: string;
  readonly kind: 'inspection' | 'photo' | 'damage' | 'to_check';
  readonly verdict: 'passed' | 'failed' | 'error' | 'skipped';
  readonly body: string;
}

/**
 * Renders JUnit XML with one suite per vehicle. Each photo is a test case: an error if it was rejected, skipped if it
 * was not analyzed, shows no vehicle or is turned. Each damage is a case that fails at or above the threshold. Each place
 * to check is skipped, or fails with `failOnUnchecked`. An inspection without results is an error case. The output
 * conforms to Ant's schema, except that skipped cases have a message, as Surefire writes them.
 */
export const formatJunit: Formatter = (input, options) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...listSuites(input).map((suite) => writeSuite(suite, options)),
    '</testsuites>',
    '',
  ].join('\n');

/** A suite of one vehicle. The first also lists the rejected photos, which belong to no vehicle. */
type Suite = Result & { readonly vehicle?: number; readonly rejected: readonly RejectedImage[] };

function listSuites(input: Result): readonly Suite[] {
  const rejected = input.inspection?.data.rejected_images ?? [];
  const vehicles = splitVehicles(input);
  if (vehicles.length === 0) return [{ ...input, rejected }];
  return vehicles.map((part, index) => ({ ...part, rejected: index === 0 ? rejected : [] }));
}

function writeSuite(input: Suite, options: FormatOptions): string {
  const { inspection, assessment, vehicle, rejected } = input;
  const failure = inspection?.data.failure;
  const cases: readonly TestCase[] = [
    ...(failure ? [{ name: 'inspection', kind: 'inspection' as const, ...makeError(failure) }] : []),
    ...(inspection?.data.images ?? []).map(makePhotoCase),
    ...rejected.map(makeRejectedCase),
    ...listFindingRows(input).map((row) => makeFindingCase(input, row, options)),
  ];
  const count = (verdict: TestCase['verdict']) => cases.filter((one) => one.verdict === verdict).length;
  // The run is timed as a whole: a sum over its vehicles counts it once.
  const { processing_time: seconds = 0 } =
    (vehicle ?? 1) > 1 ? {} : { ...assessment?.meta, ...inspection?.meta };
  const created = inspection?.data.created_at ?? assessment?.data.created_at ?? 0;
  const attributes = [
    `name="${writeToken([pickVehicleId(input), vehicle].filter(Boolean).join(' '))}"`,
    'package="vehi"',
    `id="${(vehicle ?? 1) - 1}"`,
    `timestamp="${new Date(created).toISOString().slice(0, 19)}"`,
    'hostname="localhost"',
    `tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}"`,
    `time="${seconds.toFixed(3)}"`,
  ].join(' ');
  return [
    `<testsuite ${attributes}>`,
    '<properties>',
    ...listProperties(input, options).map(
      ([name, value]) => `<property name="${name}" value="${escapeXml(value)}"/>`,
    ),
    '</properties>',
    ...cases.map(
      (one) =>
        `<testcase name="${writeToken(one.name)}" classname="vehi.${one.kind}" time="0">${one.body}</testcase>`,
    ),
    `<system-out>${escapeXml(describeAmountScope(input) ?? '')}</system-out>`,
    '<system-err></system-err>',
    '</testsuite>',
  ].join('\n');
}

function listProperties(input: Result, options: FormatOptions): (readonly [string, string])[] {
  const { inspection, assessment } = input;
  const results = inspection?.data.results;
  const graded = results && isGraded(results) ? results : undefined;
  const known: Record<string, string | number | undefined> = {
    inspection_id: inspection?.data.inspection_id ?? assessment?.data.inspection_id,
    assessment_id: assessment?.data.assessment_id,
    software_version: inspection?.meta.software_version ?? assessment?.meta.software_version,
    model_version: inspection?.meta.ai_model_version,
    fail_on: options.failOn,
    overall_condition: graded?.overall_condition,
    condition_score: graded?.condition_score,
    parts_seen: results?.coverage.seen,
    parts: results?.coverage.of,
    overall_severity: assessment?.data.summary.overall_severity,
    cost_scope: describeAmountScope(input) ?? undefined,
  };
  return Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}

const PASSED = { verdict: 'passed', body: '' } as const;

function makePhotoCase(photo: Photo): TestCase {
  const reason = findSkipReason(photo);
  return { name: photo.url, kind: 'photo', ...(reason === null ? PASSED : makeSkipped(reason)) };
}

/** Returns the reason a photo gives no information on the vehicle, or null if it does. */
function findSkipReason({ analyzed, type, issues }: Photo): string | null {
  if (!analyzed) return type === 'exterior' ? 'not analyzed' : `${type} photo: not analyzed`;
  return issues.find(preventsJudgment)?.message ?? null;
}

function makeFindingCase(input: Result, row: DamageRow, options: FormatOptions): TestCase {
  const { failOn, failOnUnchecked } = options;
  const [kind, reason, isFailure] = row.toCheck
    ? (['to_check', 'not reviewed yet', failOnUnchecked] as const)
    : (['damage', `${row.severity}, at or above ${failOn}`, isAtLeast(row.severity, failOn)] as const);
  const sentence = writeSentence(input, row);
  const other = row.toCheck ? makeSkipped(sentence) : PASSED;
  return { name: row.id, kind, ...(isFailure ? makeFailed(`vehi.${kind}`, reason, sentence) : other) };
}

function makeSkipped(message: string): Pick<TestCase, 'verdict' | 'body'> {
  return { verdict: 'skipped', body: `<skipped message="${escapeXml(message)}"/>` };
}

function makeFailed(type: string, message: string, sentence: string): Pick<TestCase, 'verdict' | 'body'> {
  const line = escapeXml(sentence);
  return { verdict: 'failed', body: `<failure type="${type}" message="${message}">${line}</failure>` };
}

function makeError(
  { code, message }: { readonly code: string; readonly message: string },
  detail = message,
): Pick<TestCase, 'verdict' | 'body'> {
  const body = `<error type="${escapeXml(code)}" message="${escapeXml(message)}">${escapeXml(detail)}</error>`;
  return { verdict: 'error', body };
}

function makeRejectedCase(rejected: RejectedImage): TestCase {
  const detail = `${rejected.message} Found: ${rejected.found}. Needed: ${rejected.needed}.`;
  return { name: rejected.url, kind: 'photo', ...makeError(rejected, detail) };
}

/** Normalizes text to the schema's token type: no line breaks, no repeated spaces, never empty. */
function writeToken(text: string): string {
  return escapeXml(text.replace(/\s+/g, ' ').trim() || '(unnamed)');
}

/** Characters that XML 1.0 forbids even as references: all but those of production 2, Char. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escapeXml = (text: string): string =>
  text.replace(ILLEGAL, '\uFFFD').replace(/[&<>"\n\r\t]/g, writeReference);
