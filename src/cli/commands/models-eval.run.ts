import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadSettings } from '../../config/settings.ts';
import { VehiError } from '../../domain/errors.ts';
import { decodeAny } from '../../images/decode-any.ts';
import { resizeRgb } from '../../images/resize-rgb.ts';
import { type CocoImage, parseCoco } from '../../vision/evaluate/coco.ts';
import { measureDamage } from '../../vision/evaluate/measure-damage.ts';
import { measureParts } from '../../vision/evaluate/measure-parts.ts';
import type { EvaluationPorts, PhotoFailure } from '../../vision/evaluate/photo-run.ts';
import type { Manifest } from '../../vision/manifest.ts';
import { loadManifest } from '../../vision/model-files.ts';
import { defaultThreads } from '../../vision/threads.ts';
import type { SecondPass } from '../../vision/tiles.ts';
import { createVision } from '../../vision/vision.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { evaluationText } from '../format/evaluation-table.ts';
import { write } from '../output.ts';
import { inspectProgress, tell } from '../progress.ts';
import { modelDirOf } from './models.run.ts';
import type { EvalFlags, SecondPassName } from './models.ts';

const SECOND_PASSES = {
  none: { vehicle: false, mostTilesPerSide: 0, onlyWholeVehicles: true },
  vehicle: { vehicle: true, mostTilesPerSide: 0, onlyWholeVehicles: true },
  tiles: { vehicle: false, mostTilesPerSide: 2, onlyWholeVehicles: true },
  both: { vehicle: true, mostTilesPerSide: 2, onlyWholeVehicles: true },
  tiles3: { vehicle: false, mostTilesPerSide: 3, onlyWholeVehicles: true },
  'tiles-everywhere': { vehicle: false, mostTilesPerSide: 2, onlyWholeVehicles: false },
} as const satisfies Record<SecondPassName, SecondPass>;

const MOST_ANNOTATION_BYTES = 512 * 1024 * 1024;
const FAILURES_TOLD = 10;

/** `vehi models eval`: measures the models on annotated photos; a photo that fails is told and left out. */
export async function runModelsEval(flags: EvalFlags, ctx: CliContext): Promise<void> {
  const settings = loadSettings({ models: flags.models, threads: flags.threads }, ctx.env, ctx.cwd);
  const modelDir = modelDirOf(flags, ctx);
  const threads = settings.threads.value === null ? await defaultThreads() : Number(settings.threads.value);
  const manifest = await loadManifest(modelDir);
  const images = await readImages(flags, ctx);
  const clean = flags.clean === undefined ? [] : await listPhotos(resolve(ctx.cwd, flags.clean));
  const vision = await createVision({
    modelDir,
    threads,
    resize: resizeRgb,
    ...(flags.precision === undefined ? {} : { precision: flags.precision }),
    ...(flags.secondPass === undefined ? {} : { secondPass: SECOND_PASSES[flags.secondPass] }),
  });
  const progress = await inspectProgress(ctx, false);
  const stop = new AbortController();
  const forget = ctx.onStop(() => stop.abort());
  const ports: EvaluationPorts = {
    decode: decodeAny,
    look: (photo) => vision.look(photo),
    atOnce: threads + 1,
    signal: stop.signal,
    onProgress: (done, photos) => progress.note(`photo ${done} of ${photos}`),
  };
  try {
    const measured = flags.parts
      ? partsOf(flags, ctx, manifest, images, ports)
      : damageOf(flags, ctx, manifest, images, clean, ports);
    const { failures, ...score } = await measured;
    progress.stop();
    await tellFailures(failures, ctx);
    const about = {
      models: vision.models,
      sensitivity: flags.sensitivity ?? 'default',
      partial: stop.signal.aborted,
    };
    await write(
      ctx.stdout,
      flags.json
        ? `${JSON.stringify({ ...about, ...score, failures }, null, 2)}\n`
        : evaluationText(about, score, ctx.colour.stdout),
    );
    if (stop.signal.aborted) ctx.setExitCode(EXIT.interrupted);
    else if (failures.length > 0 && score.photos === 0) ctx.setExitCode(EXIT.inputRejected);
  } finally {
    progress.stop();
    forget();
    await vision.close();
  }
}

function damageOf(
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
    thresholds: damage.thresholds[flags.sensitivity ?? 'default'],
    floor: damage.thresholds.high,
    ...(flags.far === undefined ? {} : { far: { factor: flags.far, resize: resizeRgb } }),
  };
  return measureDamage(measurement, ports);
}

function partsOf(
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

async function tellFailures(failures: readonly PhotoFailure[], ctx: CliContext): Promise<void> {
  for (const { file, reason } of failures.slice(0, FAILURES_TOLD)) await tell(ctx, `${file}: ${reason}`);
  if (failures.length > FAILURES_TOLD) await tell(ctx, `… and ${failures.length - FAILURES_TOLD} more`);
}

async function readImages(flags: EvalFlags, ctx: CliContext): Promise<CocoImage[]> {
  const all = parseCoco(await readText(resolve(ctx.cwd, flags.annotations)), flags.annotations);
  const names = flags.only && new Set((await readText(resolve(ctx.cwd, flags.only))).split(/\r?\n/));
  const images = names ? all.filter(({ file }) => names.has(file)) : all;
  if (images.length === 0) {
    throw new VehiError(
      'input',
      'NO_PHOTOS',
      `${flags.annotations} has none of the images named in ${flags.only}`,
      {
        hint: 'The names must be spelt as in file_name.',
      },
    );
  }
  const { limit = images.length } = flags;
  const taken = Math.min(limit, images.length);
  return Array.from(
    { length: taken },
    (_, i) => images[Math.floor((i * images.length) / taken)] as CocoImage,
  );
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MOST_ANNOTATION_BYTES)
      throw new Error(`it has ${bytes.length} bytes, at most ${MOST_ANNOTATION_BYTES} are read`);
    return bytes.toString('utf8');
  } catch (cause) {
    throw new VehiError(
      'input',
      'ANNOTATIONS_UNREADABLE',
      `${path} cannot be read: ${(cause as Error).message}`,
      { cause },
    );
  }
}

async function listPhotos(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((cause: Error) => {
    throw new VehiError('input', 'FOLDER_UNREADABLE', `${dir} cannot be read: ${cause.message}`, { cause });
  });
  const photos = names.filter((name) => /\.(jpe?g|png|webp|avif|tiff?)$/i.test(name)).sort();
  if (photos.length === 0) throw new VehiError('input', 'NO_PHOTOS', `${dir} holds no photos`);
  return photos.map((name) => join(dir, name));
}
