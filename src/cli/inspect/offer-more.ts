import type { InspectedResult } from '../../contract/result.ts';
import { escapeName } from '../../lib/names.ts';
import { nameDrawnCopies } from '../outputs/drawn-copies.ts';
import { renderResult } from '../outputs/kinds.ts';
import { nameCopies, namePhotoFiles, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { createFileView } from '../outputs/view.ts';
import { runReview } from '../review/review.run.ts';
import { createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';
import { openAnnotator, reportAnnotated } from './annotated.ts';
import { type Delivery, makeView } from './deliver.ts';

type FollowUp = 'pdf' | 'json' | 'pictures' | 'review' | 'done';

const FOLLOW_UPS: readonly { readonly value: FollowUp; readonly name: string }[] = [
  { value: 'pdf', name: 'Write a PDF report' },
  { value: 'json', name: 'Keep the result, for vehi report, review and compare' },
  { value: 'pictures', name: 'Write the photos with numbered boxes' },
  { value: 'review', name: 'Correct the result on a page in the browser' },
  { value: 'done', name: 'Done' },
];

/** Offers follow-up actions on the result after an interactive inspection, until the user is done. */
export async function offerMore(result: InspectedResult, run: Delivery, ctx: CliContext): Promise<void> {
  if (!result.inspection.data.results) return;
  const asker = await createTerminalAsker(ctx);
  const inputs = namePhotoFiles(run.gathered);
  const name = makeFileStem(result.inspection.data.vehicle_id);
  const writeAs = async (kind: 'json' | 'pdf', path: string) => {
    const content = await renderResult(kind, result, createFileView(makeView(result, run, ctx)));
    await writeFileWhole(path, content, ctx.cwd);
    await writeStatus(ctx, `${kind} written to ${path}`);
  };
  for (;;) {
    const next = await asker.select('And then?', FOLLOW_UPS);
    if (next === 'done') return;
    if (next === 'review') {
      const path = `${name}.json`;
      await writeAs('json', path);
      await runReview(path, {}, ctx);
    }
    if (next === 'pdf' || next === 'json') {
      const path = (await asker.input('File', undefined, `${name}.${next}`)).trim();
      await refuseOverwrites([{ path, words: escapeName(path) }], inputs, ctx.cwd);
      await writeAs(next, path);
    }
    if (next === 'pictures') {
      const folder = (await asker.input('Folder', undefined, `${name}-annotated`)).trim();
      const copies = nameDrawnCopies(folder, run.gathered);
      await refuseOverwrites(nameCopies(copies), inputs, ctx.cwd);
      const annotator = openAnnotator(result.inspection, copies, ctx.cwd);
      await annotator.drawAll(run.gathered.photos, run.redaction);
      await reportAnnotated(annotator.finish(), folder, ctx);
    }
  }
}

/** Converts a vehicle id to a file name stem. */
function makeFileStem(vehicleId: string): string {
  return vehicleId.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._-]+/, '') || 'vehicle';
}
