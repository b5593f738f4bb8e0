import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { VehiError } from '../domain/errors.ts';
import type { CliContext } from './context.ts';
import type { HiddenRegions } from './report-pictures.ts';

const RegionsSchema = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      x: Type.Number({ minimum: 0 }),
      y: Type.Number({ minimum: 0 }),
      width: Type.Number({ exclusiveMinimum: 0 }),
      height: Type.Number({ exclusiveMinimum: 0 }),
    }),
  ),
);

/**
 * The regions to blur in every picture. `--redact` needs a detector of plates and faces; none is shipped at present,
 * so it stops instead of letting pictures out that look redacted and are not. `--redact-regions` names the regions.
 * @throws VehiError engine for --redact, usage for a file that is no list of regions
 */
export async function hiddenRegions(
  flags: { readonly redact?: boolean; readonly redactRegions?: string },
  ctx: CliContext,
): Promise<HiddenRegions> {
  if (flags.redact) {
    throw new VehiError(
      'engine',
      'NO_REDACTION_DETECTOR',
      '--redact: the parts model knows no licence plates and no face detector is shipped; nothing was written',
      {
        hint: 'Name the regions to blur in a file: --redact-regions regions.json',
      },
    );
  }
  if (flags.redactRegions === undefined) return {};
  const path = resolve(ctx.cwd, flags.redactRegions);
  const value: unknown = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text))
    .catch((cause: unknown) => {
      throw wrong(flags.redactRegions, cause instanceof Error ? cause.message : String(cause));
    });
  if (Check(RegionsSchema, value)) return value;
  throw wrong(flags.redactRegions, 'it has another shape');
}

function wrong(file: string | undefined, reason: string): VehiError {
  return new VehiError('usage', 'INVALID_REQUEST', `--redact-regions ${file}: ${reason}.`, {
    hint: 'Needed: {"front.jpg": [{"x": 10, "y": 20, "width": 300, "height": 80}]}, pixels of the upright photo.',
  });
}
