import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import { readFailOn, type Settings } from '../../config/settings.ts';
import { type AssessmentEnvelope, AssessmentEnvelopeSchema } from '../../contract/assessment/assessment.ts';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { MAX_IMAGE_BYTES } from '../../domain/photo-limits.ts';
import { endInspection } from '../../engine/inspect/finish.ts';
import type { InspectRequest, PhotoInput } from '../../engine/request.ts';
import { type GatheredPhotos, gatherPhotos } from '../../images/find/gather-photos.ts';
import type { Engine } from '../../index.ts';
import { fits } from '../../lib/check.ts';
import { VehiError } from '../../lib/errors.ts';
import { hashJson } from '../../lib/ids.ts';
import { parseJson, toJsonText } from '../../lib/json.ts';
import { openAnnotator } from '../inspect/annotated.ts';
import { assessInspection } from '../inspect/assess-inspection.ts';
import type { InspectFlags } from '../inspect/inspect-request.ts';
import { makeInspectRequest } from '../inspect/inspect-request.ts';
import { nameDrawnCopies } from '../outputs/drawn-copies.ts';
import { includesPhotos, KINDS, renderResult } from '../outputs/kinds.ts';
import { gatherKnownVehicle, type KnownVehicle } from '../outputs/known-vehicle.ts';
import type { FolderOutput } from '../outputs/parse-output.ts';
import type { Redaction } from '../outputs/redaction.ts';
import { nameCopies, namePhotoFiles, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { locatePhotos } from '../outputs/report-pictures.ts';
import { createFileView, type RunView } from '../outputs/view.ts';
import { makeEmptyRow, makeRow, type SummaryRow } from '../tables/fleet-summary.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideInspection } from '../terminal/decide-exit.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';
import type { FleetVehicle } from './vehicles.ts';

/** Shared state of a fleet run. */
export interface FleetRun {
  readonly flags: InspectFlags;
  readonly settings: Settings;
  readonly ctx: CliContext;
  /** The engine, created on first use, and why it could not be. */
  readonly engine: { get(): Promise<Engine>; failure(): unknown };
  /** Folder of the results, as given by the user. */
  readonly folder: string;
  /** Further output kinds with their folders, one file per vehicle. */
  readonly outputs: readonly FolderOutput[];
  readonly view: RunView;
  readonly redaction: Redaction;
  /** Hash of what all vehicles share: version, models, regions, outputs. */
  readonly key: string;
  readonly now: () => Date;
}

/** Outcome of one vehicle. */
interface Outcome {
  readonly row: SummaryRow;
  readonly code: ExitCode;
  /** True if its result and all outputs already existed. */
  readonly isReused: boolean;
}

/** Result of a vehicle. */
interface Found {
  readonly inspection: InspectionEnvelope;
  readonly assessment: AssessmentEnvelope | null;
}

/**
 * Inspects one vehicle; a failure becomes a summary row.
 * @throws errors that affect every vehicle: models that cannot be loaded, results that cannot be written
 */
export async function inspectOne(vehicle: FleetVehicle, run: FleetRun): Promise<Outcome> {
  const { flags, settings, ctx } = run;
  try {
    const gathered = await gatherPhotos([vehicle.folder], {
      cwd: ctx.cwd,
      recursive: Boolean(flags.recursive),
    });
    for (const warning of gathered.warnings) await writeStatus(ctx, `vehi: ${warning}`);
    const known = await gatherKnownVehicle({}, gathered, settings);
    const id = vehicle.vehicleId ?? (gathered.vehicleId ? undefined : vehicle.name);
    const own = id === undefined ? flags : { ...flags, vehicleId: id };
    const request = makeInspectRequest(gathered, known.file, own, settings);
    return await inspectGathered(vehicle, gathered, known, request, run);
  } catch (error) {
    const isUnwritable = error instanceof VehiError && error.code === 'OUTPUT_NOT_WRITABLE';
    if (isUnwritable || error === run.engine.failure()) throw error;
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
  const { flags, ctx, folder } = run;
  const { name } = vehicle;
  const copies = nameDrawnCopies(flags.annotated && join(flags.annotated, name), gathered);
  await refuseOverwrites(nameCopies(copies), { flags, files: namePhotoFiles(gathered) }, ctx);
  const key = hashJson([run.key, await describeInputs(request, gathered, known)]);
  const keyFile = join(folder, KEYS, name);
  const stored = flags.resume ? await loadResult(name, key, run) : null;
  if (stored) return makeOutcome(stored, vehicle, run, true);
  // A key is written last and removed first, so that an interrupt never leaves one to another result.
  await rm(resolve(ctx.cwd, keyFile), { force: true });
  const inspection = await (await run.engine.get()).inspect(request);
  const assessment =
    flags.assess && inspection.data.results
      ? await assessInspection(inspection, known, run.settings, run.now)
      : null;
  await saveResult(name, { inspection, assessment }, run);
  const result = { inspection, assessment, photos: locatePhotos(gathered.photos, ctx.cwd) };
  const drawn = await makeFiles(name, result, gathered.photos, copies, run);
  if (drawn !== inspection) await saveResult(name, { inspection: drawn, assessment }, run);
  await writeFileWhole(keyFile, `${key}\n`, ctx.cwd);
  return makeOutcome(result, vehicle, run, false);
}

/** Subfolder of the results for the keys of their inputs, one file per vehicle. */
const KEYS = '.vehi-keys';

/** Describes what a vehicle's result depends on: its photos (path, view, type, content), facts, options and problems. */
async function describeInputs(
  { vehicleId, vehicle, options }: InspectRequest,
  { photos, problems }: GatheredPhotos,
  known: KnownVehicle,
): Promise<unknown> {
  const read: unknown[] = [];
  for (const { url, angle, type, source } of photos) {
    // ./fleet and fleet are the same folder.
    read.push([normalize(url), angle, type, await hashFile(source.path)]);
  }
  return [vehicleId, vehicle, options, known, read, problems.map(({ message }) => message)];
}

async function hashFile(path: string): Promise<string> {
  try {
    const facts = await stat(path);
    // Larger files are rejected as photos, so size and modification time suffice.
    if (!facts.isFile() || facts.size > MAX_IMAGE_BYTES) return `${facts.size} ${facts.mtimeMs}`;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch (cause) {
    return `unreadable ${(cause as NodeJS.ErrnoException).code}`;
  }
}

/** Returns the result stored under a key; null if it or a file made of it is missing, invalid, or made of other inputs. */
async function loadResult(name: string, key: string, run: FleetRun): Promise<Found | null> {
  const locate = (path: string) => resolve(run.ctx.cwd, path);
  try {
    if ((await readFile(locate(join(run.folder, KEYS, name)), 'utf8')).trim() !== key) return null;
    const text = await readFile(locate(join(run.folder, `${name}.json`)), 'utf8');
    const { assessment = null, ...inspection } = parseJson(text) as Record<string, unknown>;
    if (!fits(InspectionEnvelopeSchema, inspection)) return null;
    if (assessment !== null && !fits(AssessmentEnvelopeSchema, assessment)) return null;
    const pictures = inspection.data.images.flatMap(({ annotated_url }) => annotated_url ?? []);
    const files = [...run.outputs.map((output) => nameFile(output, name)), ...pictures];
    return files.every((path) => existsSync(locate(path))) ? { inspection, assessment } : null;
  } catch {
    return null;
  }
}

function saveResult(name: string, { inspection, assessment }: Found, { folder, ctx }: FleetRun) {
  const document = { ...inspection, ...(assessment ? { assessment } : {}) };
  return writeFileWhole(join(folder, `${name}.json`), toJsonText(document), ctx.cwd);
}

/** Returns the path of a vehicle's file of one kind. */
export function nameFile({ kind, folder }: FolderOutput, name: string): string {
  return join(folder, `${name}${KINDS[kind].endings[0]}`);
}

/**
 * Draws a vehicle's photos and writes its outputs. Returns the inspection with the picture paths.
 * @throws VehiError usage OUTPUT_NOT_WRITABLE, input if a photo has changed since the inspection
 */
async function makeFiles(
  name: string,
  found: InspectedResult,
  photos: readonly PhotoInput[],
  copies: ReadonlyMap<string, string>,
  { outputs, redaction, view: run, ctx }: FleetRun,
): Promise<InspectionEnvelope> {
  const drawn = { copies, photos, showsPhotos: includesPhotos(outputs), redaction };
  const { pictures, annotate, written } = openAnnotator(found, drawn, ctx);
  await annotate();
  const inspection =
    copies.size === 0 ? found.inspection : endInspection(found.inspection, { annotated: written });
  const result = { ...found, inspection };
  const view = createFileView({
    ...run,
    pictures,
    showsPlates: !redaction.isOn,
    evidence: { env: ctx.env },
  });
  for (const output of outputs)
    await writeFileWhole(nameFile(output, name), await renderResult(output.kind, result, view), ctx.cwd);
  return inspection;
}

function makeOutcome(
  { inspection, assessment }: Found,
  vehicle: FleetVehicle,
  { settings, flags, folder }: FleetRun,
  isReused: boolean,
): Outcome {
  const rules = { ...readFailOn(settings), strict: Boolean(flags.strict), stopped: null };
  const { code, message: cause } = decideInspection(inspection.data, rules);
  const message = cause ?? (inspection.data.results ? null : findFailure(inspection));
  const file = join(folder, `${vehicle.name}.json`);
  return { row: makeRow({ inspection, assessment }, vehicle.folder, file, message), code, isReused };
}

function findFailure({ data }: InspectionEnvelope): string | null {
  return data.rejected_images[0]?.message ?? data.failure?.message ?? null;
}

function chooseExitCode(error: unknown): ExitCode {
  return error instanceof VehiError && error.kind !== 'engine' ? EXIT.inputRejected : EXIT.engine;
}

/** Creates the row of a vehicle skipped because of a stop. */
export function makeNotBegunRow(vehicle: FleetVehicle): SummaryRow {
  return makeEmptyRow('not_begun', chooseId(vehicle), vehicle.folder, null);
}

const chooseId = ({ vehicleId, name }: FleetVehicle) => vehicleId ?? name;

function makeFaultRow(vehicle: FleetVehicle, error: unknown): SummaryRow {
  const message = error instanceof Error ? error.message : String(error);
  const words = error instanceof VehiError ? message : `unexpected: ${message}`;
  return makeEmptyRow('error', chooseId(vehicle), vehicle.folder, words);
}
