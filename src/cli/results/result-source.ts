import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AssessmentEnvelopeSchema } from '../../contract/assessment/assessment.ts';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../../contract/inspection.ts';
import type { InspectedResult, Result } from '../../contract/result.ts';
import { checkEvidence, readFromEvidence } from '../../evidence/verify.ts';
import { readHead } from '../../images/find/classify-file.ts';
import { isPicture, sniffFormat } from '../../images/read/format.ts';
import { findFaults } from '../../lib/check.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { makeUsageError, toReason, VehiError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { escapeName } from '../../lib/names.ts';
import type { Static, TSchema } from '../../lib/type.ts';
import type { CliContext } from '../terminal/context.ts';
import { nameSource, readText } from '../terminal/read-json.ts';
import { quoteCommandLine } from '../terminal/shell-words.ts';

/**
 * Reads SOURCE: a JSON file of inspect or assess, an evidence file, or `-` for stdin.
 * @throws VehiError input if there is no such file, or it is not a result
 */
export async function readResult(source: string, ctx: CliContext): Promise<Result> {
  const path = resolve(ctx.cwd, source);
  const facts = source === '-' ? undefined : await stat(path).catch(() => undefined);
  const refusePhotos = (what: string) => {
    const hint = `${quoteCommandLine(['vehi', 'inspect', source, '-o', 'result.json'])}, then give result.json.`;
    throw new VehiError('input', 'NOT_A_RESULT', `${escapeName(source)} is ${what}, not a result.`, { hint });
  };
  if (facts?.isDirectory()) refusePhotos('a folder of photos');
  if (source !== '-' && facts === undefined)
    throw new VehiError('input', 'SOURCE_NOT_FOUND', `there is no file ${source}.`, {
      hint: 'Give the JSON of vehi inspect or vehi assess: vehi inspect PHOTOS -o result.json writes it.',
    });
  // The beginning of a pipe can be read once.
  const head = facts?.isFile() ? await readHead(path) : undefined;
  if (head && isPicture(sniffFormat(head))) refusePhotos('a photo');
  if (head && Buffer.from(head).subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    return readEvidenceFile(path, source);
  const result = parseResult(await readText(source, ctx), nameSource(source));
  return { ...result, photos: searchIn(facts ? [ctx.cwd, dirname(path)] : [ctx.cwd]) };
}

/** Reads SOURCE as an inspection. @throws VehiError input if it has no results */
export async function readInspection(source: string, ctx: CliContext): Promise<InspectedResult> {
  const found = await readResult(source, ctx);
  const { inspection } = found;
  if (inspection?.data.results) return { ...found, inspection };
  const failure = inspection?.data.failure;
  const message = failure
    ? `${source} is an inspection that failed: ${failure.message}`
    : `${source} is not an inspection with results.`;
  const hint = failure ? undefined : 'Give the JSON that vehi inspect --json printed.';
  throw new VehiError('input', 'NOT_AN_INSPECTION', message, { hint });
}

/** Requires the folders of photos named by flags. @throws VehiError usage for one that is no folder */
export async function requirePhotoFolders(
  folders: Readonly<Record<string, string | undefined>>,
  { cwd }: Pick<CliContext, 'cwd'>,
): Promise<void> {
  for (const [flag, folder] of Object.entries(folders)) {
    if (folder === undefined) continue;
    const facts = await stat(resolve(cwd, folder)).catch(() => undefined);
    if (!facts?.isDirectory())
      throw makeUsageError(
        `${flag} ${escapeName(folder)} is not a folder.`,
        'Name the folder of the photos, or leave it out if they lie where they were inspected.',
      );
  }
}

const searchIn = (folders: readonly string[]) => ({ folders, paths: {} });

/** Reads the result and photos of an evidence file. @throws VehiError input for any other ZIP, or a modified file */
async function readEvidenceFile(path: string, source: string): Promise<Result> {
  const { manifest, faults } = await checkEvidence(path);
  const [{ file = '', text } = { text: 'it holds no result' }] = faults;
  const found = `${file} ${text}`.trim();
  if (manifest === null)
    throw makeNotAResultError(source, `it is a ZIP file, but no evidence file, or no longer one (${found})`);
  const bytes = faults.length > 0 ? null : await readFromEvidence(path, () => 'result.json');
  if (!bytes) {
    const message = `${source} is not the evidence file that was signed: ${found}`;
    const hint = `${quoteCommandLine(['vehi', 'verify', source])} names every change.`;
    throw new VehiError('input', 'EVIDENCE_CHANGED', message, { hint });
  }
  const photos = { ...searchIn([dirname(path)]), evidence: path };
  return { ...parseResult(decodeText(bytes, source), source), photos };
}

/** Parses an inspection, an assessment or both. @throws VehiError input naming source, first invalid field and value */
function parseResult(text: string, source: string): Result {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw makeNotAResultError(source, `it is not JSON (${toReason(error)})`);
  }
  const { data, assessment } = (value ?? {}) as { data?: unknown; assessment?: unknown };
  if (typeof data === 'object' && data !== null && 'assessment_id' in data)
    return { inspection: null, assessment: checkAgainst(AssessmentEnvelopeSchema, value, source) };
  const inspection = checkAgainst(InspectionEnvelopeSchema, value, source);
  checkBoxes(inspection, source);
  if (assessment === undefined || assessment === null) return { inspection, assessment: null };
  return { inspection, assessment: checkAgainst(AssessmentEnvelopeSchema, assessment, source) };
}

function checkAgainst<S extends TSchema>(schema: S, value: unknown, source: string): Static<S> {
  const [first] = findFaults(schema, value, { chooseCode: () => 'NOT_A_RESULT' });
  if (first) throw makeNotAResultError(source, first.message.replace(/\.$/, ''));
  return value as Static<S>;
}

/** Validates what the schema cannot express: the boxes of findings must lie inside photos of the inspection. */
function checkBoxes({ data }: InspectionEnvelope, source: string): void {
  for (const list of ['damages', 'to_check'] as const)
    for (const [index, { evidence }] of (data.results?.[list] ?? []).entries())
      for (const { image_index, coordinates: box } of evidence) {
        const photo = data.images.find((one) => one.index === image_index);
        const inside = photo && box.x + box.width <= photo.width && box.y + box.height <= photo.height;
        if (inside) continue;
        const fault = photo ? 'is outside' : 'names a missing';
        const found = `data.results.${list}.${index}.evidence ${fault} photo ${image_index}`;
        throw makeNotAResultError(source, found);
      }
}

const makeNotAResultError = (source: string, found: string): VehiError =>
  new VehiError('input', 'NOT_A_RESULT', `${source} is not a vehi result: ${found}`, {
    hint: 'Give the JSON that vehi inspect --json or vehi assess --json printed, unchanged.',
  });
