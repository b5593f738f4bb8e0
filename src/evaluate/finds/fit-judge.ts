import type { Judge } from '../../vision/judge/judge.ts';
import { judge } from '../../vision/judge/judge.ts';
import type { WeighedFinding } from '../../vision/vision.ts';
import type { LabelledPhoto } from './labelled-photos.ts';
import { fitLogistic } from './logistic.ts';
import { judgeFind } from './touch.ts';

/** A labelled photo with its candidates, with what they are judged by. */
export interface PhotoCandidates {
  readonly photo: LabelledPhoto;
  readonly findings: readonly WeighedFinding[];
}

/** Strength of the ridge penalty: 39 numbers, many of which say nearly the same, are weighed by some 1900 candidates. */
const PENALTY = 60;
/** Folds that the candidates are judged in by weights which never saw their group. */
const FOLDS = 10;

/**
 * Fits the weights of the judge. A candidate is right where it touches a sure damage; those about unsure ones, and
 * boxes far larger than the damage, are left out.
 */
export function fitJudge(photos: readonly PhotoCandidates[]): Judge {
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

/** Returns each photo's candidates with the confidence that weights fitted on other groups give them. */
export function judgeByFolds<P extends PhotoCandidates>(photos: readonly P[]): P[] {
  const groups = [...new Set(photos.map(({ photo }) => photo.group))].sort();
  const foldOf = new Map(groups.map((group, at) => [group, at % FOLDS]));
  const judges = Array.from({ length: Math.min(FOLDS, groups.length) }, (_, fold) =>
    fitJudge(photos.filter(({ photo }) => foldOf.get(photo.group) !== fold)),
  );
  return photos.map((one) => ({
    ...one,
    findings: judgedBy(judges[foldOf.get(one.photo.group) as number] as Judge, one.findings),
  }));
}

/** Candidates with the confidence that `weights` give them. */
function judgedBy(weights: Judge, findings: readonly WeighedFinding[]): WeighedFinding[] {
  return findings.map((finding) => ({ ...finding, confidence: judge(weights, finding.evidence) }));
}
