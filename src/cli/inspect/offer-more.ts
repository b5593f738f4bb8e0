import type { InspectedResult } from '../../contract/result.ts';
import { VehiError } from '../../lib/errors.ts';
import { escapeName } from '../../lib/names.ts';
import { pick } from '../../lib/objects.ts';
import { renderResult } from '../outputs/kinds.ts';
import { namePhotoFiles, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { makeReportPictures } from '../outputs/report-pictures.ts';
import { makeFileView } from '../outputs/view.ts';
import { runReview } from '../review/review.run.ts';
import { type Asker, createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFaults } from '../terminal/errors.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';
import { listCopies, nameDrawnCopies, openResultPictures, reportCopies } from './drawn-copies.ts';
import type { InspectRun, Vehicle } from './vehicle.ts';

const FOLLOW_UPS = [
  { value: 'pdf', name: 'Write a PDF report' },
  { value: 'json', name: 'Keep the result, for vehi report, review and compare' },
  { value: 'pictures', name: 'Write the photos with numbered boxes' },
  { value: 'review', name: 'Correct the result on a page in the browser' },
  { value: 'done', name: 'Done' },
] as const;

/** Offers follow-up actions on the result after an interactive inspection, until the user is done. */
export async function offerMore(
  result: InspectedResult,
  { gathered }: Pick<Vehicle, 'gathered'>,
  run: InspectRun,
  createAsker: (ctx: CliContext) => Promise<Asker> = createTerminalAsker,
): Promise<void> {
  const { ctx } = run;
  const asker = await createAsker(ctx);
  const reads = { files: namePhotoFiles(gathered) };
  const stem = makeFileStem(result.inspection.data.vehicle_id);
  const askPath = async (message: string, fallback: string) =>
    (await asker.input(message, undefined, fallback)).trim();
  const writeAs = async (kind: 'json' | 'pdf') => {
    const path = await askPath('File', `${stem}.${kind}`);
    await refuseOverwrites([{ path, words: escapeName(path) }], run, reads);
    const pictures = makeReportPictures(result, undefined, run.redaction, ctx);
    const content = await renderResult(kind, result, makeFileView({ ...run, pictures }));
    await writeFileWhole(path, content, ctx.cwd);
    await writeStatus(ctx, `${kind} written to ${path}`);
    return path;
  };
  const actions = {
    pdf: () => writeAs('pdf'),
    json: () => writeAs('json'),
    async pictures() {
      const folder = await askPath('Folder', `${stem}-annotated`);
      const copies = nameDrawnCopies(folder, gathered);
      await refuseOverwrites(listCopies(copies), run, reads);
      const drawn = await openResultPictures(result, copies, run).drawCopies();
      await reportCopies(drawn.size, folder, ctx);
    },
    review: async () => runReview(await writeAs('json'), pick(run.flags, ['models', 'now']), ctx),
  };
  for (;;) {
    const next = await asker.select('And then?', FOLLOW_UPS);
    if (next === 'done') return;
    // An unusable name must not lose the result of the inspection.
    await actions[next]().catch((error: unknown) => {
      if (!(error instanceof VehiError)) throw error;
      return writeFaults(error, ctx);
    });
  }
}

const makeFileStem = (vehicleId: string): string =>
  vehicleId.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._-]+/, '') || 'vehicle';
