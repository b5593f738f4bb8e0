import { type Limits, SENSITIVITIES, type Sensitivity } from '../../../src/domain/sight/detection.ts';
import type { Judges } from '../../../src/vision/judge/judge.ts';
import type { WeighedFinding } from '../../../src/vision/judge/weigh-findings.ts';
import { type FoldedJudge, fitByFolds, judgeByFolds } from './fit-judge.ts';
import {
  createCertainLevel,
  createListedLevel,
  type FindsReport,
  findPreciseLimit,
  reportFinds,
  type SeenPhoto,
  type Understand,
} from './measure-finds.ts';

/** Least precision of certain and of all listed findings, 0 to 1. */
export interface Target {
  readonly certain: number;
  readonly listed: number;
}

/**
 * On the labelled photos that are not clean, hard ones; on ordinary photos more findings are right. The share of clean
 * photos with a finding is no target: the clean ones were picked to fool a detector, and three of 66 would decide.
 */
export const TARGETS: Readonly<Record<Sensitivity, Target>> = {
  low: { certain: 0.94, listed: 0.8 },
  default: { certain: 0.9, listed: 0.7 },
  high: { certain: 0.85, listed: 0.6 },
};

export interface Fit {
  /** Fitted on all photos. */
  readonly weights: Judges;
  /** Chosen on cross-validated confidences, by `TARGETS`. */
  readonly limits: Readonly<Record<Sensitivity, Limits>>;
  readonly photos: number;
  readonly cleanPhotos: number;
  readonly candidates: number;
  /** Cross-validated, at the default limits: all photos together, and per set. */
  readonly together: FindsReport;
  readonly sets: readonly FindsReport[];
  /** The same candidates by the detector's confidence alone, with separately chosen limits. */
  readonly firstLook: FindsReport;
}

/** Photos of several label files, grouped by file. */
export type Sets = readonly (readonly SeenPhoto<WeighedFinding>[])[];

/**
 * Fits the first judge on photos from `consider`. Excludes candidates that an inspection drops because the damage is
 * impossible at their location.
 */
export function fitFirst(considered: Sets, understand: Understand): FoldedJudge {
  return fitByFolds(stateFinds(considered, understand));
}

/**
 * Fits the second judge, if there is a classifier, and the limits on photos from `weigh` with `first`, which was fitted
 * on `considered`. The sets include at least one clean photo. Candidates that an inspection drops are excluded.
 */
export function fitLimits(
  {
    considered,
    first,
    weighed,
    isClassified,
  }: {
    readonly considered: Sets;
    readonly first: FoldedJudge;
    readonly weighed: Sets;
    readonly isClassified: boolean;
  },
  understand: Understand,
): Fit {
  const all = stateFinds(weighed, understand);
  const second = isClassified ? fitByFolds(all) : undefined;
  const folds = second === undefined ? all : judgeByFolds(all, second);
  const limits = Object.fromEntries(
    SENSITIVITIES.map((name) => [name, fitLimitsTo(TARGETS[name], folds, understand)]),
  ) as Record<Sensitivity, Limits>;
  const report = (seen: readonly SeenPhoto[]) => reportFinds(seen, limits.default, understand);
  let taken = 0;
  return {
    weights: { first: first.overall, ...(second === undefined ? {} : { second: second.overall }) },
    limits,
    photos: all.length,
    cleanPhotos: all.filter(({ photo }) => photo.clean).length,
    candidates: all.reduce((sum, { findings }) => sum + findings.length, 0),
    together: report(folds),
    sets: weighed.map(({ length }) => {
      taken += length;
      return report(folds.slice(taken - length, taken));
    }),
    firstLook: reportAlone(stateFinds(considered, understand), understand),
  };
}

function reportAlone(seen: readonly SeenPhoto[], understand: Understand): FindsReport {
  return reportFinds(seen, fitLimitsTo(TARGETS.default, seen, understand), understand);
}

function stateFinds(sets: Sets, understand: Understand): SeenPhoto<WeighedFinding>[] {
  return sets.flat().map((one) => ({ ...one, findings: listStated(one, understand) }));
}

/** Returns the candidates of a photo that an inspection reports regardless of confidence. */
function listStated(
  { photo, findings, parts, presence }: SeenPhoto<WeighedFinding>,
  understand: Understand,
): WeighedFinding[] {
  const about = { index: 0, size: photo.size };
  const anything = { certain: 0, toCheck: 0 };
  return findings.filter(
    (one) => understand({ detections: [one], parts, presence }, about, anything).length > 0,
  );
}

function fitLimitsTo(target: Target, seen: readonly SeenPhoto[], understand: Understand): Limits {
  const certain = findPreciseLimit(target.certain, seen, understand, createCertainLevel);
  const listed = findPreciseLimit(target.listed, seen, understand, (limit) =>
    createListedLevel(limit, certain),
  );
  return { certain, toCheck: Math.min(certain, listed) };
}
