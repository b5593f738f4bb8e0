import { type Limits, SENSITIVITIES, type Sensitivity } from '../../domain/sight/detection.ts';
import type { Judge } from '../../vision/look-again/judge.ts';
import type { SecondFinding } from '../../vision/vision.ts';
import { fitSecondLook, judgeByFolds } from './fit-second-look.ts';
import {
  certainFrom,
  type FindsReport,
  limitFor,
  listedFrom,
  reportFinds,
  type SeenPhoto,
  type Understand,
} from './measure-finds.ts';

/** Largest shares of photos of undamaged vehicles that may show a certain find, and one at all, by sensitivity. */
export const BUDGETS: Readonly<Record<Sensitivity, Limits>> = {
  low: { certain: 0.02, toCheck: 0.15 },
  default: { certain: 0.05, toCheck: 0.3 },
  high: { certain: 0.1, toCheck: 0.5 },
};

export interface Fit {
  /** Fitted on all photos. */
  readonly weights: Judge;
  /** Chosen on confidences by folds, which never saw the photo's group. */
  readonly limits: Readonly<Record<Sensitivity, Limits>>;
  readonly photos: number;
  readonly cleanPhotos: number;
  readonly candidates: number;
  /** At the default limits, by folds: all photos together, then set by set. */
  readonly together: FindsReport;
  readonly sets: readonly FindsReport[];
  /** The same candidates by the first look's confidence alone, at limits of its own. */
  readonly firstLook: FindsReport;
}

/** Fits the second look and the limits on sets of labelled photos; `sets` hold at least one clean photo. */
export function fitLimits(
  sets: readonly (readonly SeenPhoto<SecondFinding>[])[],
  understand: Understand,
): Fit {
  const all = sets.flat();
  const folds = judgeByFolds(all);
  const limits = Object.fromEntries(
    SENSITIVITIES.map((name) => [name, limitsWithin(BUDGETS[name], folds, understand)]),
  ) as Record<Sensitivity, Limits>;
  const report = (seen: readonly SeenPhoto[]) => reportFinds(seen, limits.default, understand);
  let taken = 0;
  return {
    weights: fitSecondLook(all),
    limits,
    photos: all.length,
    cleanPhotos: all.filter(({ photo }) => photo.clean).length,
    candidates: all.reduce((sum, { findings }) => sum + findings.length, 0),
    together: report(folds),
    sets: sets.map(({ length }) => {
      taken += length;
      return report(folds.slice(taken - length, taken));
    }),
    firstLook: reportFinds(all, limitsWithin(BUDGETS.default, all, understand), understand),
  };
}

function limitsWithin(budget: Limits, seen: readonly SeenPhoto[], understand: Understand): Limits {
  const clean = seen.filter(({ photo }) => photo.clean);
  const certain = limitFor(budget.certain, clean, understand, certainFrom);
  return {
    certain,
    toCheck: limitFor(budget.toCheck, clean, understand, (limit) => listedFrom(limit, certain)),
  };
}
