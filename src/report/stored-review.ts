import { Nullable } from '../contract/common.ts';
import { DamageSchema, type InspectionEnvelope } from '../contract/inspection.ts';
import { MovedPhotosSchema, RepairVerdictSchema } from '../contract/review.ts';
import { fits } from '../lib/check.ts';
import { type Static, StringEnum, Type } from '../lib/type.ts';
import { DECISION_WORDS } from './words.ts';

const { number, type, severity, subtype, location } = DamageSchema.properties;
const { part, uncertain } = location.properties;
const FindingSchema = Nullable(
  Type.Object({
    // A place to check has an id of its own until it is accepted.
    damage_id: Type.String(),
    number,
    type,
    severity,
    subtype,
    location: Type.Object({ part, uncertain }),
  }),
);
/** Fields of a stored review that the report uses. */
const StoredReviewSchema = Type.Object({
  reviewed_at: Type.String(),
  reviewer: Type.Optional(Type.String()),
  decisions: Type.Array(
    Type.Object({
      damage_id: Type.String(),
      decision: StringEnum(Object.keys(DECISION_WORDS) as (keyof typeof DECISION_WORDS)[]),
      note: Type.Optional(Type.String()),
      original: FindingSchema,
      corrected: FindingSchema,
    }),
  ),
  repair: Type.Optional(Type.Array(RepairVerdictSchema)),
  photos_moved: Type.Optional(MovedPhotosSchema),
  not_reviewed: Type.Array(Type.String()),
});
type StoredReview = Static<typeof StoredReviewSchema>;
export type StoredFinding = Static<typeof FindingSchema>;

/** Returns the stored review if it matches the schema, otherwise null; result files are untrusted input. */
export function readReview(inspection: InspectionEnvelope | null): StoredReview | null {
  const { review } = (inspection ?? {}) as { review?: unknown };
  return fits(StoredReviewSchema, review) ? review : null;
}

/** Returns a function that names who confirmed a damage; null for damages without a decision. */
export function findConfirmers(inspection: InspectionEnvelope | null): (id: string) => string | null {
  const review = readReview(inspection);
  const confirmed = new Set(review?.decisions.flatMap(({ corrected }) => corrected?.damage_id ?? []));
  return (id) => (confirmed.has(id) ? (review?.reviewer ?? '') : null);
}
