import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadSettings } from '../../config/settings.ts';
import { VehiError } from '../../domain/errors.ts';
import { decodeAny } from '../../images/decode-any.ts';
import { resizeRgb } from '../../images/resize-rgb.ts';
import { type CocoImage, parseCoco } from '../../vision/evaluate/coco.ts';
import { measureDamage } from '../../vision/evaluate/measure-damage.ts';
import type { EvaluationPorts } from '../../vision/evaluate/photo-run.ts';
import { loadManifest, packagedModelDir } from '../../vision/model-files.ts';
import { defaultThreads } from '../../vision/threads.ts';
import type { SecondPass } from '../../vision/tiles.ts';
import { createVision } from '../../vision/vision.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { damageScoreTable } from '../format/evaluation-table.ts';
import { write } from '../output.ts';
import { inspectProgress, tell } from '../progress.ts';
import type { EvalFlags, SecondPassName } from './models.ts';

const SECOND_PASSES = {
  none: { vehicle: false, mostTilesPerSide: 0 },
  vehicle: { vehicle: true, mostTilesPerSide: 0 },
  tiles: { vehicle: false, mostTilesPerSide: 2 },
  both: { vehicle: true, mostTilesPerSide: 2 },
  tiles3: { vehicle: false, mostTilesPerSide: 3 },
} as const satisfies Record<SecondPassName, SecondPass>;

const MOST_ANNOTATION_BYTES = 512 * 1024 * 1024;
const FAILURES_TOLD = 10;

/** `vehi models eval`: measures the models on annotated photos; a photo that fails is told and left out. */
export async function runModelsEval(flags: EvalFlags, ctx: CliContext): Promise<void> {
  const settings = loadSettings({ models: flags.models, threads: flags.threads }, ctx.env, ctx.cwd);
  const modelDir =
    settings.models.value === null ? packagedModelDir() : resolve(ctx.cwd, String(settings.models.value));
  const threads = settings.threads.value === null ? await defaultThreads() : Number(settings.threads.value);
  const manifest = await loadManifest(modelDir);
  const images = await readImages(flags, ctx);
  const clean = flags.clean === undefined ? [] : await listPhotos(resolve(ctx.cwd, flags.clean));
  if (flags.far !== undefined && clean.length === 0) {
    throw new VehiError(
      'usage',
      'CLEAN_PHOTOS_NEEDED',
      '--far needs --clean DIR: the photos are shown as parts of clean ones',
    );
  }
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
    const sensitivity = flags.sensitivity ?? 'default';
    const { labels, thresholds } = manifest.damage;
    const score = await measureDamage(
      {
        images,
        imageDir: resolve(ctx.cwd, flags.images),
        clean,
        labels,
        thresholds: thresholds[sensitivity] as Record<string, number>,
        floor: thresholds.high as Record<string, number>,
        ...(flags.far === undefined ? {} : { far: { factor: flags.far, resize: resizeRgb } }),
      },
      ports,
    );
    progress.stop();
    for (const { file, reason } of score.failures.slice(0, FAILURES_TOLD))
      await tell(ctx, `${file}: ${reason}`);
    if (score.failures.length > FAILURES_TOLD)
      await tell(ctx, `… and ${score.failures.length - FAILURES_TOLD} more`);
    const result = { models: vision.models, sensitivity, partial: stop.signal.aborted, ...score };
    await write(
      ctx.stdout,
      flags.json ? `${JSON.stringify(result, null, 2)}\n` : damageScoreTable(result, ctx.colour.stdout),
    );
    if (stop.signal.aborted) ctx.setExitCode(EXIT.interrupted);
    else if (score.failures.length > 0 && score.photos + score.clean.photos === 0)
      ctx.setExitCode(EXIT.inputRejected);
  } finally {
    progress.stop();
    forget();
    await vision.close();
  }
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
