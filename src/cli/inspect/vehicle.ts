import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { endInspection } from '../../engine/inspect/finish.ts';
import type { InspectRequest } from '../../engine/request.ts';
import { type GatheredPhotos, gatherPhotos } from '../../images/find/gather-photos.ts';
import { makeContentId } from '../../lib/ids.ts';
import { defined } from '../../lib/objects.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import { readAssessmentRequest } from '../assess/assess-input.ts';
import { gatherKnownVehicle, type KnownVehicle } from '../known-vehicle.ts';
import { assessLocally } from '../local-engine.ts';
import type { Output } from '../outputs/parse-output.ts';
import { nameOutputs, namePhotoFiles, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { locatePhotos } from '../outputs/report-pictures.ts';
import type { Run } from '../outputs/run.ts';
import type { Attempts } from '../outputs/write-outputs.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { type DrawnCopies, listCopies, nameDrawnCopies, openResultPictures } from './drawn-copies.ts';
import { type InspectFlags, makeInspectRequest } from './inspect-request.ts';

export interface InspectRun extends Run {
  readonly flags: InspectFlags;
}

export interface Vehicle {
  readonly gathered: GatheredPhotos;
  readonly known: KnownVehicle;
  readonly request: InspectRequest;
  readonly copies: DrawnCopies;
  readonly outputs: readonly Output[];
}

/**
 * Finds the photos and facts of a vehicle, and ensures that its outputs overwrite nothing.
 * @param own settings of this vehicle rather than the run: its outputs, the folder of its annotated photos, and its id if
 * neither flags nor photos name one
 * @throws VehiError usage or input, before any work
 */
export async function openVehicle(
  paths: readonly string[],
  { flags, settings }: InspectRun,
  own: { readonly id: string; readonly annotated: string | undefined; readonly outputs: readonly Output[] },
  ctx: CliContext,
): Promise<Vehicle> {
  const gathered = await gatherPhotos(paths, {
    cwd: ctx.cwd,
    recursive: Boolean(flags.recursive),
    stdin: ctx.stdin as AsyncIterable<Uint8Array>,
  });
  for (const warning of gathered.warnings) await writeStatus(ctx, `vehi: ${warning}`);
  const copies = nameDrawnCopies(own.annotated, gathered);
  await refuseOverwrites(
    [...nameOutputs(own.outputs), ...listCopies(copies)],
    { flags, settings, files: namePhotoFiles(gathered) },
    ctx,
  );
  const known = await gatherKnownVehicle(flags, gathered, settings);
  const id = flags.vehicleId ?? gathered.vehicleId?.value ?? own.id;
  const request = makeInspectRequest(id, gathered, known.file, flags, settings);
  return { gathered, known, request, copies, outputs: own.outputs };
}

/**
 * Completes the inspection of a vehicle: draws the copies of its photos, and prices it for `--assess`. `attempts`
 * collects failures, whose output is missing in the result.
 * @returns the result, and its pictures for reports
 */
export async function completeResult(
  found: InspectionEnvelope,
  { gathered, known, copies }: Vehicle,
  run: InspectRun,
  attempts: Attempts,
  ctx: CliContext,
): Promise<{ readonly result: InspectedResult; readonly pictures: () => Promise<ReportPictures> }> {
  const photos = locatePhotos(gathered.photos, ctx.cwd);
  const unfinished = { inspection: found, assessment: null, photos };
  const { pictures, drawCopies } = openResultPictures(unfinished, copies, run.redaction, ctx);
  const annotated = await attempts.run(drawCopies);
  const inspection = endInspection(found, defined({ annotated }));
  const assessment = run.flags.assess
    ? ((await attempts.run(() => assessInspection(inspection, known, run, ctx))) ?? null)
    : null;
  return { result: { inspection, assessment, photos }, pictures };
}

/** Prices the damages of an inspection as `vehi assess` would; null without damages or with several vehicles. */
async function assessInspection(
  inspection: InspectionEnvelope,
  { vehicle }: KnownVehicle,
  { settings, now }: Run,
  ctx: CliContext,
): Promise<AssessmentEnvelope | null> {
  const { results } = inspection.data;
  if (!results?.damages.length || results.mixed_vehicles) return null;
  const { mileage_km, market_value, currency } = vehicle;
  // Values that an inspection does not contain; all other facts are in its `vehicle`.
  const stated = defined({ mileage_km, market_value, currency });
  const request = readAssessmentRequest(inspection);
  if (Object.keys(stated).length > 0) request.vehicle = { ...Object(request.vehicle), ...stated };
  return assessLocally(request, settings, now, ctx, {
    requestId: makeContentId('req', [inspection.data.inspection_id, now().toISOString()]),
  });
}
