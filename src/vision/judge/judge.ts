import { checkText, rejectField, type Source } from '../../lib/check.ts';
import { type Static, Type } from '../../lib/type.ts';
import { FEATURES, FIRST_FEATURES } from './features.ts';

/**
 * A logistic regression over feature values: probability = 1 / (1 + exp(-(intercept + sum of weight x (value - mean) /
 * deviation))).
 */
export interface Judge {
  readonly intercept: number;
  /** One term per feature. */
  readonly terms: readonly { readonly mean: number; readonly deviation: number; readonly weight: number }[];
}

/** The judges' weights in a model folder. */
export interface Judges {
  /** Over `FIRST_FEATURES`: selects the candidates to classify; decides alone if there is no classifier. */
  readonly first: Judge;
  /** Over `FEATURES`; absent if the weights were fitted without a classifier. */
  readonly second?: Judge;
}

/** Computes the probability that a human labeler would mark the candidate as damage, 0 to 1. */
export function judge({ intercept, terms }: Judge, features: readonly number[]): number {
  const sum = terms.reduce(
    (total, { mean, deviation, weight }, at) =>
      total + (weight * ((features[at] as number) - mean)) / deviation,
    intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}

const Weight = Type.Number({ minimum: -1000, maximum: 1000 });
const JudgeSchema = Type.Object({
  intercept: Weight,
  terms: Type.Array(
    Type.Object({
      name: Type.String(),
      mean: Weight,
      deviation: Type.Number({ minimum: 1e-6, maximum: 1000 }),
      weight: Weight,
    }),
    { maxItems: 1000 },
  ),
});
const JudgesSchema = Type.Object({
  schema_version: Type.Literal(2),
  first: JudgeSchema,
  second: Type.Optional(JudgeSchema),
});

/**
 * Parses the judges' weights as untrusted input. `document` is the file's path, for messages.
 * @throws VehiError `MODEL_MANIFEST_INVALID` naming the invalid field.
 */
export function parseJudges(text: string, document: string): Judges {
  const source: Source = {
    document,
    kind: 'engine',
    code: 'MODEL_MANIFEST_INVALID',
    hint: 'Reinstall vehi, or write the file again with `npm run models:fit`.',
  };
  const judges = checkText(JudgesSchema, text, source);
  checkNames(judges.first, 'first', FIRST_FEATURES, source);
  if (judges.second) checkNames(judges.second, 'second', FEATURES, source);
  return judges;
}

function checkNames(
  { terms }: Static<typeof JudgeSchema>,
  field: string,
  names: readonly string[],
  source: Source,
): void {
  if (terms.length !== names.length)
    rejectField(source, `${field}.terms`, `has ${terms.length} entries; ${names.length} are needed.`);
  for (const [at, { name }] of terms.entries())
    if (name !== names[at])
      rejectField(source, `${field}.terms[${at}].name`, `is ${name}; ${names[at]} is needed.`);
}
