import { Nullable } from '../contract/common.ts';
import { DamageSchema, type InspectionEnvelope } from '../contract/inspection.ts';
import {
  AppliedReviewSchema,
  ReviewedFindingSchema,
  SignedDecisionsSchema,
} from '../contract/review-answers.ts';
import { fits } from '../lib/check.ts';
import { type Static, StringEnum, Type } from '../lib/type.ts';
import { DECISION_WORDS } from './words.ts';

const signed = {
  ...SignedDecisionsSchema.properties,
  decisions: Type.Array(
    Type.Object({
      ...ReviewedFindingSchema.properties,
      decision: StringEnum(Object.keys(DECISION_WORDS) as (keyof typeof DECISION_WORDS)[]),
      // A place to check has a different kind of id until it is accepted.
      original: Nullable(Type.Object({ ...DamageSchema.properties, damage_id: Type.String() })),
    }),
  ),
};

const StoredReviewSchema = Type.Object({
  ...AppliedReviewSchema.properties,
  ...signed,
  earlier: Type.Optional(Type.Array(Type.Object(signed))),
});

/** Returns the stored review if it matches the schema, otherwise null; result files are untrusted input. */
export function readReview(inspection: InspectionEnvelope | null): Static<typeof StoredReviewSchema> | null {
  const { review } = (inspection ?? {}) as { review?: unknown };
  return fits(StoredReviewSchema, review) ? review : null;
}

/** Returns a function that names the person who confirmed a damage; null for damages without a decision. */
export function findConfirmers(inspection: InspectionEnvelope | null): (id: string) => string | null {
  const review = readReview(inspection);
  const all = review ? [review, ...(review.earlier ?? [])] : [];
  return (id) => {
    const last = all.find((one) => one.decisions.some(({ corrected }) => corrected?.damage_id === id));
    return last ? (last.reviewer ?? '') : null;
  };
}
