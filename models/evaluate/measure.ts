/**
 * Measures the models of this checkout on labelled photos.
 *
 *     npm run models:measure -- finds  --annotations photos/labels.json --images photos [--sensitivity high]
 *     npm run models:measure -- stages --annotations photos/labels.json --images photos
 *     npm run models:measure -- damage --annotations val.json --images val --clean clean [--far 2.5]
 *     npm run models:measure -- parts  --annotations parts.json --images parts [--silhouettes outlines]
 *     npm run models:measure -- plates --annotations plates.json --images val
 *     npm run models:measure -- corrections *.reviewed.json
 *
 * `finds` measures end-to-end quality: recall of an inspection on labelled damage, by touch, and its false alarms.
 * `stages` counts the labelled damages that the boxes left at each stage still match, per kind of view.
 * `damage` runs the steps of an inspection; `--far` shows each photo as a small part of a clean one.
 * `corrections` counts what reviewers decided, in reviewed results or their corrections.coco.json, and proposes the limits
 * `certain_from` and `to_check_from`.
 */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findModelDir } from '../../src/cli/local-engine.ts';
import { type CliContext, createProcessContext } from '../../src/cli/terminal/context.ts';
import { reportError } from '../../src/cli/terminal/errors.ts';
import { countColumns, write } from '../../src/cli/terminal/output.ts';
import { readSettings } from '../../src/config/settings.ts';
import type { SizedRaster } from '../../src/domain/photo.ts';
import { SENSITIVITIES } from '../../src/domain/sensitivity.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { VehiError } from '../../src/lib/errors.ts';
import { toJsonText } from '../../src/lib/json.ts';
import { defined } from '../../src/lib/objects.ts';
import { loadJudge, loadManifest, recordModelUsed } from '../../src/vision/models/model-files.ts';
import { createVision } from '../../src/vision/vision.ts';
import { measureCorrections } from './corrections/measure-corrections.ts';
import { listPhotoFiles, readImages } from './evaluation-input.ts';
import { renderEvaluationText } from './evaluation-table.ts';
import { createFarView } from './far-view.ts';
import { lookAtLabelled, reportFinds } from './finds/measure-finds.ts';
import { renderFindsText } from './finds-text.ts';
import { readLabelled, understand } from './labelled.ts';
import { measureDamage } from './measure-damage.ts';
import { measureParts } from './measure-parts.ts';
import { measurePlates } from './measure-plates.ts';
import { measureStages, renderStages } from './measure-stages.ts';
import type { EvaluationPorts, PhotoFailure } from './photo-run.ts';
import { countThreads, processPhotos, reportFailures } from './process-photos.ts';
import { renderScore } from './texts.ts';

/** @throws TypeError for a flag that is not known */
const parseWords = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      annotations: { type: 'string', default: '' },
      images: { type: 'string', default: '.' },
      silhouettes: { type: 'string' },
      clean: { type: 'string' },
      only: { type: 'string' },
      limit: { type: 'string' },
      sensitivity: { type: 'string', default: 'default' },
      far: { type: 'string' },
      threads: { type: 'string' },
      models: { type: 'string' },
      json: { type: 'boolean' },
    },
  });

/** Validates the value of a flag. @throws VehiError usage listing the choices */
function choose<T extends string>(
  flag: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  const found = known.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  throw new VehiError(
    'usage',
    'INVALID_REQUEST',
    `--${flag} ${value}: one of ${known.join(', ')} is needed.`,
  );
}

type Text = (columns: number) => string;
/** Result of a measurement: its figures, the failed photos, and its text rendering. */
interface Measured {
  readonly figures: object;
  readonly failures: readonly PhotoFailure[];
  readonly text: Text;
}

async function measure(
  { values: flags, positionals }: ReturnType<typeof parseWords>,
  ctx: CliContext,
): Promise<void> {
  const [kind = 'finds', ...files] = positionals;
  if (kind === 'corrections') return measureCorrections(files, Boolean(flags.json), ctx);
  const sensitivity = choose('sensitivity', flags.sensitivity, SENSITIVITIES) ?? 'default';
  const modelDir = findModelDir(readSettings(defined({ models: flags.models }), ctx), ctx);
  const threads = await countThreads(flags.threads === undefined ? undefined : Number(flags.threads), ctx);
  const { annotations, images: folder, only } = flags;
  const limit = flags.limit === undefined ? undefined : Number(flags.limit);
  const readAnnotated = () => readImages({ annotations, ...defined({ only, limit }) }, ctx);
  const imageDir = resolve(ctx.cwd, folder);

  async function print(
    measure: (ports: Omit<EvaluationPorts, 'runModels'>, partial: () => boolean) => Promise<Measured>,
  ) {
    await processPhotos(threads, ctx, async (ports, stopped) => {
      const { figures, failures, text } = await measure(ports, () => stopped() !== null);
      await reportFailures(failures, ctx);
      await write(ctx.stdout, flags.json ? toJsonText({ ...figures, failures }) : text(countColumns(ctx)));
    });
  }

  if (kind === 'plates') {
    const images = await readAnnotated();
    const { plates } = await loadManifest(modelDir);
    if (plates === undefined)
      throw new VehiError('engine', 'NO_PLATE_MODEL', `${modelDir} has no model that finds number plates.`);
    const used = [recordModelUsed(plates)];
    const finder = await createVision({ modelDir, threads, resize: resizeRgb });
    try {
      return await print(async (ports, partial) => {
        const find = async (photo: SizedRaster) =>
          (await finder.findPlates(photo, await finder.findParts(photo))) ?? [];
        const { failures, ...score } = await measurePlates({ images, imageDir }, { ...ports, find });
        const text: Text = (columns) => renderScore(score, used, partial(), columns);
        return { figures: { models: used, ...score }, failures, text };
      });
    } finally {
      await finder.close();
    }
  }
  const vision = await createVision({ modelDir, threads, resize: resizeRgb });
  const { models } = vision;
  try {
    const manifest = await loadManifest(modelDir);
    if (kind === 'finds') {
      const labelled = await readLabelled(annotations, ctx, folder);
      await print(async (ports, partial) => {
        const { results, failures } = await lookAtLabelled(labelled.photos, labelled.folder, {
          ...ports,
          look: async (picture) => {
            const { detections, parts, presence } = await vision.detect(picture);
            return { detections, parts, presence };
          },
        });
        const report = reportFinds(results, vision.limits[sensitivity], understand);
        const model = models.find(({ id }) => id === 'damage');
        const title = `${model?.name} ${model?.version}, sensitivity ${sensitivity}`;
        const text: Text = (columns) => renderFindsText(title, report, ctx.color.stdout, columns);
        return { figures: { models, sensitivity, partial: partial(), ...report }, failures, text };
      });
    } else if (kind === 'stages') {
      const labelled = await readLabelled(annotations, ctx, folder);
      const judges = await loadJudge(modelDir, manifest.damage);
      if (!judges)
        throw new VehiError('input', 'JUDGE_NEEDED', 'the models have no judge.json to select by.');
      await print(async (ports) => {
        const by = { first: judges.first, limits: vision.limits[sensitivity] };
        const { rows, failures } = await measureStages(labelled, vision, by, ports);
        return { figures: { models, sensitivity, rows }, failures, text: () => renderStages(rows) };
      });
    } else if (kind === 'parts') {
      const images = await readAnnotated();
      const silhouetteDir = flags.silhouettes && resolve(ctx.cwd, flags.silhouettes);
      const measurement = {
        images,
        imageDir,
        labels: manifest.parts.labels,
        ...(silhouetteDir ? { silhouetteDir } : {}),
      };
      await print(async (ports, partial) => {
        const { failures, ...score } = await measureParts(measurement, {
          ...ports,
          runModels: vision.runModels,
        });
        const text: Text = (columns) => renderScore(score, models, partial(), columns);
        return { figures: { models, ...score }, failures, text };
      });
    } else if (kind === 'damage') {
      const images = await readAnnotated();
      const clean = flags.clean === undefined ? [] : await listPhotoFiles(resolve(ctx.cwd, flags.clean));
      if (flags.far !== undefined && clean.length === 0)
        throw new VehiError(
          'usage',
          'CLEAN_PHOTOS_NEEDED',
          '--far needs --clean DIR: the photos are shown as parts of clean ones',
        );
      const measurement = { images, imageDir, clean, labels: manifest.damage.labels };
      await print(async (ports, partial) => {
        const show = flags.far && createFarView(clean, Number(flags.far), resizeRgb, ports.decode);
        const { failures, ...score } = await measureDamage(
          { ...measurement, ...(show ? { show } : {}) },
          { ...ports, runModels: vision.runModels },
        );
        const about = { models, partial: partial() };
        const text: Text = (columns) => renderEvaluationText(about, score, ctx.color.stdout, columns);
        return { figures: { ...about, ...score }, failures, text };
      });
    } else choose('kind', kind, ['finds', 'stages', 'damage', 'parts', 'plates', 'corrections']);
  } finally {
    await vision.close();
  }
}

/** Runs the measurement that the words of a command line ask for; a failure is reported on stderr, with an exit code. */
export async function runMeasure(words: readonly string[], ctx: CliContext): Promise<void> {
  const parsed = parseWords(words);
  await measure(parsed, ctx).catch((error: unknown) => reportError(error, ctx));
}

if (process.argv[1] === import.meta.filename)
  await runMeasure(process.argv.slice(2), createProcessContext([]));
