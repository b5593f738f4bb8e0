import { FEATURES, FIRST_FEATURES } from '../../../src/vision/judge/features.ts';
import type { Judge, Judges } from '../../../src/vision/judge/judge.ts';

/** Provenance of a fit. */
export interface FitFacts {
  /** Names and versions of the models that produced the features. */
  readonly models: string;
  readonly fittedOn: string;
  readonly candidates: number;
}

/** Serializes the judges' weights to their data file. */
export function writeJudge({ first, second }: Judges, { models, fittedOn, candidates }: FitFacts): string {
  const file = {
    schema_version: 2,
    models,
    fitted_on: fittedOn,
    candidates,
    first: nameWeights(first, FIRST_FEATURES),
    ...(second === undefined ? {} : { second: nameWeights(second, FEATURES) }),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function nameWeights({ intercept, terms }: Judge, names: readonly string[]) {
  return {
    intercept: round(intercept),
    terms: names.map((name, at) => ({
      name,
      mean: round(terms[at]?.mean ?? 0),
      deviation: round(terms[at]?.deviation ?? 1),
      weight: round(terms[at]?.weight ?? 0),
    })),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}
