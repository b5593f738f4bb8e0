import type { Damage, InspectionEnvelope, Photo, VisualInspection } from '../../contract/inspection.ts';
import {
  CHANGES,
  type Change,
  type ComparedDamage,
  type ComparedPair,
  compareDamages,
  type Difference,
  dropFalseChanges,
  type InspectionFacts,
} from '../../domain/judge/compare.ts';
import { findSide } from '../../domain/parts.ts';
import { showsTheSame } from '../../domain/sight/coverage.ts';
import { listDamages, listPlacesToCheck } from '../../report/input.ts';

/** A damage of one of the two inspections, ready to be matched. */
export interface SeenDamage extends ComparedDamage {
  readonly damage: Damage;
}

export interface Comparison {
  readonly before: InspectionEnvelope;
  readonly after: InspectionEnvelope;
  readonly pairs: readonly ComparedPair<SeenDamage>[];
  readonly counts: Readonly<Record<Change, number>>;
  /** Why a change need not be one of the vehicle; empty where photos differ and models and settings do not. */
  readonly differences: readonly Difference[];
}

/** Compares two inspections of one vehicle. */
export function compareInspections(before: InspectionEnvelope, after: InspectionEnvelope): Comparison {
  const differences = listDifferences(before.data, after.data);
  const matched = compareDamages(listSeen(before, listDamages), listSeen(after, listDamages), {
    seenAfter: couldSee(after),
    seenBefore: couldSee(before),
  });
  const pairs = dropFalseChanges(matched, differences, {
    before: collectFacts(before),
    after: collectFacts(after),
  });
  const counts = Object.fromEntries(
    CHANGES.map((change) => [change, pairs.filter((pair) => pair.change === change).length]),
  ) as Record<Change, number>;
  return { before, after, pairs, counts, differences };
}

function listDifferences(before: VisualInspection, after: VisualInspection): readonly Difference[] {
  const photos = (data: VisualInspection) => data.images.map(({ sha256 }) => sha256);
  const ruled = [before, after].every(({ models }) => models.every((model) => model.rules_sha256));
  const models = (data: VisualInspection) =>
    data.models.map(({ sha256, rules_sha256: rules }) => (ruled ? `${sha256} ${rules}` : sha256));
  const same = (one: readonly string[], other: readonly string[]) =>
    JSON.stringify([...new Set(one)].sort()) === JSON.stringify([...new Set(other)].sort());
  const settings = ({ settings: of }: VisualInspection) =>
    JSON.stringify([of.sensitivity, of.min_confidence, of.certain_from, of.to_check_from]);
  // One set with photos added is one occasion still: what only the added ones show was not seen before, nor is it new.
  const within = (one: readonly string[], other: readonly string[]) =>
    one.length > 0 && one.every((photo) => other.includes(photo));
  const repeated = within(photos(before), photos(after)) || within(photos(after), photos(before));
  return [
    ...(repeated ? (['same_photos'] as const) : []),
    ...(same(models(before), models(after)) ? [] : (['other_models'] as const)),
    ...(settings(before) === settings(after) ? [] : (['other_settings'] as const)),
  ];
}

/** Returns whether an inspection would have seen a damage that another one saw, as far as its photos' angles show. */
function couldSee({ data }: InspectionEnvelope): (damage: SeenDamage) => boolean {
  // Parts by their names, and sides of the vehicle that nobody photographed.
  const unseen = new Set(
    data.results?.not_assessed.flatMap(({ what, code }) => (code === 'view_incomplete' ? [] : [what])),
  );
  const views = data.images.map(({ angle }) => angle).filter((angle) => angle !== null);
  return ({ part, places }) => {
    if (unseen.has(part) || unseen.has(findSide(part))) return false;
    const from = places.map(({ angle }) => angle).filter((angle) => angle !== null);
    return from.length === 0 || from.some((one) => views.some((view) => showsTheSame(view, one)));
  };
}

function collectFacts(envelope: InspectionEnvelope): InspectionFacts<SeenDamage> {
  const photos = new Set(envelope.data.images.map(({ sha256 }) => sha256));
  return { photos, toCheck: listSeen(envelope, listPlacesToCheck) };
}

function listSeen(
  { data }: InspectionEnvelope,
  listed: (data: VisualInspection) => readonly Damage[],
): SeenDamage[] {
  const photos = new Map(data.images.map((photo) => [photo.index, photo]));
  return listed(data).map((damage) => ({
    damage,
    id: damage.damage_id,
    part: damage.location.part,
    type: damage.type,
    severity: damage.severity,
    score: damage.severity_score,
    sizeCm: findLargest(damage),
    uncertaintyCm: damage.measurements?.uncertainty_cm,
    places: damage.evidence.map(({ image_index, coordinates }) =>
      scalePlace(photos.get(image_index), coordinates),
    ),
  }));
}

function findLargest({ measurements: size }: Damage): number | undefined {
  const known = [size?.length, size?.width, size?.diameter].filter((one) => one !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

function scalePlace(photo: Photo | undefined, box: Damage['location']['coordinates']) {
  const { image_width: width, image_height: height } = box;
  return {
    photo: photo?.sha256 ?? '',
    angle: photo?.angle ?? null,
    box: { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height },
  };
}

/** Returns the comparison as JSON, for programs. */
export function presentComparison(
  { before, after, pairs, counts, differences }: Comparison,
  generatedAt: Date,
) {
  return {
    status: 'success' as const,
    data: {
      vehicle_id: after.data.vehicle_id,
      before: {
        inspection_id: before.data.inspection_id,
        created_at: before.data.created_at,
        condition_score: before.data.results?.condition_score ?? null,
      },
      after: {
        inspection_id: after.data.inspection_id,
        created_at: after.data.created_at,
        condition_score: after.data.results?.condition_score ?? null,
      },
      generated_at: generatedAt.toISOString(),
      counts,
      differences,
      changes: pairs.map((pair) => ({
        change: pair.change,
        part: (pair.after ?? pair.before)?.part,
        type: (pair.after ?? pair.before)?.type,
        reasons: pair.reasons,
        before: pair.before?.damage ?? null,
        after: pair.after?.damage ?? null,
      })),
    },
  };
}
