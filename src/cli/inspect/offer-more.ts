import type { InspectedResult } from '../../contract/result.ts';
import { renderResult } from '../outputs/kinds.ts';
import { createFileView } from '../outputs/view.ts';
import { createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole } from '../terminal/output.ts';
import { printStatus } from '../terminal/progress.ts';
import { openAnnotator, reportAnnotated } from './annotated.ts';
import { type Delivery, makeView } from './deliver.ts';
import { reviewCar } from './review-car.ts';

type Next = 'pdf' | 'pictures' | 'review' | 'done';

const CHOICES: readonly { readonly value: Next; readonly name: string }[] = [
  { value: 'pdf', name: 'Write a PDF report' },
  { value: 'pictures', name: 'Write the photos with numbered boxes' },
  { value: 'review', name: 'Correct the result on a page in the browser' },
  { value: 'done', name: 'Done' },
];

/** Offers follow-up actions on the result after an interactive inspection, until the user is done. */
export async function offerMore(car: InspectedResult, run: Delivery, ctx: CliContext): Promise<void> {
  if (!car.inspection.data.results) return;
  const asker = await createTerminalAsker(ctx);
  const name = makeFileStem(car.inspection.data.vehicle_id);
  for (;;) {
    const next = await asker.select('And then?', CHOICES);
    if (next === 'done') return;
    if (next === 'review') await reviewCar(car, run, ctx);
    if (next === 'pdf') {
      const path = (await asker.input('File', undefined, `${name}.pdf`)).trim();
      const pdf = await renderResult('pdf', car, createFileView(makeView(car, run, ctx)));
      await writeFileWhole(path, pdf, ctx.cwd);
      await printStatus(ctx, `pdf written to ${path}`);
    }
    if (next === 'pictures') {
      const folder = (await asker.input('Folder', undefined, `${name}-annotated`)).trim();
      const annotator = openAnnotator(car.inspection, folder, ctx.cwd);
      await annotator.drawAll(run.gathered.photos, run.redaction);
      await reportAnnotated(annotator.finish(), folder, ctx);
    }
  }
}

/** Converts a vehicle id to a file name stem. */
function makeFileStem(vehicleId: string): string {
  return vehicleId.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._-]+/, '') || 'vehicle';
}
