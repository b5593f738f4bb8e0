import type {
  Damage,
  InspectionEnvelope,
  InspectionResults,
  Photo,
  ToCheck,
} from '../../contract/inspection.ts';
import type { Coverage } from '../../contract/inspection-grounds.ts';
import {
  type Add,
  type Decision,
  listBoxes,
  type Review,
  type ReviewedEnvelope,
  type ReviewedFinding,
} from '../../contract/review.ts';
import { isPlaceToCheckId } from '../../domain/damage.ts';
import { toSeverity } from '../../domain/judge/severity.ts';
import { computeCoverage } from '../../domain/judge/vehicle-coverage.ts';
import type { PartView } from '../../domain/sight/part-coverage.ts';
import type { PhotoScene } from '../../domain/sight/photo-scene.ts';
import { findVehicle, groupAsDecided } from '../../domain/vehicle-photos.ts';
import { VehiError } from '../../lib/errors.ts';
import { deepFreeze, defined } from '../../lib/objects.ts';
import { createGrounds, type Grounds } from '../inspect/grounds.ts';
import { createResults } from '../inspect/results.ts';
import { readShown } from '../inspect/shown.ts';
import { addVehicles, selectFindings } from '../inspect/vehicle-results.ts';
import type { Pricer } from '../pricer.ts';
import { makeAddedDamage } from './add.ts';
import { applyChange, isSeen, isSized, priceDamage, readSizeCm } from './corrected.ts';
import { CORRECTED_FIELDS, type Reviewable } from './decisions.ts';
import { regroup } from './regroup.ts';
import { listRepairVerdicts, readRepairDecisions } from './repair-decisions.ts';

/** Dependencies for applying decisions. */
interface ReviewDeps {
  readonly pricer: Pricer;
  /** Scenes from the parts maps of the photos in `listPhotosToLookAt`; unreadable photos have none. */
  readonly scenes: ReadonlyMap<number, PhotoScene>;
  readonly reviewedAt: Date;
  /** Name of the reviewer. */
  readonly reviewer?: string | undefined;
}

/**
 * Extracts the reviewable parts of a result.
 * @throws VehiError input NOTHING_TO_REVIEW if the inspection failed
 */
export function readReviewable({ data }: InspectionEnvelope): Reviewable {
  const { results } = data;
  if (!results)
    throw new VehiError('input', 'NOTHING_TO_REVIEW', 'the result has no findings: its inspection failed.');
  const { images: photos, vehicle_groups: groups } = data;
  return { findings: [...results.damages, ...results.to_check], photos, groups };
}

/** Returns the indices of the photos with drawn boxes, whose parts maps are needed to apply the decisions. */
export function listPhotosToLookAt(decisions: readonly Decision[]): readonly number[] {
  return [...new Set(decisions.flatMap((one) => (one.decision === 'add' ? [one.image_index] : [])))];
}

/** The decision on a finding. */
type Verdict = Extract<Decision, { readonly damage_id: string }>;
type Verdicts = ReadonlyMap<string, Verdict>;
type AssignId = (damage: Damage, number?: number) => Damage;

/**
 * Applies the decisions: grades and prices changed findings again and recomputes sums and condition. Finding ids and
 * numbers stay the same, so both results and the annotated photos remain comparable.
 * @throws VehiError input NOT_PRICEABLE for a changed finding without a size, PART_NEEDED for an added one off the
 * vehicle
 */
export function applyDecisions(
  envelope: InspectionEnvelope,
  decisions: readonly Decision[],
  deps: ReviewDeps,
): ReviewedEnvelope {
  const { data } = regroup(envelope, decisions);
  const { findings } = readReviewable({ ...envelope, data });
  const { results } = data as { results: InspectionResults };
  const isRegrouped = data !== envelope.data;
  const groups = isRegrouped ? data.vehicle_groups : (results.vehicles ?? []);
  const count = isRegrouped ? Math.max(1, groups.length) : (results.grade_basis.vehicles ?? 1);
  const verdicts = new Map(decisions.flatMap((one) => ('damage_id' in one ? [[one.damage_id, one]] : [])));
  const assignId = createIdAssigner(findings);
  const kept = correctFindings(findings, verdicts, assignId, deps.pricer);
  const added = new Map(
    decisions.flatMap((one) => {
      if (one.decision !== 'add') return [];
      const damage = makeAddedDamage(one, { data, scenes: deps.scenes, pricer: deps.pricer });
      return [[one, one.into === undefined ? assignId(damage) : damage]];
    }),
  );
  const damages = mergeFindings(kept, findings, added, verdicts, deps.pricer);

  const toCheck = results.to_check.filter((one) => !verdicts.has(one.damage_id));
  const checked = decisions
    .flatMap((one) => (one.decision === 'nothing_more' ? [one.image_index] : []))
    .sort((a, b) => a - b);
  const found = new Set(findings.map((one) => one.damage_id));
  const decided = new Set(
    [...damages].flatMap(([id, damage]) => (verdicts.has(id) || !found.has(id) ? [damage.damage_id] : [])),
  );
  const regrade = (
    before: Pick<InspectionResults, 'coverage' | 'not_assessed' | 'dropped_detections'>,
    vehicles: number,
    own: { readonly damages: Damage[]; readonly toCheck: ToCheck[] },
  ) =>
    createResults(own.damages, own.toCheck, {
      ...updateCoverage(data.images, before.coverage, own.toCheck, checked),
      pricer: deps.pricer,
      hiddenDamage: results.hidden_damage_risks !== undefined,
      notAssessed: before.not_assessed,
      dropped: before.dropped_detections,
      vehicles,
      decided,
      repair: groups.length > 0 ? {} : readRepairDecisions(decisions),
    });
  const all = [...damages.values()];
  const vehicles = groups.map((group) => ({
    photos: group,
    results: regrade(findShown(group.images, data), 1, {
      damages: selectFindings(all, group),
      toCheck: selectFindings(toCheck, group),
    }),
  }));
  const corrected = addVehicles(regrade(results, count, { damages: all, toCheck }), vehicles);
  return deepFreeze<ReviewedEnvelope>({
    ...envelope,
    data: { ...data, results: corrected },
    review: {
      reviewed_at: deps.reviewedAt.toISOString(),
      ...defined({ reviewer: deps.reviewer }),
      decisions: presentDecisions(decisions, findings, added, verdicts, damages),
      ...listRepairVerdicts(decisions, corrected, deps.pricer),
      ...listMoved(envelope, decisions),
      photos_checked: checked,
      not_reviewed: results.damages.flatMap((one) => (verdicts.has(one.damage_id) ? [] : [one.damage_id])),
    },
  });
}

/** Returns what the photos of a vehicle show, as found or, if its photos were grouped again, by their records. */
function findShown(
  images: readonly number[],
  { images: all, results }: InspectionEnvelope['data'],
): Pick<InspectionResults, 'coverage' | 'not_assessed' | 'dropped_detections'> {
  const asFound = results?.vehicles?.find((one) => String(one.images) === String(images));
  if (asFound) return asFound;
  const { covered, notAssessed, dropped } = readShown(all.filter(({ index }) => images.includes(index)));
  const { coverage } = createGrounds(covered, [], all);
  return { coverage, not_assessed: notAssessed, dropped_detections: dropped };
}

/** Lists the photos that were moved to another vehicle than found. */
function listMoved(
  { data }: InspectionEnvelope,
  decisions: readonly Decision[],
): Pick<Review, 'photos_moved'> {
  const moved = groupAsDecided(data.images, data.vehicle_groups, decisions).flatMap(
    ({ vehicle, images }, at) =>
      images.flatMap((index) =>
        findVehicle(index, data.vehicle_groups) === vehicle ? [] : [{ image_index: index, vehicle: at + 1 }],
      ),
  );
  if (moved.length === 0) return {};
  return { photos_moved: moved.sort((one, other) => one.image_index - other.image_index) };
}

/** Corrects the findings that become damages of their own, by the id under which each was found. */
function correctFindings(
  findings: readonly Damage[],
  verdicts: Verdicts,
  assignId: AssignId,
  pricer: Pricer,
): ReadonlyMap<string, Damage> {
  return new Map(
    findings.flatMap((found) => {
      const id = found.damage_id;
      const verdict = verdicts.get(id);
      if (isPlaceToCheckId(id) && verdict === undefined) return [];
      if (verdict?.decision === 'reject' || verdict?.decision === 'merge') return [];
      const corrected = verdict?.decision === 'change' ? applyChange(found, verdict, pricer) : found;
      if (!isPlaceToCheckId(id)) return [[id, corrected]];
      const explain = [...corrected.explain, { rule: 'review.confirmed', inputs: { found_as: id } }];
      return [[id, assignId({ ...corrected, explain }, found.number)]];
    }),
  );
}

/** Returns whether a decision keeps a correction of its finding. */
function isCorrected(verdict: Verdict): verdict is Exclude<Verdict, { readonly decision: 'accept' }> {
  return CORRECTED_FIELDS.some((field) => field in verdict);
}

/** Returns the id of the finding into which a finding is merged, its own if it is not merged. */
function findTarget(id: string, verdicts: Verdicts): string {
  const verdict = verdicts.get(id);
  return verdict?.decision === 'merge' ? findTarget(verdict.into, verdicts) : id;
}

/** Merges findings and drawn boxes into their targets, and appends the boxes that are new damages. */
function mergeFindings(
  kept: ReadonlyMap<string, Damage>,
  findings: readonly Damage[],
  added: ReadonlyMap<Add, Damage>,
  verdicts: Verdicts,
  pricer: Pricer,
): ReadonlyMap<string, Damage> {
  const listMerged = (id: string): readonly Damage[] => [
    ...findings.flatMap((found) => {
      const { damage_id: own } = found;
      if (own === id || findTarget(own, verdicts) !== id) return [];
      const verdict = verdicts.get(own);
      return [verdict && isCorrected(verdict) ? applyChange(found, verdict, pricer) : found];
    }),
    ...[...added].flatMap(([{ into }, damage]) =>
      into !== undefined && findTarget(into, verdicts) === id ? [damage] : [],
    ),
  ];
  const drawn = [...added].filter(([{ into }]) => into === undefined).map(([, damage]) => damage);
  return new Map([
    ...[...kept].map(
      ([id, one]) => [id, mergeEvidence(one, listMerged(id), verdicts.get(id), pricer)] as const,
    ),
    ...drawn.map((damage) => [damage.damage_id, damage] as const),
  ]);
}

/** Converts the decisions on findings to wire format, with each finding before and after the review. */
function presentDecisions(
  decisions: readonly Decision[],
  findings: readonly Damage[],
  added: ReadonlyMap<Add, Damage>,
  verdicts: Verdicts,
  damages: ReadonlyMap<string, Damage>,
): ReviewedFinding[] {
  return decisions.flatMap((one): ReviewedFinding[] => {
    if (one.decision === 'add') {
      const into = one.into === undefined ? undefined : damages.get(findTarget(one.into, verdicts));
      const corrected = into ?? added.get(one) ?? null;
      const id = corrected?.damage_id ?? '';
      const { note } = one;
      return [
        { damage_id: id, decision: 'add', ...defined({ into: into && id, note }), original: null, corrected },
      ];
    }
    const original = 'damage_id' in one && findings.find((found) => found.damage_id === one.damage_id);
    // Its photo was moved back, so it is part of another finding again.
    if (!original) return [];
    const into = one.decision === 'merge' ? damages.get(findTarget(one.into, verdicts)) : undefined;
    return [
      {
        damage_id: one.damage_id,
        decision: one.decision,
        ...defined({ into: into?.damage_id, note: 'note' in one ? one.note : undefined }),
        original,
        corrected: damages.get(one.damage_id) ?? null,
      },
    ];
  });
}

/**
 * Merges the evidence of a damage and those merged into it; a severity that the reviewer set outranks the maximum, and
 * a box that the reviewer drew the larger one.
 */
function mergeEvidence(
  damage: Damage,
  others: readonly Damage[],
  verdict: Verdict | undefined,
  pricer: Pricer,
): Damage {
  const drawn = verdict?.decision === 'change' ? listBoxes(verdict) : [];
  const photos = new Set(drawn.map(({ image_index }) => image_index ?? damage.evidence[0]?.image_index));
  const joined = mergeDamages(damage, others, pricer, photos);
  if (verdict?.decision !== 'change' || verdict.severity === undefined || others.length === 0) return joined;
  return applyChange(joined, { severity: verdict.severity }, pricer);
}

/** Assigns the next free id to new damages, and a number if they have none; numbers on photos stay unique. */
function createIdAssigner(findings: readonly Damage[]): AssignId {
  const ids = new Set(findings.map((one) => one.damage_id));
  let last = Math.max(0, ...findings.map((one) => one.number));
  return (damage, number = ++last) => {
    const id = (ordinal: number) => `dmg_${damage.location.part}_${String(ordinal).padStart(3, '0')}`;
    let ordinal = 1;
    while (ids.has(id(ordinal))) ordinal++;
    ids.add(id(ordinal));
    return { ...damage, damage_id: id(ordinal), number };
  };
}

/**
 * Updates coverage after a review: a part that was too small in its best photo counts as seen if the reviewer marked
 * that photo complete. Parts in no photo stay unseen.
 */
function updateCoverage(
  photos: readonly Photo[],
  coverage: Coverage,
  toCheck: readonly ToCheck[],
  photosChecked: readonly number[],
): Grounds {
  const views = coverage.parts.flatMap((one): PartView[] => {
    if (one.image_index === null) return [];
    const seenByPerson = one.status === 'too_small' && photosChecked.includes(one.image_index);
    return [
      {
        part: one.part,
        photo: one.image_index,
        status: seenByPerson ? 'seen' : one.status,
        reason: seenByPerson ? null : one.reason,
        cmPerPixel: one.cm_per_pixel ?? 0,
        distanceM: one.distance_m ?? 0,
      },
    ];
  });
  const covered = computeCoverage(views);
  return createGrounds(covered, toCheck, photos);
}

/**
 * Merges findings of the same damage: type and part of the first, evidence of all (the most confident photo first, of
 * each photo its largest box first), the highest severity score, priced by the longest size.
 * @param drawnIn photos in which the box of `into` stays first whatever the size of the others
 */
export function mergeDamages(
  into: Damage,
  others: readonly Damage[],
  pricer: Pricer,
  drawnIn: ReadonlySet<number | undefined> = new Set(),
): Damage {
  if (others.length === 0) return into;
  const evidence = orderMerged(
    [into, ...others].map((one) => one.evidence),
    drawnIn,
  );
  const [best] = evidence;
  if (!best) throw new Error('a damage without evidence');
  const severityScore = Math.max(into.severity_score, ...others.map((one) => one.severity_score));
  const sizeCm = Math.max(readSizeCm(into), ...others.map(readSizeCm));
  const longest = others.find(
    (one) => readSizeCm(one) === sizeCm && one.type === into.type && one.measurements,
  );
  const { measurements, ...rest } = into;
  const measured = sizeCm > readSizeCm(into) ? longest?.measurements : measurements;
  const merged = {
    ...rest,
    ...(measured ? { measurements: measured } : {}),
    severity: toSeverity(severityScore),
    severity_score: severityScore,
    location: { ...into.location, coordinates: best.coordinates },
    confidence: Math.max(...evidence.map((one) => one.confidence)),
    image_url: best.image_url,
    evidence: [...evidence],
    explain: [
      ...into.explain.filter((one) => isSeen(one) && !isSized(one)),
      {
        rule: 'review.merged',
        inputs: {
          merged: others.map((one) => one.damage_id).join(', '),
          long_side_cm: sizeCm,
          severity_score: severityScore,
        },
      },
    ],
  };
  return priceDamage(merged, sizeCm, pricer);
}

type Sighting = Damage['evidence'][number];

/** Orders the evidence of merged findings by photo, then by size. @param drawnIn photos of which the first box leads */
function orderMerged(
  [own = [], ...others]: readonly (readonly Sighting[])[],
  drawnIn: ReadonlySet<number | undefined>,
): readonly Sighting[] {
  const all = [own, ...others].flat();
  const trust = (index: number) =>
    Math.max(...all.flatMap((one) => (one.image_index === index ? [one.confidence] : [])));
  const isDrawn = (one: Sighting) => drawnIn.has(one.image_index) && own.includes(one);
  const area = ({ coordinates: { width, height } }: Sighting) => width * height;
  return [...all].sort(
    (a, b) =>
      trust(b.image_index) - trust(a.image_index) ||
      a.image_index - b.image_index ||
      Number(isDrawn(b)) - Number(isDrawn(a)) ||
      area(b) - area(a),
  );
}
