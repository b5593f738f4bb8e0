import { relative } from 'node:path';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectRequest, PhotoInput } from '../../engine/request.ts';
import type { Inspector } from '../backend/inspector.ts';
import { type Asker, createTerminalAsker, isLeft } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { printStatus } from '../terminal/progress.ts';
import { type AskedAngles, askAngles, listManifests, rememberAngles, withAngles } from './ask-angles.ts';
import { type Delivery, deliver } from './deliver.ts';
import type { InspectedCar } from './inspected-car.ts';

/**
 * Asks, once the result is shown and written, for the angles that are not known, and delivers what follows from the
 * answers in its place. Whoever leaves the questions keeps the first result.
 * @param unknown photos whose angle is not known
 * @param inspector the one that made the first result, so that no photo is analysed again
 */
export async function askForAnglesAfterwards(
  first: InspectedCar,
  unknown: readonly PhotoInput[],
  request: InspectRequest,
  run: Delivery,
  inspector: Inspector,
  ctx: CliContext,
): Promise<InspectedCar> {
  let outcome = 'questions skipped; the result above is unchanged';
  try {
    const many = unknown.length === 1 ? 'one photo shows' : `${unknown.length} photos show`;
    await printStatus(ctx, `\nIt is not known which side of the vehicle ${many}.`);
    const asker = await createTerminalAsker(ctx);
    const angles = await askAngles(unknown, asker);
    if (angles.size === 0) return first;
    const { envelope } = await inspector.inspect(withAngles(request, angles));
    await printStatus(ctx, `\nWith the ${angles.size === 1 ? 'angle' : `${angles.size} angles`} given:\n`);
    const car = await deliver(asOneRun(first.inspection, envelope), run, ctx, first);
    outcome = 'not remembered; the result above has what was answered';
    // With --recursive the manifest that is read stands in a folder above the photo.
    if (!run.flags.recursive) await offerToRemember(angles, asker, ctx);
    return car;
  } catch (error) {
    if (isLeft(error)) await printStatus(ctx, `vehi: ${outcome}`);
    throw error;
  }
}

async function offerToRemember(angles: AskedAngles, asker: Asker, ctx: CliContext): Promise<void> {
  const files = listManifests(angles).map((path) => describePath(path, ctx.cwd));
  if (!(await asker.confirm(`Remember what was answered in ${files.join(', ')}?`, false))) return;
  await rememberAngles(angles);
  await printStatus(ctx, `saved in ${files.join(', ')}`);
}

/** Returns a path from the working directory where it lies below it, else as it is. */
function describePath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') ? path : below;
}

/** Returns the second result with the time of both runs: the photos were analysed in the first. */
export function asOneRun(
  { data: before }: InspectionEnvelope,
  after: InspectionEnvelope,
): InspectionEnvelope {
  const { created_at } = before;
  const processing_time = Math.round((before.processing_time + after.data.processing_time) * 100) / 100;
  return {
    ...after,
    data: { ...after.data, created_at, processing_time },
    meta: { ...after.meta, processing_time },
  };
}
