import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeFileWhole } from '../../src/cli/terminal/output.ts';
import { SENSITIVITIES } from '../../src/domain/sensitivity.ts';
import { BUDGETS, type Fit } from './finds/fit-limits.ts';
import { writeJudge } from './finds/judge-file.ts';
import type { BoundedFinds } from './finds/measure-finds.ts';

const WEIGHTS_FILE = 'judge.json';

/** Writes the judges' weights to a model folder, then the manifest that references them, with limits and metrics. */
export async function writeFit(
  modelDir: string,
  fit: Fit,
  models: string,
  labelFiles: readonly string[],
): Promise<void> {
  const names = labelFiles.map((file) => basename(dirname(file))).join(' and ');
  const on = `${fit.photos} photos of ${names}, ${fit.cleanPhotos} of them clean; ten folds over groups of photos`;
  const weights = writeJudge(fit.weights, { models, fittedOn: on, candidates: fit.candidates });
  const path = join(modelDir, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  const damage = manifest.models.find(({ id }: { id: string }) => id === 'damage');
  damage.limits = {
    measured_on: on,
    ...Object.fromEntries(
      SENSITIVITIES.map((name) => [
        name,
        {
          certain: fit.limits[name].certain,
          to_check: fit.limits[name].toCheck,
          budgets: {
            clean_photos_certain: BUDGETS[name].certain,
            clean_photos_to_check: BUDGETS[name].toCheck,
            finds_per_undamaged_walk_around: BUDGETS[name].perWalkAround,
            whole_view_precision: BUDGETS[name].wholeViewPrecision,
          },
        },
      ]),
    ),
  };
  damage.judge = {
    file: WEIGHTS_FILE,
    sha256: createHash('sha256').update(weights).digest('hex'),
    bytes: Buffer.byteLength(weights),
  };
  const { certain, toCheck } = fit.together;
  damage.measured = {
    ...damage.measured,
    finds: { data: on, certain: listFigures(certain), to_check: listFigures(toCheck) },
  };
  await writeFileWhole(join(modelDir, WEIGHTS_FILE), weights);
  await writeFileWhole(path, `${JSON.stringify(manifest, null, 1)}\n`);
}

function listFigures(at: BoundedFinds) {
  const named = {
    damages_found: at.found,
    moderate_or_worse_found: at.foundModerateOrWorse,
    damages_boxed_at_iou_05: at.foundTightly,
    damaged_photos_with_a_right_find: at.damagedPhotosRight,
    precision: at.precision,
    clean_photos_with_a_find: at.cleanAlarms,
    kind_right: at.kindRight,
    part_right: at.partRight,
    side_right: at.sideRight,
  };
  const { found, precision, cleanAlarms } = at.intervals;
  const intervals = { damages_found: found, precision, clean_photos_with_a_find: cleanAlarms };
  return {
    ...mapValues(named, roundShare),
    intervals_90: mapValues(intervals, (ends) => ends?.map(roundShare) ?? null),
  };
}

const roundShare = (value: number | null) => (value === null ? null : Math.round(value * 1000) / 1000);

function mapValues<A, B>(object: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
