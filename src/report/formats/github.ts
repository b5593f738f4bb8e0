import type { Result } from '../../contract/result.ts';
import { type DamageRow, listDamageRows, listToCheckRows } from '../finding-rows.ts';
import { describeAmountScope, describeVerdict, findWorseCondition, isGraded } from '../headline.ts';
import { splitVehicles } from '../vehicles.ts';
import { capitalise, isMixed } from '../words.ts';
import { type FormatOptions, type Formatter, isAtLeast, writeSentence } from './format.ts';

/**
 * Renders GitHub Actions workflow commands, shown as annotations: one for the basis of the grade, and one per damage,
 * place to check and rejected photo. A damage at or above the threshold is an `error`, otherwise a `warning` from
 * moderate up and a `notice` below. A place to check is a `notice`, an inspection without results an `error`, and
 * the scope of the prices a `notice` before the findings.
 */
export const formatGithub: Formatter = (input, options) => {
  const found = listDamageRows(input).map((row) =>
    writeCommand(
      chooseLevel(row, options),
      row.found?.image_url,
      `vehi / ${row.type}`,
      writeSentence(input, row),
    ),
  );
  const rejected = (input.inspection?.data.rejected_images ?? []).map((image) =>
    writeCommand('warning', image.url, `vehi / ${image.code}`, image.message),
  );
  const toCheck = listToCheckRows(input).map((row) =>
    writeCommand('notice', row.found?.image_url, `vehi / to check: ${row.type}`, writeSentence(input, row)),
  );
  const failure = input.inspection?.data.failure;
  const failed = failure ? [writeCommand('error', undefined, `vehi / ${failure.code}`, failure.message)] : [];
  const scope = describeAmountScope(input);
  const held =
    scope === null ? [] : [writeCommand('notice', undefined, 'vehi / what the prices include', scope)];
  const vehicles = splitVehicles(input);
  const grounds = [
    writeGroundsLine(input, 'coverage'),
    ...vehicles.map((one) => writeGroundsLine(one, `vehicle ${one.vehicle}`)),
  ];
  return [...failed, ...grounds.flat(), ...held, ...found, ...toCheck, ...rejected]
    .map((line) => `${line}\n`)
    .join('');
};

/** Returns the grade and its basis; a warning if the photos show several vehicles or too little for a grade. */
function writeGroundsLine({ inspection }: Result, subject: string): readonly string[] {
  const results = inspection?.data.results;
  if (!results || results.coverage.of === 0) return [];
  const level = isMixed(results) || !isGraded(results) ? 'warning' : 'notice';
  const worse = findWorseCondition(results);
  const places = results.to_check.length === 1 ? 'the place to check is' : 'the places to check are';
  const sentences = [
    `${describeVerdict(results)}.`,
    `${capitalise(results.grade_basis.message)}.`,
    ...(worse ? [`${capitalise(results.overall_condition)}; ${worse} if ${places} real.`] : []),
  ];
  return [writeCommand(level, undefined, `vehi / ${subject}`, sentences.join(' '))];
}

function chooseLevel({ severity }: DamageRow, options: FormatOptions): 'error' | 'warning' | 'notice' {
  if (isAtLeast(severity, options.failOn)) return 'error';
  return severity === 'minor' ? 'notice' : 'warning';
}

function writeCommand(level: string, file: string | undefined, title: string, message: string): string {
  const place = file === undefined ? '' : `file=${escapeProperty(file)},`;
  return `::${level} ${place}title=${escapeProperty(title)}::${escapeData(message)}`;
}

/** Escapes data as actions/toolkit does, to prevent a file name from injecting a command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
