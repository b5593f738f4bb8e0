import { EVIDENCE } from '../../vision/judge/evidence.ts';
import type { Judge } from '../../vision/judge/judge.ts';

/** What a fit was made on, for the record. */
export interface FitFacts {
  /** Names and versions of the models by whose word the candidates were judged. */
  readonly models: string;
  readonly fittedOn: string;
  readonly candidates: number;
}

/** Returns the judge's weights as the text of their data file. */
export function writeJudge({ intercept, terms }: Judge, { models, fittedOn, candidates }: FitFacts): string {
  const file = {
    schema_version: 1,
    models,
    fitted_on: fittedOn,
    candidates,
    intercept: round(intercept),
    terms: EVIDENCE.map((name, at) => ({
      name,
      mean: round(terms[at]?.mean ?? 0),
      deviation: round(terms[at]?.deviation ?? 1),
      weight: round(terms[at]?.weight ?? 0),
    })),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}
