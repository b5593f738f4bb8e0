/**
 * Fits the judges and the limits of certain and to-check findings on labelled photos, and reports their cross-validated
 * metrics (ten folds). Each label file is in the folder of its photos.
 *
 *     npm run models:fit -- LABELS.json... [--models DIR] [--write] [--json] [--threads N]
 *
 * `--write` writes judge.json and the limits to the model folder.
 */
import { parseArgs } from 'node:util';
import { findModelDir } from '../../src/cli/local-engine.ts';
import { type CliContext, createProcessContext } from '../../src/cli/terminal/context.ts';
import { reportError } from '../../src/cli/terminal/errors.ts';
import { countColumns, write } from '../../src/cli/terminal/output.ts';
import { readSettings } from '../../src/config/settings.ts';
import type { SizedRaster } from '../../src/domain/photo.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { VehiError } from '../../src/lib/errors.ts';
import { toJsonText } from '../../src/lib/json.ts';
import { defined } from '../../src/lib/objects.ts';
import type { Candidate } from '../../src/vision/judge/weigh-candidates.ts';
import { type CandidateOutputs, createVision } from '../../src/vision/vision.ts';
import { fitFirst, fitLimits } from './finds/fit-limits.ts';
import type { LabelledPhoto } from './finds/labelled-photos.ts';
import { lookAtLabelled, type SeenPhoto } from './finds/measure-finds.ts';
import { renderFindsText } from './finds-text.ts';
import { readLabelled, understand } from './labelled.ts';
import type { PhotoFailure } from './photo-run.ts';
import { countThreads, processPhotos, reportFailures } from './process-photos.ts';
import { writeFit } from './write-fit.ts';

/** @throws TypeError for a flag that is not known */
const parseWords = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      models: { type: 'string' },
      write: { type: 'boolean' },
      json: { type: 'boolean' },
      threads: { type: 'string' },
    },
  });

async function fitOnPhotos(
  { values: flags, positionals: labelFiles }: ReturnType<typeof parseWords>,
  ctx: CliContext,
): Promise<void> {
  const labelled = await Promise.all(labelFiles.map((file) => readLabelled(file, ctx)));
  if (!labelled.some(({ photos }) => photos.some(({ clean }) => clean)))
    throw new VehiError('input', 'CLEAN_PHOTOS_NEEDED', 'the label files hold no photo without damage', {
      hint: 'Limits are chosen by how often photos of undamaged vehicles alarm: add some with "damages": [].',
    });
  const modelDir = findModelDir(readSettings(defined({ models: flags.models }), ctx), ctx);
  const threads = await countThreads(flags.threads === undefined ? undefined : Number(flags.threads), ctx);
  // The weights in the folder are replaced later and may be of another version.
  const vision = await createVision({ modelDir, threads, resize: resizeRgb, skipJudge: true });
  try {
    await processPhotos(threads, ctx, async (ports, stopped) => {
      const lookAtAll = async (
        look: (picture: SizedRaster, photo: LabelledPhoto) => Promise<CandidateOutputs>,
      ) => {
        const sets: SeenPhoto<Candidate>[][] = [];
        const failures: PhotoFailure[] = [];
        for (const { folder, photos } of labelled) {
          const looked = await lookAtLabelled<Candidate>(photos, folder, { ...ports, look });
          sets.push(looked.results);
          failures.push(...looked.failures);
        }
        return { sets, failures };
      };
      const { sets: considered } = await lookAtAll(vision.listCandidates);
      if (stopped()) return;
      const first = fitFirst(considered, understand);
      const { sets: weighed, failures } = await lookAtAll((picture, photo) =>
        vision.scoreCandidates(picture, first.of(photo)),
      );
      await reportFailures(failures, ctx);
      if (stopped()) return;
      const isClassified = vision.models.some(({ id }) => id === 'classifier');
      const fit = fitLimits({ considered, first, weighed, isClassified }, understand);
      const models = vision.models
        .filter(({ id }) => id === 'damage' || id === 'classifier')
        .map(({ name, version }) => `${name} ${version}`)
        .join(' with ');
      if (flags.write) await writeFit(modelDir, fit, models, labelFiles);
      const { limits, together, firstLook, sets } = fit;
      const columns = countColumns(ctx);
      const texts = [
        renderFindsText(`${models}, detector alone`, firstLook, ctx.color.stdout, columns),
        renderFindsText(`${models}, judged by ten folds`, together, ctx.color.stdout, columns),
        ...sets.map((report, at) =>
          renderFindsText(`of these, ${labelFiles[at]}`, report, ctx.color.stdout, columns),
        ),
      ];
      const figures = { limits, together, sets, firstLook, failures };
      await write(ctx.stdout, flags.json ? toJsonText(figures) : texts.join('\n'));
    });
  } finally {
    await vision.close();
  }
}

/** Runs the fit that the words of a command line ask for; a failure is reported on stderr, with an exit code. */
export async function runFit(words: readonly string[], ctx: CliContext): Promise<void> {
  const parsed = parseWords(words);
  await fitOnPhotos(parsed, ctx).catch((error: unknown) => reportError(error, ctx));
}

if (process.argv[1] === import.meta.filename) await runFit(process.argv.slice(2), createProcessContext([]));
