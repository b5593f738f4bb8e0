import type { Judge } from '../../../src/vision/judge/judge.ts';
import { judge } from '../../../src/vision/judge/judge.ts';
import type { Candidate } from '../../../src/vision/judge/weigh-candidates.ts';
import type { LabelledPhoto } from './labelled-photos.ts';
import { fitLogistic } from './logistic.ts';
import { judgeFind } from './touch.ts';

/** A labelled photo with its candidates and their features. */
export interface PhotoCandidates {
  readonly photo: LabelledPhoto;
  readonly detections: readonly Candidate[];
}

/** Ridge penalty, because some 40 values, many of them correlated, are fitted to some 2,500 candidates. */
const PENALTY = 60;
/** Number of cross-validation folds, split by group. */
const FOLDS = 10;

/** Weights fitted on all photos, and per photo weights fitted without its group. */
export interface FoldedJudge {
  readonly overall: Judge;
  of(photo: LabelledPhoto): Judge;
}

/** Fits weights on all photos, and on each fold's complement. */
export function fitByFolds(photos: readonly PhotoCandidates[]): FoldedJudge {
  const groups = [...new Set(photos.map(({ photo }) => photo.group))].sort();
  const foldOf = new Map(groups.map((group, at) => [group, at % FOLDS]));
  const judges = Array.from({ length: Math.min(FOLDS, groups.length) }, (_, fold) =>
    fitJudge(photos.filter(({ photo }) => foldOf.get(photo.group) !== fold)),
  );
  const overall = fitJudge(photos);
  return { overall, of: ({ group }) => judges[foldOf.get(group) ?? -1] ?? overall };
}

/** Sets the candidates' confidences by weights that were fitted without the photo's group. */
export function judgeByFolds<P extends PhotoCandidates>(photos: readonly P[], judges: FoldedJudge): P[] {
  return photos.map((one) => ({ ...one, detections: judgeBy(judges.of(one.photo), one.detections) }));
}

/**
 * Fits a judge's weights. A candidate that touches a sure damage is a positive. Candidates that touch only unsure
 * damage, and boxes far larger than the damage, are excluded.
 */
function fitJudge(photos: readonly PhotoCandidates[]): Judge {
  const examples = photos.flatMap(({ photo, detections }) =>
    detections.flatMap(({ box, features }) => {
      const { verdict } = judgeFind(box, photo.damages);
      return verdict === 'right' || verdict === 'wrong' ? [{ features, right: verdict === 'right' }] : [];
    }),
  );
  const fitted = fitLogistic(
    examples.map(({ features }) => features),
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

/** Sets the candidates' confidences by the given weights. */
function judgeBy(weights: Judge, detections: readonly Candidate[]): Candidate[] {
  return detections.map((finding) => ({ ...finding, confidence: judge(weights, finding.features) }));
}
