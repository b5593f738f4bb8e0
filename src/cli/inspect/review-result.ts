import type { InspectedResult } from '../../contract/result.ts';
import type { CommandPage } from '../review/page.ts';
import { reviewInspected } from '../review/review.run.ts';
import type { CliContext } from '../terminal/context.ts';
import type { Delivery } from './deliver.ts';

/** Opens the review page for a result; the reviewed result is named after the result file. */
export async function reviewResult(
  result: InspectedResult,
  run: Delivery,
  ctx: CliContext,
  page?: CommandPage,
): Promise<void> {
  const { inspection } = result;
  const named = run.outputs.find(({ kind, path }) => kind === 'json' && path !== '-')?.path;
  const name = named ?? `${inspection.data.inspection_id}.json`;
  await reviewInspected(result, name, run.flags, ctx, page);
}
