import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { loadSettings, text } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { createResultStore, type ResultStore } from '../../storage/results.ts';
import type { CliContext } from '../terminal/context.ts';

/** The store of the user's kept results: `results` in VEHI_DATA_DIR, else in the platform's data folder. */
export function resultStore(ctx: CliContext): ResultStore {
  const given = text(loadSettings({}, ctx.env, ctx.cwd).data_dir);
  const xdg = ctx.env.XDG_DATA_HOME;
  const folder = given
    ? resolve(ctx.cwd, given)
    : xdg
      ? join(xdg, 'vehi')
      : envPaths('vehi', { suffix: '' }).data;
  return createResultStore(join(folder, 'results'));
}

/**
 * Keeps a result for `vehi history`, `show` and `report`.
 * @param files path of each photo by its address in the result; photos that are no files are left out.
 * @returns the file written
 */
export function saveResult(
  envelope: InspectionEnvelope | AssessmentEnvelope,
  files: ReadonlyMap<string, string>,
  ctx: CliContext,
): Promise<string> {
  const photoPaths = Object.fromEntries([...files].map(([url, path]) => [url, resolve(ctx.cwd, path)]));
  return resultStore(ctx).save({ envelope, photoPaths, savedAt: ctx.now().toISOString() });
}
