import { readSettings } from '../../config/settings.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { listModels, type Model } from '../../vision/models/manifest.ts';
import { loadManifest } from '../../vision/models/model-files.ts';
import { type FileCheck, verifyModels } from '../../vision/models/verify.ts';
import { renderModelInfo, renderModelList, renderVerification } from '../tables/models-text.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findModelDir } from '../terminal/model-dir.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';

/** Runs `vehi models list`. */
export async function runModelsList(flags: FlagsOf<'models list'>, ctx: CliContext): Promise<void> {
  const dir = findModelDir(readSettings(flags, ctx), ctx);
  const models = listModels(await loadManifest(dir));
  const json = { dir, models: models.map(pickListedFacts) };
  await write(
    ctx.stdout,
    flags.json ? toJsonText(json) : renderModelList(models, dir, ctx.colour.stdout, countColumns(ctx)),
  );
}

/** Runs `vehi models verify`, which checks all files even after a failure. */
export async function runModelsVerify(flags: FlagsOf<'models list'>, ctx: CliContext): Promise<void> {
  const dir = findModelDir(readSettings(flags, ctx), ctx);
  const files: FileCheck[] = await verifyModels(dir);
  const ok = files.every(({ problem }) => problem === null);
  await write(
    ctx.stdout,
    flags.json
      ? toJsonText({ dir, ok, files })
      : renderVerification(files, dir, ctx.colour.stdout, countColumns(ctx)),
  );
  ctx.setExitCode(ok ? EXIT.done : EXIT.engine);
}

/** Runs `vehi models info NAME`. */
export async function runModelsInfo(
  name: string,
  flags: FlagsOf<'models list'>,
  ctx: CliContext,
): Promise<void> {
  const models = listModels(await loadManifest(findModelDir(readSettings(flags, ctx), ctx)));
  const model = models.find((one) => one.id === name || one.name === name);
  if (model === undefined) {
    const names = models.flatMap((one) => [one.id, one.name]).join(', ');
    throw new VehiError('usage', 'MODEL_UNKNOWN', `there is no model "${name}".`, {
      hint: `Known: ${names}.`,
    });
  }
  await write(
    ctx.stdout,
    flags.json ? toJsonText(model) : renderModelInfo(model, ctx.colour.stdout, countColumns(ctx)),
  );
}

function pickListedFacts({ id, name, version, task, variants, default_precision, input, licence }: Model) {
  const { width, height } = input;
  return { id, name, version, task, input: { width, height }, default_precision, variants, licence };
}
