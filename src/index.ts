/*
 * Library entry of vehi:
 *   createEngine ─▶ engine.inspect(request) · assess(request) · compare(before, after) ─▶ results in wire format
 * `docs/architecture.md` describes the rooms that it puts together.
 */

import { resolve } from 'node:path';
import { loadTablesWith } from './config/regions-file.ts';
import { readSetting, SETTINGS } from './config/settings.ts';
import { switchOffTelemetry } from './config/telemetry.ts';
import { type ClaimFile, mergeClaimFiles, pickIdentity } from './domain/vehicle/claim-file.ts';
import { PRICING_FACTS } from './domain/vehicle/vehicle.ts';
import type { PriceDefaults } from './engine/assess/assess.ts';
import { assembleEngine, type Engine, type Inspectors } from './engine/engine.ts';
import type { InspectOptions, PhotoInput, RejectedPhoto } from './engine/request.ts';
import { defined, pick } from './lib/objects.ts';
import { readPackageJson } from './lib/package.ts';
import { shippedModelDir } from './vision/models/model-files.ts';
import { countDefaultThreads } from './vision/run/threads.ts';

export type { AssessmentEnvelope } from './contract/assessment/assessment.ts';
export type {
  Damage,
  InspectionEnvelope,
  InspectionMeta,
  InspectionResults,
  Photo,
  VisualInspection,
} from './contract/inspection.ts';
export type { Sensitivity } from './domain/sensitivity.ts';
export type { IdentityFacts as VehicleFacts } from './domain/vehicle/claim-file.ts';
export type { PriceDefaults } from './engine/assess/assess.ts';
export type { Comparison } from './engine/compare/comparison.ts';
export type { AssessCall, Engine } from './engine/engine.ts';
export type {
  InspectEvent,
  InspectHooks,
  InspectOptions,
  InspectRequest,
  PhotoInput,
  PhotoSource,
  RejectedPhoto,
  SeenPhotos,
} from './engine/request.ts';
export { VehiError } from './lib/errors.ts';

export interface EngineOptions {
  /** Folder with `manifest.json` and the model files; default: the bundled models. */
  readonly modelDir?: string;
  /** Threads that run the models, 1 to 256; default: the processors available to this process. */
  readonly threads?: number;
  /** JSON file with custom regions, added to the bundled table. */
  readonly regionsFile?: string;
  /** Default region and currency of requests; default: those of the command line. */
  readonly defaults?: PriceDefaults;
  /** `when-needed` loads the models at the first inspection: pricing and comparing need none; default: `now`. */
  readonly models?: 'now' | 'when-needed';
  /** Clock for result timestamps; default: the system clock. */
  readonly now?: () => Date;
}

export { shippedModelDir };

/**
 * Loads tables and models and returns the engine; call `close()` when done.
 * @throws VehiError kind `engine` when a model is missing or differs from the manifest; kind `usage` for an invalid
 * table or number of threads.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  switchOffTelemetry();
  const threads = Number(
    readSetting('threads', options.threads ?? (await countDefaultThreads()), 'createEngine'),
  );
  const engine = assembleEngine({
    openInspectors: () => openInspectors(options, threads),
    tables: await loadTablesWith(options.regionsFile),
    defaults: options.defaults ?? { region: DEFAULT_OPTIONS.region },
    // Decodes one photo ahead of the model threads; more costs memory and gains nothing (`npm run bench`).
    concurrency: threads + 1,
    softwareVersion: readPackageJson().version,
    now: options.now ?? (() => new Date()),
  });
  if (options.models !== 'when-needed') await engine.load();
  return engine;
}

async function openInspectors(options: EngineOptions, threads: number): Promise<Inspectors> {
  // Loaded lazily, because decoders and models would double the startup time of pricing-only callers.
  const [{ createPhotoReader }, { resizeRgb }, { createVision }] = await Promise.all([
    import('./images/photo-reader.ts'),
    import('./images/read/resize-rgb.ts'),
    import('./vision/vision.ts'),
  ]);
  const { modelDir = shippedModelDir() } = options;
  const vision = await createVision({ modelDir, resize: resizeRgb, threads });
  return { reader: createPhotoReader(), vision };
}

/** Default inspection options: those of `vehi inspect` without flags. */
export const DEFAULT_OPTIONS: InspectOptions = {
  detailed: false,
  hiddenDamage: false,
  region: SETTINGS.region.fallback,
  sensitivity: SETTINGS.sensitivity.fallback,
  minConfidence: SETTINGS.min_confidence.fallback,
};

/** Photos found on disk, with the facts from `vehi.json` and file names; an odometer's reading only with its unit. */
interface FoundPhotos extends ClaimFile {
  /** From `vehi.json`, else the name of the first folder, else `vehicle`. */
  readonly vehicleId: string;
  readonly photos: readonly PhotoInput[];
  /** Named inputs that are no photo or unreadable. */
  readonly rejected: readonly RejectedPhoto[];
  /** Pictures that were passed over, and entries of `vehi.json` without a photo, in words. */
  readonly warnings: readonly string[];
}

/**
 * Finds the photos of one vehicle like `vehi inspect`: files, folders and globs, relative to the working directory.
 * @throws VehiError kind `input` for an unusable `vehi.json`, `usage` for an empty path
 */
export async function findPhotos(
  paths: readonly string[],
  options: { readonly recursive?: boolean } = {},
): Promise<FoundPhotos> {
  const { gatherPhotos } = await import('./images/find/gather-photos.ts');
  const found = await gatherPhotos(paths, { cwd: resolve('.'), recursive: options.recursive ?? false });
  const { claim, vehicle: { odometer: reading, ...stated } = {} } = found;
  const odometer = reading?.unit && { ...reading, unit: reading.unit };
  const vehicle = {
    ...pick(stated, PRICING_FACTS),
    ...pickIdentity({ ...stated, ...defined({ odometer }) }),
  };
  return {
    vehicleId: found.vehicleId?.value ?? 'vehicle',
    photos: found.photos,
    rejected: found.problems,
    warnings: found.warnings,
    ...mergeClaimFiles({ ...defined({ claim }) }, { vehicle }),
  };
}
