import { resolve } from 'node:path';
import type { ReviewedEnvelope } from '../../contract/review.ts';
import { exportCorrections } from '../../engine/review/corrections-coco.ts';
import { proposeLimits } from '../../evaluate/corrections/propose-limits.ts';
import { parseCorrections, type VehicleCorrections } from '../../evaluate/corrections/read-corrections.ts';
import { scoreCorrections } from '../../evaluate/corrections/score-corrections.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { parseJson, toJsonText } from '../../lib/json.ts';
import { renderCorrectionsText } from '../tables/corrections-text.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';
import { readInputText } from './evaluation-input.ts';

/** Runs `vehi models eval --corrections`: prints review scores and the thresholds derived from them. */
export async function runModelsCorrections(
  files: readonly string[],
  flags: FlagsOf<'models list'>,
  ctx: CliContext,
): Promise<void> {
  const vehicles = await Promise.all(files.map((file) => readCorrections(file, ctx)));
  const score = scoreCorrections(vehicles);
  const proposal = proposeLimits(vehicles.flatMap(({ corrections }) => corrections));
  await write(
    ctx.stdout,
    flags.json
      ? toJsonText({ ...score, proposal })
      : renderCorrectionsText(score, proposal, ctx.colour.stdout),
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
