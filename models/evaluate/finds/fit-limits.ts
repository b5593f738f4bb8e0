import { type Limits, SENSITIVITIES, type Sensitivity } from '../../../src/domain/sensitivity.ts';
import { measurePartMap } from '../../../src/domain/sight/part-map.ts';
import type { Judges } from '../../../src/vision/judge/judge.ts';
import type { Candidate } from '../../../src/vision/judge/weigh-candidates.ts';
import { type FoldedJudge, fitByFolds, judgeByFolds } from './fit-judge.ts';
import {
  createCertainLevel,
  createListedLevel,
  type FindsReport,
  findLimit,
  findPreciseLimit,
  findVehiclesLimit,
  reportFinds,
  type SeenPhoto,
  type Understand,
} from './measure-finds.ts';

/** Limits of false alarms. */
export interface Budget {
  /** Maximum fractions of their photos with a certain finding, and with any finding. */
  readonly certain: number;
  readonly toCheck: number;
  /** Maximum number of findings, certain or to check, per walk-around. */
  readonly perWalkAround: number;
  /**
   * Minimum precision of certain and of all findings in photos of whole vehicles, which walk-arounds consist of; there
   * findings of one confidence are wrong far more often than in close-ups.
   */
  readonly wholeViewPrecision: { readonly certain: number; readonly listed: number };
}

export const BUDGETS: Readonly<Record<Sensitivity, Budget>> = {
  low: {
    certain: 0.02,
    toCheck: 0.15,
    perWalkAround: 1,
    wholeViewPrecision: { certain: 0.95, listed: 0.75 },
  },
  default: {
    certain: 0.05,
    toCheck: 0.3,
    perWalkAround: 1,
    wholeViewPrecision: { certain: 0.9, listed: 0.65 },
  },
  high: { certain: 0.1, toCheck: 0.5, perWalkAround: 3, wholeViewPrecision: { certain: 0.85, listed: 0.5 } },
};

/** Minimum number of photos of a walk-around; with fewer, an inspection requests more. */
const WALK_AROUND = 4;

export interface Fit {
  /** Fitted on all photos. */
  readonly weights: Judges;
  /** Chosen on cross-validated confidences. */
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
export type Sets = readonly (readonly SeenPhoto<Candidate>[])[];

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
    SENSITIVITIES.map((name) => [name, fitLimitsWithin(BUDGETS[name], folds, understand)]),
  ) as Record<Sensitivity, Limits>;
  const report = (seen: readonly SeenPhoto[]) => reportFinds(seen, limits.default, understand);
  let taken = 0;
  return {
    weights: { first: first.overall, ...(second === undefined ? {} : { second: second.overall }) },
    limits,
    photos: all.length,
    cleanPhotos: all.filter(({ photo }) => photo.clean).length,
    candidates: all.reduce((sum, { detections }) => sum + detections.length, 0),
    together: report(folds),
    sets: weighed.map(({ length }) => {
      taken += length;
      return report(folds.slice(taken - length, taken));
    }),
    firstLook: reportAlone(stateFinds(considered, understand), understand),
  };
}

function reportAlone(seen: readonly SeenPhoto[], understand: Understand): FindsReport {
  return reportFinds(seen, fitLimitsWithin(BUDGETS.default, seen, understand), understand);
}

function stateFinds(sets: Sets, understand: Understand): SeenPhoto<Candidate>[] {
  return sets.flat().map((one) => ({ ...one, detections: listStated(one, understand) }));
}

/** Returns the candidates of a photo that an inspection reports regardless of confidence. */
function listStated(
  { photo, detections, parts, presence }: SeenPhoto<Candidate>,
  understand: Understand,
): Candidate[] {
  const about = { index: 0, size: photo.size };
  const anything = { certain: 0, toCheck: 0 };
  const measured = measurePartMap(parts);
  return detections.filter(
    (one) => understand({ detections: [one], parts, measured, presence }, about, anything).length > 0,
  );
}

function fitLimitsWithin(budget: Budget, seen: readonly SeenPhoto[], understand: Understand): Limits {
  const clean = seen.filter(({ photo }) => photo.clean);
  const wholeViews = seen.filter(({ photo }) => !photo.isCloseUp);
  const least = budget.wholeViewPrecision;
  const certain = Math.max(
    findLimit(budget.certain, clean, understand, createCertainLevel),
    findPreciseLimit(least.certain, wholeViews, understand, createCertainLevel),
  );
  const listed = (limit: number) => createListedLevel(limit, certain);
  const toCheck = Math.max(
    findLimit(budget.toCheck, clean, understand, listed),
    findVehiclesLimit(budget.perWalkAround, listUndamagedWalkArounds(seen), understand, listed),
    findPreciseLimit(least.listed, wholeViews, understand, listed),
  );
  return { certain: Math.max(certain, toCheck), toCheck };
}

function listUndamagedWalkArounds(seen: readonly SeenPhoto[]): SeenPhoto[][] {
  const names = [...new Set(seen.flatMap(({ photo }) => photo.vehicle ?? []))];
  return names
    .map((name) => seen.filter(({ photo }) => photo.vehicle === name))
    .filter(
      (photos) =>
        photos.length >= WALK_AROUND && photos.every(({ photo }) => photo.damages.every(({ sure }) => !sure)),
    );
}
