import { join } from 'node:path';
import type { VehicleGroup } from '../../contract/inspection-grounds.ts';
import type { InspectRequest } from '../../engine/request.ts';
import type { Inspected, Inspector } from '../backend/inspector.ts';
import { findEnding, type OutputKind } from '../outputs/kinds.ts';
import type { Output } from '../outputs/parse-output.ts';
import type { CliContext } from '../terminal/context.ts';
import { printStatus } from '../terminal/progress.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';
import { asOneRun } from './angles-afterwards.ts';
import { type Delivery, deliver } from './deliver.ts';
import type { InspectFlags } from './flags.ts';
import type { InspectedCar } from './inspected-car.ts';

/** Kinds of which several may follow one another on stdout. */
const IN_A_ROW: readonly OutputKind[] = ['table', 'markdown', 'github'];

/** Throws VehiError kind `usage` for flags and outputs that only work for a single vehicle. */
export function refuseWithSplit(
  { splitVehicles, review }: InspectFlags,
  print: OutputKind,
  outputs: readonly Output[],
): void {
  if (!splitVehicles) return;
  if (review)
    throw makeRequestError(
      '--review shows one vehicle.',
      'Write the results (-o result.json), then vehi review each.',
    );
  if (!IN_A_ROW.includes(print) || outputs.some(({ path }) => path === '-'))
    throw makeRequestError(
      `${print === 'table' ? '--output -' : `--format ${print}`} prints one result; --split-vehicles may have several.`,
      'Write files, for example -o result.json: they are named result-1.json, result-2.json.',
    );
}

/**
 * Delivers one result per vehicle: the photos of each group by themselves, without analysing them again. Files and
 * folders get the number of the group, as does the id of the vehicle; what is known of one vehicle is left out.
 */
export async function deliverEach(
  found: Inspected,
  groups: readonly VehicleGroup[],
  request: InspectRequest,
  run: Delivery,
  inspector: Inspector,
  ctx: CliContext,
): Promise<readonly InspectedCar[]> {
  const { vehicle: _, ...shared } = request;
  const { identity, ...facts } = run.known.vehicle;
  if (Object.keys({ ...identity, ...facts }).length > 0)
    await printStatus(
      ctx,
      `vehi: the vehicle details given are left out: they belong to only one of the ${groups.length} vehicles`,
    );
  const rejected = found.envelope.data.rejected_images;
  const cars: InspectedCar[] = [];
  for (const { group, colour, image_urls: urls } of groups) {
    const { envelope } = await inspector.inspect({
      ...shared,
      vehicleId: numberVehicleId(request.vehicleId, group),
      photos: request.photos.filter(({ url }) => urls.includes(url)),
      rejected,
    });
    await printStatus(ctx, `${group > 1 ? '\n' : ''}Vehicle ${group} of ${groups.length} (${colour}):`);
    cars.push(await deliver(asOneRun(found.envelope, envelope), narrowRun(group, run), ctx));
  }
  return cars;
}

function narrowRun(group: number, run: Delivery): Delivery {
  const { flags, known, outputs } = run;
  const { vehicle, ...file } = known.file;
  return {
    ...run,
    known: { vehicle: {}, file },
    flags: { ...flags, ...(flags.annotated ? { annotated: join(flags.annotated, String(group)) } : {}) },
    outputs: outputs.map(({ kind, path }) => ({ kind, path: numberPath(path, kind, group) })),
  };
}

/** Numbers a path: `claims/result.coco.json` → `claims/result-2.coco.json`. */
function numberPath(path: string, kind: OutputKind, group: number): string {
  const ending = findEnding(path, kind);
  return `${path.slice(0, path.length - ending.length)}-${group}${ending}`;
}

const MOST_CHARACTERS = 128;

function numberVehicleId(vehicleId: string, group: number): string {
  const suffix = `-${group}`;
  return `${vehicleId.slice(0, MOST_CHARACTERS - suffix.length)}${suffix}`;
}
