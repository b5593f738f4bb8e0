import { resolve } from 'node:path';
import type { ModelUsed } from '../../domain/sight/detection.ts';
import type { CocoImage } from '../../evaluate/coco.ts';
import type { DamageScore } from '../../evaluate/damage-score.ts';
import { measureDamage } from '../../evaluate/measure-damage.ts';
import { measureParts } from '../../evaluate/measure-parts.ts';
import { measurePlates } from '../../evaluate/measure-plates.ts';
import type { PartsScore } from '../../evaluate/parts-score.ts';
import type { EvaluationPorts, PhotoFailure } from '../../evaluate/photo-run.ts';
import type { PlatesScore } from '../../evaluate/plates-score.ts';
import { resizeRgb } from '../../images/read/resize-rgb.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import type { SecondPass } from '../../vision/boxes/tiles.ts';
import type { Manifest } from '../../vision/models/manifest.ts';
import { loadManifest } from '../../vision/models/model-files.ts';
import { createPlateFinder } from '../../vision/plate-finder.ts';
import { createVision } from '../../vision/vision.ts';
import { renderEvaluationText } from '../tables/evaluation-table.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideExit } from '../terminal/exit-code.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';
import { type EvalFlags, listPhotoFiles, readImages } from './evaluation-input.ts';
import { countThreads, goThrough } from './go-through.ts';
import { findModelDir } from './models.run.ts';
import { runModelsFinds } from './models-finds.run.ts';
import { reportFailures } from './report-failures.ts';

const SECOND_PASSES = {
  none: { vehicle: false, mostTilesPerSide: 0, onlyWholeVehicles: true },
  vehicle: { vehicle: true, mostTilesPerSide: 0, onlyWholeVehicles: true },
  tiles: { vehicle: false, mostTilesPerSide: 2, onlyWholeVehicles: true },
  both: { vehicle: true, mostTilesPerSide: 2, onlyWholeVehicles: true },
  tiles3: { vehicle: false, mostTilesPerSide: 3, onlyWholeVehicles: true },
  'tiles-everywhere': { vehicle: false, mostTilesPerSide: 2, onlyWholeVehicles: false },
} as const satisfies Record<NonNullable<FlagsOf<'models eval'>['secondPass']>, SecondPass>;

/** Runs `vehi models eval`: measures the models on annotated photos; a photo that fails is reported and left out. */
export async function runModelsEval(flags: FlagsOf<'models eval'>, ctx: CliContext): Promise<void> {
  requireAnnotations(flags);
  if (flags.finds) return runModelsFinds(flags, ctx);
  const modelDir = findModelDir(flags, ctx);
  const threads = await countThreads(flags.threads, ctx);
  const images = await readImages(flags, ctx);
  const start = flags.plates ? startPlates : startInspecting;
  const { models, measure, close } = await start(flags, ctx, modelDir, images, threads);
  try {
    await goThrough(threads, ctx, async (ports, stopped) => {
      const { failures, ...score } = await measure(ports);
      await reportFailures(failures, ctx);
      const partial = stopped() !== null;
      const about = { models, sensitivity: flags.sensitivity ?? 'default', partial };
      await write(
        ctx.stdout,
        flags.json
          ? toJsonText({ ...about, ...score, failures })
          : renderEvaluationText(about, score, ctx.colour.stdout, countColumns(ctx)),
      );
      const outcome = { measured: score.photos, failed: failures.length };
      ctx.setExitCode(decideExit(outcome, { stopped: stopped() }).code);
    });
  } finally {
    await close();
  }
}

/** Throws VehiError kind `usage` where there is nothing to measure on. */
function requireAnnotations(flags: FlagsOf<'models eval'>): asserts flags is EvalFlags {
  const { annotations, images } = flags;
  if (annotations !== undefined && images !== undefined) return;
  const missing = annotations === undefined ? '--annotations <file>' : '--images <dir>';
  throw new VehiError('usage', 'INVALID_REQUEST', `required option '${missing}' not specified`, {
    hint: 'Or measure by what reviewers decided: --corrections FILE…',
  });
}

/**
 * Returns the set of thresholds to measure average precision at: there are two.
 * @throws VehiError kind `usage` for the third sensitivity
 */
function chooseThresholds({ sensitivity = 'default' }: FlagsOf<'models eval'>): 'default' | 'high' {
  if (sensitivity !== 'low') return sensitivity;
  throw new VehiError('usage', 'SENSITIVITY_UNKNOWN', '--sensitivity low goes with --finds only');
}

/** Models that have been started, and how they are measured. */
interface Measuring {
  readonly models: readonly ModelUsed[];
  measure(
    ports: Omit<EvaluationPorts, 'look'>,
  ): Promise<(DamageScore | PartsScore | PlatesScore) & { failures: PhotoFailure[] }>;
  close(): Promise<void>;
}

/** Starts the models of an inspection. */
async function startInspecting(
  flags: EvalFlags,
  ctx: CliContext,
  modelDir: string,
  images: readonly CocoImage[],
  threads: number,
): Promise<Measuring> {
  const manifest = await loadManifest(modelDir);
  const clean = flags.clean === undefined ? [] : await listPhotoFiles(resolve(ctx.cwd, flags.clean));
  const vision = await createVision({
    modelDir,
    threads,
    resize: resizeRgb,
    ...defined({ precision: flags.precision }),
    ...(flags.secondPass === undefined ? {} : { secondPass: SECOND_PASSES[flags.secondPass] }),
  });
  return {
    models: vision.models,
    measure(ports) {
      const looking: EvaluationPorts = { ...ports, look: (photo) => vision.look(photo) };
      return flags.parts
        ? evaluateParts(flags, ctx, manifest, images, looking)
        : evaluateDamage(flags, ctx, manifest, images, clean, looking);
    },
    close: () => vision.close(),
  };
}

/** Starts the plate finder, which inspections do without. */
async function startPlates(
  flags: EvalFlags,
  ctx: CliContext,
  modelDir: string,
  images: readonly CocoImage[],
): Promise<Measuring> {
  const finder = await createPlateFinder({ modelDir, resize: resizeRgb });
  const imageDir = resolve(ctx.cwd, flags.images);
  return {
    models: [finder.model],
    measure: (ports) =>
      measurePlates({ images, imageDir }, { ...ports, find: (photo) => finder.find(photo) }),
    close: () => finder.close(),
  };
}

function evaluateDamage(
  flags: EvalFlags,
  ctx: CliContext,
  { damage }: Manifest,
  images: readonly CocoImage[],
  clean: readonly string[],
  ports: EvaluationPorts,
) {
  if (flags.far !== undefined && clean.length === 0) {
    throw new VehiError(
      'usage',
      'CLEAN_PHOTOS_NEEDED',
      '--far needs --clean DIR: the photos are shown as parts of clean ones',
    );
  }
  const measurement = {
    images,
    imageDir: resolve(ctx.cwd, flags.images),
    clean,
    labels: damage.labels,
    thresholds: damage.thresholds[chooseThresholds(flags)],
    floor: damage.thresholds.high,
    ...(flags.far === undefined ? {} : { far: { factor: flags.far, resize: resizeRgb } }),
  };
  return measureDamage(measurement, ports);
}

function evaluateParts(
  flags: EvalFlags,
  ctx: CliContext,
  { parts }: Manifest,
  images: readonly CocoImage[],
  ports: EvaluationPorts,
) {
  const silhouettes =
    flags.silhouettes === undefined ? {} : { silhouetteDir: resolve(ctx.cwd, flags.silhouettes) };
  return measureParts(
    { images, imageDir: resolve(ctx.cwd, flags.images), labels: parts.labels, ...silhouettes },
    ports,
  );
}
