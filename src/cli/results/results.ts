import { join, resolve } from 'node:path';
import { findDataDirectory } from '../../config/settings.ts';
import { NO_PLACES, type Result } from '../../contract/result.ts';
import { createResultStore, type ResultStore } from '../../storage/results.ts';
import type { CliContext } from '../terminal/context.ts';

/** Opens the store of the user's kept results: `results` in VEHI_DATA_DIR, else in the platform's data folder. */
export function openResultStore(ctx: CliContext): ResultStore {
  return createResultStore(join(findDataDirectory(undefined, ctx), 'results'));
}

/** Keeps the results of a vehicle for `vehi history`, `report` and `compare`. */
export async function keepResults({ photos = NO_PLACES, ...result }: Result, ctx: CliContext): Promise<void> {
  const absolute = Object.entries(photos.paths).map(([url, path]) => [url, resolve(ctx.cwd, path)] as const);
  const kept = { ...result, photos: { ...photos, paths: Object.fromEntries(absolute) } };
  await openResultStore(ctx).save(kept, ctx.now().toISOString());
}
