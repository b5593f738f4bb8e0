import { join, resolve } from 'node:path';
import { findDataDirectory } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { NO_PLACES, type Result } from '../../contract/result.ts';
import { escapeName } from '../../lib/escape-name.ts';
import { summarizeNames } from '../../lib/format-count.ts';
import { formatInspectionDay } from '../../report/compare/comparison-words.ts';
import { readFileName } from '../../report/figures.ts';
import { createResultStore, type ResultStore } from '../../storage/results.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';

/** Opens the store of the user's results: `results` in VEHI_DATA_DIR, or in the platform's data folder. */
export function openResultStore(ctx: CliContext): ResultStore {
  return createResultStore(join(findDataDirectory(undefined, ctx), 'results'));
}

/** Reports inspections with the same photos, and stores the results of a vehicle for `vehi history`, `report` and `compare`. */
export async function saveResults({ photos = NO_PLACES, ...result }: Result, ctx: CliContext): Promise<void> {
  const absolute = Object.entries(photos.paths).map(([url, path]) => [url, resolve(ctx.cwd, path)] as const);
  const stored = { ...result, photos: { ...photos, paths: Object.fromEntries(absolute) } };
  if (result.inspection) await reportRepeatedPhotos(result.inspection, ctx);
  await openResultStore(ctx).save(stored, ctx.now().toISOString());
}

/** Reports stored inspections that contain identical photos; the user draws the conclusions. */
async function reportRepeatedPhotos({ data }: InspectionEnvelope, ctx: CliContext): Promise<void> {
  const urls = new Map(data.images.map(({ sha256, url }) => [sha256, url]));
  for (const { inspection } of await openResultStore(ctx).findByPhotos([...urls.keys()])) {
    if (!inspection || inspection.data.inspection_id === data.inspection_id) continue;
    const { inspection_id: id, vehicle_id: vehicle, images } = inspection.data;
    const same = images.flatMap(({ sha256 }) => urls.get(sha256) ?? []);
    const names = summarizeNames(same.map(readFileName), 3);
    const message = `vehi: the same photo is in ${id} of ${vehicle}, ${formatInspectionDay(inspection)}: ${names}`;
    await writeStatus(ctx, escapeName(message));
  }
}
