import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { describeAmountScope } from '../content/price-scope.ts';
import { type DamageRow, listDamageRows, listToCheckRows } from '../finding-rows.ts';
import { findWorseCondition, hasSeveralVehicles, isGraded } from '../grade.ts';
import { describeVerdict } from '../headline.ts';
import { splitVehicles } from '../split-vehicles.ts';
import { capitalize } from '../translator.ts';
import { type FormatOptions, type Formatter, isAtLeast, writeSentence } from './format.ts';

/**
 * Renders GitHub Actions workflow commands, shown as annotations: one for the basis of the grade, and one per damage,
 * place to check and rejected photo. A damage at or above the threshold is an `error`, otherwise a `warning` from
 * moderate up and a `notice` below. A place to check is a `notice`, an inspection without results an `error`, and
 * the scope of the prices a `notice` before the findings.
 */
export const formatGithub: Formatter = (input, options) => {
  const { failure, rejected_images: rejected = [] } = input.inspection?.data ?? {};
  const scope = describeAmountScope(input);
  const vehicles = splitVehicles(input);
  const annotate = (level: string, row: DamageRow, title: string) =>
    writeCommand(level, row.found?.image_url, title, writeSentence(input, row));
  return compact([
    failure && writeCommand('error', undefined, failure.code, failure.message),
    writeGroundsLine(input, 'coverage'),
    ...vehicles.map((one) => writeGroundsLine(one, `vehicle ${one.vehicle}`)),
    scope && writeCommand('notice', undefined, 'what the prices include', scope),
    ...listDamageRows(input).map((row) => annotate(chooseLevel(row, options), row, row.type)),
    ...listToCheckRows(input).map((row) => annotate('notice', row, `to check: ${row.type}`)),
    ...rejected.map(({ url, code, message }) => writeCommand('warning', url, code, message)),
  ])
    .map((line) => `${line}\n`)
    .join('');
};

/** Returns the grade and its basis; a warning if the photos show several vehicles or too little for a grade. */
function writeGroundsLine({ inspection }: Result, subject: string): string | null {
  const results = inspection?.data.results;
  if (!results) return null;
  const level = hasSeveralVehicles(results) || !isGraded(results) ? 'warning' : 'notice';
  const worse = findWorseCondition(results);
  const places = results.to_check.length === 1 ? 'the place to check is' : 'the places to check are';
  const [verdict, basis] = [describeVerdict(results), results.grade_basis.message];
  const sentences = compact([
    // The basis of several vehicles begins with their number.
    !basis.startsWith(verdict) && `${capitalize(verdict)}.`,
    `${capitalize(basis)}.`,
    worse && `${capitalize(results.overall_condition)}; ${worse} if ${places} real.`,
  ]);
  return writeCommand(level, undefined, subject, sentences.join(' '));
}

function chooseLevel({ severity }: DamageRow, options: FormatOptions): 'error' | 'warning' | 'notice' {
  if (isAtLeast(severity, options.failOn)) return 'error';
  return severity === 'minor' ? 'notice' : 'warning';
}

function writeCommand(level: string, file: string | undefined, title: string, message: string): string {
  const place = file === undefined ? '' : `file=${escapeProperty(file)},`;
  return `::${level} ${place}title=${escapeProperty(`vehi / ${title}`)}::${escapeData(message)}`;
}

/** Escapes data as actions/toolkit does, to prevent a file name from injecting a command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
