import { join } from 'node:path';
import { readFailOn, type Settings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { endInspection } from '../../engine/inspect/finish.ts';
import type { InspectRequest } from '../../engine/request.ts';
import { type GatheredPhotos, gatherPhotos } from '../../images/find/gather-photos.ts';
import type { Engine } from '../../index.ts';
import { VehiError } from '../../lib/errors.ts';
import { assessInspection } from '../inspect/assess-inspection.ts';
import type { InspectFlags } from '../inspect/flags.ts';
import { makeInspectRequest } from '../inspect/inspect-request.ts';
import { nameDrawnCopies } from '../outputs/drawn-copies.ts';
import { gatherKnownVehicle, type KnownVehicle } from '../outputs/known-vehicle.ts';
import { locatePhotos } from '../outputs/photo-addresses.ts';
import { nameCopies, namePhotoFiles, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideInspection } from '../terminal/decide-exit.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { computeContentKey } from './content-key.ts';
import { computeProductsKey, type FleetProducts, hasAllFiles, makeProducts } from './products.ts';
import type { ResultFolder } from './result-folder.ts';
import { makeEmptyRow, makeRow, type SummaryRow } from './summary.ts';
import type { FleetVehicle } from './vehicles.ts';

/** Shared state of a fleet run. */
export interface FleetRun {
  readonly flags: InspectFlags;
  readonly settings: Settings;
  readonly ctx: CliContext;
  /** Returns the engine, created on first use. */
  readonly engine: () => Promise<Engine>;
  readonly results: ResultFolder;
  readonly products: FleetProducts;
  /** Hash of version, models and regions. */
  readonly key: string;
  /** Results folder as given by the user. */
  readonly folder: string;
  readonly now: () => Date;
}

/** Outcome of one vehicle. */
interface Outcome {
  readonly row: SummaryRow;
  readonly code: ExitCode;
  /** True if all outputs already existed. */
  readonly isReused: boolean;
}

/**
 * Inspects one vehicle; a failure becomes a summary row.
 * @param writeNote prints on stderr without disturbing the progress display
 * @throws errors that affect every vehicle: models that cannot be loaded, results that cannot be written
 */
export async function inspectOne(
  vehicle: FleetVehicle,
  run: FleetRun,
  writeNote: (text: string) => Promise<void>,
): Promise<Outcome> {
  const { flags, settings, ctx } = run;
  try {
    const gathered = await gatherPhotos([vehicle.folder], {
      cwd: ctx.cwd,
      recursive: Boolean(flags.recursive),
    });
    for (const warning of gathered.warnings) await writeNote(`vehi: ${warning}`);
    const known = await gatherKnownVehicle({}, gathered, settings);
    const vehicleFlags = setVehicleId(flags, vehicle.vehicleId ?? (gathered.vehicleId ? null : vehicle.name));
    const request = makeInspectRequest(gathered, known.file, vehicleFlags, settings);
    return await inspectGathered(vehicle, gathered, known, request, run);
  } catch (error) {
    if (error instanceof FleetError) throw error.cause;
    return { row: makeFaultRow(vehicle, error), code: chooseExitCode(error), isReused: false };
  }
}

async function inspectGathered(
  vehicle: FleetVehicle,
  gathered: GatheredPhotos,
  known: KnownVehicle,
  request: InspectRequest,
  run: FleetRun,
): Promise<Outcome> {
  const { flags, ctx, results, products } = run;
  const { annotated } = products;
  const copies = nameDrawnCopies(annotated === null ? undefined : join(annotated, vehicle.name), gathered);
  await refuseOverwrites(nameCopies(copies), namePhotoFiles(gathered), ctx.cwd);
  const key = await computeContentKey(run.key, request, gathered.problems);
  const outputsKey = computeProductsKey(products, known, ctx.cwd);
  const stored = flags.resume ? await results.load(vehicle.name, key) : null;
  if (
    stored?.products === outputsKey &&
    (await hasAllFiles(vehicle.name, stored.inspection, products, ctx.cwd))
  )
    return buildOutcome(stored.inspection, stored.assessment, vehicle, run, true);
  const inspection = stored
    ? endInspection(stored.inspection, { file: known.file })
    : await inspect(request, run);
  const assessment =
    products.assess && inspection.data.results
      ? await assessInspection(inspection, known, run.settings, run.now)
      : null;
  const result = { inspection, assessment, photos: locatePhotos(gathered.photos, ctx.cwd) };
  try {
    const drawn = await makeProducts(vehicle.name, result, gathered.photos, copies, products, ctx).catch(
      async (error: unknown) => {
        // Stored without products, so --resume creates only those.
        await results
          .save(vehicle.name, { key, products: '', inspection, assessment })
          .catch(() => undefined);
        throw error;
      },
    );
    await results.save(vehicle.name, { key, products: outputsKey, inspection: drawn, assessment });
  } catch (error) {
    throw affectsAllVehicles(error) ? new FleetError(error) : error;
  }
  return buildOutcome(inspection, assessment, vehicle, run, false);
}

async function inspect(request: InspectRequest, run: FleetRun): Promise<InspectionEnvelope> {
  const engine = await run.engine().catch((error: unknown) => {
    throw new FleetError(error);
  });
  return engine.inspect(request);
}

/** A failure that would affect every further vehicle. */
class FleetError extends Error {
  constructor(cause: unknown) {
    super('the fleet cannot go on', { cause });
  }
}

function affectsAllVehicles(error: unknown): boolean {
  return error instanceof VehiError && error.code === 'OUTPUT_NOT_WRITABLE';
}

function chooseExitCode(error: unknown): ExitCode {
  return error instanceof VehiError && error.kind !== 'engine' ? EXIT.inputRejected : EXIT.engine;
}

function makeFaultRow(vehicle: FleetVehicle, error: unknown): SummaryRow {
  const message = error instanceof Error ? error.message : String(error);
  const words = error instanceof VehiError ? message : `unexpected: ${message}`;
  return makeEmptyRow('error', chooseVehicleId(vehicle), vehicle.folder, words);
}

function buildOutcome(
  inspection: InspectionEnvelope,
  assessment: AssessmentEnvelope | null,
  vehicle: FleetVehicle,
  run: FleetRun,
  isReused: boolean,
): Outcome {
  const rules = { ...readFailOn(run.settings), strict: Boolean(run.flags.strict), stopped: null };
  const { code, message: cause } = decideInspection(inspection.data, rules);
  const message = cause ?? (inspection.data.results ? null : findFailure(inspection));
  const file = join(run.folder, `${vehicle.name}.json`);
  return { row: makeRow({ inspection, assessment }, vehicle.folder, file, message), code, isReused };
}

function findFailure({ data }: InspectionEnvelope): string | null {
  return data.rejected_images[0]?.message ?? data.failure?.message ?? null;
}

/** Creates the row of a vehicle skipped because of a stop. */
export function makeNotBegunRow(vehicle: FleetVehicle): SummaryRow {
  return makeEmptyRow('not_begun', chooseVehicleId(vehicle), vehicle.folder, null);
}

function setVehicleId(flags: InspectFlags, vehicleId: string | null): InspectFlags {
  return vehicleId === null ? flags : { ...flags, vehicleId };
}

function chooseVehicleId(vehicle: FleetVehicle): string {
  return vehicle.vehicleId ?? vehicle.name;
}
