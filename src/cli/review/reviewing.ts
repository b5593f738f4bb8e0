import { resolve } from 'node:path';
import type { Photo } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { createPartMaps } from '../../server/reviews/part-maps.ts';
import type { FlagsOf } from '../commands.ts';
import { createLocalEngine, loadConfiguredTables } from '../local-engine.ts';
import { findPhoto } from '../outputs/report-pictures.ts';
import type { Run } from '../outputs/run.ts';
import { writeStatus } from '../terminal/output.ts';

export type ReviewFlags = Partial<FlagsOf<'review'>>;

/** A result under review, with the run and the engine that review it. */
export type Reviewing = Readonly<Awaited<ReturnType<typeof openReviewing>>>;

/** Opens a result for review, and warns if the price table has changed since the inspection. */
export async function openReviewing(result: InspectedResult, run: Run<ReviewFlags>) {
  const { settings, now, flags, ctx } = run;
  const { data } = result.inspection;
  const { version } = (await loadConfiguredTables(settings)).regions;
  if (data.region && data.region.table_version !== version)
    await writeStatus(
      ctx,
      'vehi: the price table has changed since; only changed findings are priced by the new one',
    );
  const engine = await createLocalEngine(run, 'when-needed');
  const photosFolder = flags.photos === undefined ? undefined : resolve(ctx.cwd, flags.photos);
  const maps = createPartMaps(engine, async (_id, photo) => {
    const found = await findPhoto(photo, result, photosFolder);
    return 'bytes' in found ? found.bytes : undefined;
  });
  /** Returns the part map of a photo, computed on first use, or null if the photo is unavailable. */
  const mapOf = (photo: Photo) => maps.get(data.inspection_id, photo);
  return {
    ...result,
    ...run,
    engine,
    photosFolder,
    mapOf,
    /**
     * Validates and applies decisions.
     * @param options the reviewer, empty if unknown, and `listName`, the name of the decision list for messages
     * @throws VehiError input naming the invalid decision
     */
    apply: (decisions: unknown, options: { readonly reviewer: string; readonly listName?: string }) =>
      engine.review(result.inspection, decisions, {
        ...options,
        reviewer: options.reviewer || undefined,
        now: now(),
        mapOf,
      }),
    async close() {
      await maps.settle();
      await engine.close();
    },
  };
}
