import { readExplicit, readLimitOverrides } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { MAX_IMAGES } from '../../domain/photo-limits.ts';
import type { ClaimFile } from '../../domain/vehicle/claim-file.ts';
import { endInspection } from '../../engine/inspect/finish.ts';
import type { InspectRequest } from '../../engine/request.ts';
import { type GatheredPhotos, gatherPhotos } from '../../images/find/gather-photos.ts';
import { VehiError } from '../../lib/errors.ts';
import { makeContentId } from '../../lib/ids.ts';
import { defined } from '../../lib/objects.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import { readAssessmentRequest } from '../assess/assess-input.ts';
import type { FlagsOf } from '../commands.ts';
import { checkVehicleId, gatherKnownVehicle, type KnownVehicle } from '../known-vehicle.ts';
import { createLocalEngine } from '../local-engine.ts';
import type { Output } from '../outputs/parse-output.ts';
import { nameOutputs, namePhotoFiles, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { locatePhotos } from '../outputs/report-pictures.ts';
import type { Run } from '../outputs/run.ts';
import type { Attempts } from '../outputs/write-outputs.ts';
import { writeStatus } from '../terminal/output.ts';
import { type DrawnCopies, listCopies, nameDrawnCopies, openResultPictures } from './drawn-copies.ts';

export type InspectFlags = FlagsOf<'inspect'>;
export type InspectRun = Run<InspectFlags>;

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
  run: InspectRun,
  own: { readonly id: string; readonly annotated: string | undefined; readonly outputs: readonly Output[] },
): Promise<Vehicle> {
  const { flags, settings, ctx } = run;
  const gathered = await gatherPhotos(paths, {
    cwd: ctx.cwd,
    recursive: Boolean(flags.recursive),
    stdin: ctx.stdin as AsyncIterable<Uint8Array>,
  });
  for (const warning of gathered.warnings) await writeStatus(ctx, `vehi: ${warning}`);
  const copies = nameDrawnCopies(own.annotated, gathered);
  const outputs = [...nameOutputs(own.outputs), ...listCopies(copies)];
  await refuseOverwrites(outputs, run, { files: namePhotoFiles(gathered) });
  const known = await gatherKnownVehicle(flags, gathered, settings);
  const id = flags.vehicleId ?? gathered.vehicleId?.value ?? own.id;
  const request = makeRequest(id, gathered, known.file, run);
  return { gathered, known, request, copies, outputs: own.outputs };
}

/** Builds the request for the engine. @throws VehiError TOO_MANY_IMAGES, or INVALID_REQUEST for an unusable vehicle id */
function makeRequest(
  id: string,
  { photos, problems }: GatheredPhotos,
  { claim, vehicle }: ClaimFile,
  { flags, settings }: InspectRun,
): InspectRequest {
  if (photos.length > MAX_IMAGES) {
    const message = `${photos.length} photos; one inspection takes at most ${MAX_IMAGES}.`;
    throw new VehiError('input', 'TOO_MANY_IMAGES', message, {
      field: 'images',
      hint: 'Inspect one vehicle at a time, or leave out photos that show the same.',
    });
  }
  return {
    vehicleId: checkVehicleId(id),
    photos,
    rejected: problems,
    ...defined({ vehicle, claim }),
    options: {
      detailed: Boolean(flags.detailed),
      hiddenDamage: Boolean(flags.hiddenDamage),
      ...(flags.oneVehicle ? { oneVehicle: true } : {}),
      region: settings.region.value,
      currency: readExplicit(settings.currency),
      sensitivity: settings.sensitivity.value,
      minConfidence: settings.min_confidence.value,
      ...defined({ ownLimits: readLimitOverrides(settings) }),
    },
  };
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
): Promise<{ readonly result: InspectedResult; readonly pictures: () => Promise<ReportPictures> }> {
  const photos = locatePhotos(gathered.photos, run.ctx.cwd);
  const unfinished = { inspection: found, assessment: null, photos };
  const { pictures, drawCopies } = openResultPictures(unfinished, copies, run);
  const annotated = await attempts.run(drawCopies);
  const inspection = endInspection(found, defined({ annotated }));
  const assessment = run.flags.assess
    ? ((await attempts.run(() => assessInspection(inspection, known, run))) ?? null)
    : null;
  return { result: { inspection, assessment, photos }, pictures };
}

/** Prices the damages of an inspection as `vehi assess` would; null without damages or with several vehicles. */
async function assessInspection(inspection: InspectionEnvelope, { vehicle }: KnownVehicle, run: InspectRun) {
  const { results } = inspection.data;
  if (!results?.damages.length || results.mixed_vehicles) return null;
  const { mileage_km, market_value, currency } = vehicle;
  // Values that an inspection does not contain; all other facts are in its `vehicle`.
  const stated = defined({ mileage_km, market_value, currency });
  const request = readAssessmentRequest(inspection);
  if (Object.keys(stated).length > 0) request.vehicle = { ...Object(request.vehicle), ...stated };
  const engine = await createLocalEngine(run, 'when-needed');
  return engine.assess(request, {
    requestId: makeContentId('req', [inspection.data.inspection_id, run.now().toISOString()]),
  });
}
