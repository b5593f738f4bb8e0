import { fitFirst, fitLimits } from '../../evaluate/finds/fit-limits.ts';
import type { LabelledPhoto } from '../../evaluate/finds/labelled-photos.ts';
import { lookAtLabelled, type SeenPhoto } from '../../evaluate/finds/measure-finds.ts';
import type { PhotoFailure } from '../../evaluate/photo-run.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import type { WeighedFinding } from '../../vision/judge/weigh.ts';
import type { Picture, WeighedLook } from '../../vision/vision.ts';
import { renderFindsText } from '../tables/finds-text.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';
import { readLabelled, understand } from './finds-input.ts';
import { findModelDir } from './models.run.ts';
import { withVision } from './models-finds.run.ts';
import { reportFailures } from './report-failures.ts';
import { writeFit } from './write-fit.ts';

/**
 * Runs `vehi models fit`: fits the judge and the limits on labelled photos, measures them by ten folds, and with
 * --write saves them next to the models.
 */
export async function runModelsFit(
  labelFiles: readonly string[],
  flags: FlagsOf<'models fit'>,
  ctx: CliContext,
): Promise<void> {
  const labelled = await Promise.all(labelFiles.map((file) => readLabelled(file, ctx)));
  if (!labelled.some(({ photos }) => photos.some(({ clean }) => clean)))
    throw new VehiError('input', 'CLEAN_PHOTOS_NEEDED', 'the label files hold no photo without damage', {
      hint: 'Limits are chosen by how often photos of undamaged vehicles alarm: add some with "damages": [].',
    });
  // The weights in the folder are about to be replaced, and may be of another version.
  await withVision({ ...flags, unjudged: true }, ctx, async (vision, ports, stopped) => {
    const lookAtAll = async (look: (picture: Picture, photo: LabelledPhoto) => Promise<WeighedLook>) => {
      const sets: SeenPhoto<WeighedFinding>[][] = [];
      const failures: PhotoFailure[] = [];
      for (const { folder, photos } of labelled) {
        const looked = await lookAtLabelled<WeighedFinding>(photos, folder, { ...ports, look });
        sets.push(looked.results);
        failures.push(...looked.failures);
      }
      return { sets, failures };
    };
    const { sets: considered } = await lookAtAll(vision.consider);
    if (stopped()) return;
    const first = fitFirst(considered, understand);
    const { sets: weighed, failures } = await lookAtAll((picture, photo) =>
      vision.weigh(picture, first.of(photo)),
    );
    await reportFailures(failures, ctx);
    if (stopped()) return;
    const isClassified = vision.models.some(({ id }) => id === 'classifier');
    const fit = fitLimits({ considered, first, weighed, isClassified }, understand);
    const models = vision.models
      .filter(({ id }) => id === 'damage' || id === 'classifier')
      .map(({ name, version }) => `${name} ${version}`)
      .join(' with ');
    if (flags.write) await writeFit(findModelDir(flags, ctx), fit, models, labelFiles);
    const { limits, together, firstLook } = fit;
    const texts = [
      renderFindsText(`${models}, detector alone`, firstLook, ctx.colour.stdout, countColumns(ctx)),
      renderFindsText(`${models}, judged by ten folds`, together, ctx.colour.stdout, countColumns(ctx)),
      ...fit.sets.map((report, at) =>
        renderFindsText(`of these, ${labelFiles[at]}`, report, ctx.colour.stdout, countColumns(ctx)),
      ),
    ];
    await write(
      ctx.stdout,
      flags.json ? toJsonText({ limits, together, sets: fit.sets, firstLook, failures }) : texts.join('\n'),
    );
  });
}
