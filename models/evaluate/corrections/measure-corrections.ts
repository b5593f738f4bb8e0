import { resolve } from 'node:path';
import type { CliContext } from '../../../src/cli/terminal/context.ts';
import { write } from '../../../src/cli/terminal/output.ts';
import type { ReviewedEnvelope } from '../../../src/contract/review-answers.ts';
import { exportCorrections } from '../../../src/engine/review/corrections-coco.ts';
import { VehiError } from '../../../src/lib/errors.ts';
import { isObject } from '../../../src/lib/fields.ts';
import { parseJson, toJsonText } from '../../../src/lib/json.ts';
import { readInputText } from '../evaluation-input.ts';
import { renderCorrectionsText } from './corrections-text.ts';
import { proposeLimits } from './propose-limits.ts';
import { parseCorrections, type VehicleCorrections } from './read-corrections.ts';
import { scoreCorrections } from './score-corrections.ts';

/** Prints the scores of reviews and the limits derived from them. */
export async function measureCorrections(
  files: readonly string[],
  isJson: boolean,
  ctx: CliContext,
): Promise<void> {
  const vehicles = await Promise.all(files.map((file) => readCorrections(file, ctx)));
  const score = scoreCorrections(vehicles);
  const proposal = proposeLimits(vehicles.flatMap(({ corrections }) => corrections));
  await write(
    ctx.stdout,
    isJson ? toJsonText({ ...score, proposal }) : renderCorrectionsText(score, proposal, ctx.color.stdout),
  );
}

/** Reads the corrections of an export or a reviewed result. @throws VehiError input ANNOTATIONS_INVALID */
async function readCorrections(file: string, ctx: CliContext): Promise<VehicleCorrections> {
  const text = await readInputText(resolve(ctx.cwd, file));
  return parseCorrections(exportReview(text, file), file);
}

/** Converts a reviewed result to an export; other text is returned unchanged. */
function exportReview(text: string, file: string): string {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return text;
  }
  if (!isObject(value) || !isObject(value.data)) return text;
  if (!isObject(value.review))
    throw new VehiError('input', 'ANNOTATIONS_INVALID', `${file} is a result that has not been reviewed.`, {
      hint: `Review it first: vehi review ${file}`,
    });
  try {
    return JSON.stringify(exportCorrections(value as unknown as ReviewedEnvelope));
  } catch (cause) {
    throw new VehiError('input', 'ANNOTATIONS_INVALID', `${file} is not a reviewed result of vehi.`, {
      cause,
    });
  }
}
