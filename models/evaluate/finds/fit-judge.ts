import type { Judge } from '../../../src/vision/judge/judge.ts';
import { judge } from '../../../src/vision/judge/judge.ts';
import type { WeighedFinding } from '../../../src/vision/judge/weigh.ts';
import type { LabelledPhoto } from './labelled-photos.ts';
import { fitLogistic } from './logistic.ts';
import { judgeFind } from './touch.ts';

/** A labelled photo with its candidates, with what they are judged by. */
export interface PhotoCandidates {
  readonly photo: LabelledPhoto;
  readonly findings: readonly WeighedFinding[];
}

/**
 * Strength of the ridge penalty: some 40 numbers, many of which say nearly the same, are weighed by some 2,500
 * candidates.
 */
const PENALTY = 60;
/** Folds that the candidates are judged in by weights which never saw their group. */
const FOLDS = 10;

/** Weights that all photos taught, and for each photo weights that its group did not teach. */
export interface FoldedJudge {
  readonly overall: Judge;
  of(photo: LabelledPhoto): Judge;
}

/** Fits weights on all photos, and by folds over their groups. */
export function fitByFolds(photos: readonly PhotoCandidates[]): FoldedJudge {
  const groups = [...new Set(photos.map(({ photo }) => photo.group))].sort();
  const foldOf = new Map(groups.map((group, at) => [group, at % FOLDS]));
  const judges = Array.from({ length: Math.min(FOLDS, groups.length) }, (_, fold) =>
    fitJudge(photos.filter(({ photo }) => foldOf.get(photo.group) !== fold)),
  );
  const overall = fitJudge(photos);
  return { overall, of: ({ group }) => judges[foldOf.get(group) ?? -1] ?? overall };
}

/** Returns each photo's candidates with the confidence that weights which its group did not teach give them. */
export function judgeByFolds<P extends PhotoCandidates>(photos: readonly P[], judges: FoldedJudge): P[] {
  return photos.map((one) => ({ ...one, findings: judgeBy(judges.of(one.photo), one.findings) }));
}

/**
 * Fits the weights of a judge. A candidate is right where it touches a sure damage; those about unsure ones, and
 * boxes far larger than the damage, are left out.
 */
function fitJudge(photos: readonly PhotoCandidates[]): Judge {
  const examples = photos.flatMap(({ photo, findings }) =>
    findings.flatMap(({ box, evidence }) => {
      const { verdict } = judgeFind(box, photo.damages);
      return verdict === 'right' || verdict === 'wrong' ? [{ evidence, right: verdict === 'right' }] : [];
    }),
  );
  const fitted = fitLogistic(
    examples.map(({ evidence }) => evidence),
    examples.map(({ right }) => right),
    PENALTY,
  );
  return {
    intercept: fitted.intercept,
    terms: fitted.weights.map((weight, at) => ({
      mean: fitted.means[at] as number,
      deviation: fitted.deviations[at] as number,
      weight,
    })),
  };
}

/** Returns candidates with the confidence that `weights` give them. */
function judgeBy(weights: Judge, findings: readonly WeighedFinding[]): WeighedFinding[] {
  return findings.map((finding) => ({ ...finding, confidence: judge(weights, finding.evidence) }));
}
