import { join, resolve } from 'node:path';
import { findDataDirectory } from '../../config/settings.ts';
import { createResultStore, type ResultStore } from '../../storage/results.ts';
import type { ReportSource } from '../outputs/report-pictures.ts';
import type { CliContext } from '../terminal/context.ts';

/** Opens the store of the user's kept results: `results` in VEHI_DATA_DIR, else in the platform's data folder. */
export function openResultStore(ctx: CliContext): ResultStore {
  return createResultStore(join(findDataDirectory(undefined, ctx), 'results'));
}

/** Keeps the results of a vehicle for `vehi history`, `report` and `compare`. */
export async function keepResults(
  { inspection, assessment, photoPaths }: ReportSource,
  ctx: CliContext,
): Promise<void> {
  const absolute = Object.entries(photoPaths).map(([url, path]) => [url, resolve(ctx.cwd, path)] as const);
  const store = openResultStore(ctx);
  const savedAt = ctx.now().toISOString();
  if (inspection)
    await store.save({ envelope: inspection, photoPaths: Object.fromEntries(absolute), savedAt });
  if (assessment) await store.save({ envelope: assessment, photoPaths: {}, savedAt });
}
