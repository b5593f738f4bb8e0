import { join } from 'node:path';
import type { InspectedResult } from '../../contract/result.ts';
import type { Engine } from '../../index.ts';
import { VehiError } from '../../lib/errors.ts';
import { completeResult, type InspectRun, openVehicle, type Vehicle } from '../inspect/vehicle.ts';
import { KINDS } from '../outputs/kinds.ts';
import type { FolderOutputs, Output } from '../outputs/parse-output.ts';
import { openAttempts, writeResult } from '../outputs/write-outputs.ts';
import { decideInspection } from '../terminal/decide-exit.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { computeVehicleKey, openKey } from './resume.ts';
import { makeEmptyRow, makeRow, type SummaryRow } from './summary.ts';
import type { FleetVehicle } from './vehicles.ts';

export interface FleetRun extends InspectRun {
  /** The engine, which loads its models for the first vehicle without a result. */
  readonly engine: Engine;
  /** Errors of loading the models. */
  readonly loadErrors: Set<unknown>;
  readonly outputs: FolderOutputs;
  /** Hash of everything that all vehicles share, by `computeRunKey`. */
  readonly key: string;
}

interface Outcome {
  readonly row: SummaryRow;
  readonly code: ExitCode;
  readonly isReused: boolean;
}

/**
 * Inspects one vehicle, or reuses its result; a failure becomes a summary row.
 * @throws errors that affect every vehicle: models that cannot be loaded, results that cannot be written
 */
export async function inspectOne(listed: FleetVehicle, run: FleetRun): Promise<Outcome> {
  const { flags, ctx } = run;
  const [{ path: folder }] = run.outputs;
  const { name } = listed;
  try {
    const own = {
      id: name,
      annotated: flags.annotated && join(flags.annotated, name),
      outputs: run.outputs.map((output) => nameFile(output, name)),
    };
    const ofVehicle =
      listed.vehicleId === null ? run : { ...run, flags: { ...flags, vehicleId: listed.vehicleId } };
    const vehicle = await openVehicle([listed.folder], ofVehicle, own);
    const key = await computeVehicleKey(run.key, vehicle);
    const kept = openKey(folder, name, ctx);
    const stored = flags.resume ? await kept.load(key, vehicle.outputs) : null;
    if (stored === null) await kept.remove();
    const result = stored ?? (await inspectAnew(vehicle, run));
    if (stored === null) await kept.write(key);
    return { ...judge(result, listed, run), isReused: stored !== null };
  } catch (error) {
    const isUnwritable = error instanceof VehiError && error.code === 'OUTPUT_NOT_WRITABLE';
    if (isUnwritable || run.loadErrors.has(error)) throw error;
    const isInput = error instanceof VehiError && error.kind !== 'engine';
    const code = isInput ? EXIT.inputRejected : EXIT.engine;
    const words = error instanceof VehiError ? error.message : `unexpected: ${(error as Error).message}`;
    return { row: makeEmptyRow('error', listed, words), code, isReused: false };
  }
}

/** Inspects a vehicle and writes its outputs. @throws VehiError for the first that failed, after writing all others */
async function inspectAnew(vehicle: Vehicle, run: FleetRun): Promise<InspectedResult> {
  const { engine, ctx, flags } = run;
  await engine.load().catch((error: unknown) => {
    run.loadErrors.add(error);
    throw error;
  });
  const found = await engine.inspect(vehicle.request);
  const attempts = openAttempts(ctx);
  const { result, pictures } = await completeResult(found, vehicle, run, attempts);
  const view = () => ({ ...run, all: flags.all, pictures });
  await attempts.run(() => writeResult(result, vehicle.outputs, view, { ctx, quiet: true }));
  await attempts.settle();
  return result;
}

/** Names the file of a vehicle in the folder of an output. */
export const nameFile = ({ kind, path }: Output, name: string): Output => ({
  kind,
  path: join(path, `${name}${KINDS[kind].endings[0]}`),
});

function judge(result: InspectedResult, { name, folder: photos }: FleetVehicle, run: FleetRun) {
  const { data } = result.inspection;
  const { code, message: cause } = decideInspection(data, { ...run, strict: run.flags.strict });
  const failure = data.results ? null : (data.rejected_images[0]?.message ?? data.failure?.message ?? null);
  const row = makeRow(result, photos, nameFile(run.outputs[0], name).path, cause ?? failure);
  return { row, code };
}
