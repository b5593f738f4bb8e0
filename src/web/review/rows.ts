import { listBoxes } from '../../contract/corrected-boxes.ts';
import type { Damage, Photo, VisualInspection } from '../../contract/inspection.ts';
import type { AppliedReview } from '../../contract/review-answers.ts';
import { isPlaceToCheckId, keepBestOfPhoto, replaceBox } from '../../domain/damage.ts';
import { type Box, iou } from '../../domain/geometry.ts';
import { findSide } from '../../domain/parts.ts';
import { WALK_AROUND } from '../../domain/sight/walk-around.ts';
import { groupAsDecided, splitByVehicle } from '../../domain/vehicle-photos.ts';
import { groupBy } from '../../lib/lists.ts';
import { DECISION_WORDS, describeFindingPart } from '../../report/words.ts';
import { type Decisions, findDecision, listAdditions } from './decisions.ts';

type Outcome = 'undecided' | 'accepted' | 'rejected' | 'changed' | 'merged' | 'added';

/** A finding in the list, on the photo and in the panel. */
export interface Row {
  /** Id of the finding; `add:<index>` for a drawn one. */
  readonly key: string;
  readonly kind: 'certain' | 'check' | 'added';
  readonly outcome: Outcome;
  readonly number: number;
  /** Current values; for a rejected or merged finding, the values it would have if accepted. */
  readonly damage: Damage;
  /** Index of the photo with the best view. */
  readonly photoIndex: number;
  readonly boxes: readonly { readonly imageIndex: number; readonly box: Box }[];
  /** Number of the damage into which it is merged; null if there is none. */
  readonly mergedInto: number | null;
  /** Number of the vehicle that its best photo shows, from 1. */
  readonly vehicle: number;
}

/** Sorts photos by angle around the vehicle; other angles follow. */
export function sortByAngle(photos: readonly Photo[]): readonly Photo[] {
  const position = ({ angle }: Photo) => [...WALK_AROUND, angle].indexOf(angle);
  return [...photos].sort((a, b) => position(a) - position(b) || a.index - b.index);
}

/**
 * Lists all findings by vehicle and part: parts with certain damage first, then by expected cost (confidence times
 * original cost, so that decisions do not reorder the list); those of equal cost stay in the order of their numbers.
 */
export function listRows(
  inspection: Pick<VisualInspection, 'results' | 'images' | 'vehicle_groups'>,
  review: AppliedReview,
  decisions: Decisions,
): readonly Row[] {
  const { results, images, vehicle_groups: groups } = inspection;
  const vehicles = groupAsDecided(images, groups, decisions);
  const all: readonly Damage[] = [...(results?.damages ?? []), ...(results?.to_check ?? [])];
  const findings = splitByVehicle(all, vehicles);
  const reviewed = new Map(review.decisions.map((one) => [`${one.decision}:${one.damage_id}`, one]));
  const findNumber = (id: string | undefined) =>
    review.decisions.find((one) => one.corrected?.damage_id === id)?.corrected?.number ??
    findings.find((one) => one.damage_id === id)?.number ??
    null;
  const makeRow = (row: Omit<Row, 'photoIndex' | 'vehicle'>): Row => {
    const photoIndex = row.boxes[0]?.imageIndex ?? 0;
    const vehicle = 1 + vehicles.findIndex(({ images }) => images.includes(photoIndex));
    return { ...row, photoIndex, vehicle };
  };
  const found = findings.map((original) => {
    const { damage_id: key, number } = original;
    const decision = findDecision(decisions, key);
    const result = decision && reviewed.get(`${decision.decision}:${key}`);
    const damage = result?.corrected ?? applyCorrection(original, decision);
    const mergedInto = result?.decision === 'merge' ? findNumber(result.into) : null;
    const kind = isPlaceToCheckId(key) ? 'check' : 'certain';
    const outcome = decision ? DECISION_WORDS[decision.decision] : 'undecided';
    return makeRow({ key, kind, outcome, number, damage, boxes: listBestBoxes(damage), mergedInto });
  });
  const drawn = review.decisions.flatMap((one) => (one.decision === 'add' ? (one.corrected ?? []) : []));
  const additions = listAdditions(decisions);
  const added = additions.flatMap(({ image_index: imageIndex, box, into }, index) => {
    // Another box may have been removed since the review was stored; one that has changed keeps its position.
    const position = drawn.length === additions.length ? drawn[index] : undefined;
    const damage = [...drawn.slice(index), ...drawn].find((one) => hasBox(one, imageIndex, box)) ?? position;
    if (!damage) return [];
    const { number } = damage;
    const mergedInto = into === undefined ? null : number;
    const [key, boxes] = [makeAdditionKey(index), [{ imageIndex, box }]];
    return [makeRow({ key, kind: 'added', outcome: 'added', number, damage, boxes, mergedInto })];
  });
  const worth = new Map(
    findings.map((one) => [one.damage_id, one.confidence * one.estimated_repair.estimated]),
  );
  return orderRows([...found, ...added], worth).toSorted((a, b) => a.vehicle - b.vehicle);
}

const hasBox = ({ evidence }: Damage, imageIndex: number, box: Box) =>
  evidence.some((one) => one.image_index === imageIndex && iou(one.coordinates, box) === 1);

const listBestBoxes = ({ evidence }: Damage): Row['boxes'] =>
  keepBestOfPhoto(evidence).map(({ image_index: imageIndex, coordinates: { x, y, width, height } }) => ({
    imageIndex,
    box: { x, y, width, height },
  }));

/** Returns a finding with the corrections of a decision; its price and size follow with the response. */
function applyCorrection(found: Damage, decision: ReturnType<typeof findDecision>): Damage {
  if (decision === undefined || decision.decision === 'accept') return found;
  const { type, subtype, severity, part } = decision;
  const isOther = type !== undefined || part !== undefined || subtype !== undefined;
  return {
    ...found,
    ...(isOther ? { subtype } : {}),
    type: type ?? (subtype === undefined ? found.type : 'panel_damage'),
    severity: severity ?? found.severity,
    location: part === undefined ? found.location : { ...found.location, part, side: findSide(part) },
    evidence: listBoxes(decision).reduce(
      (list, { box, image_index }) => replaceBox(list, box, image_index),
      found.evidence,
    ),
  };
}

/** Sorts rows by part; within one, certain, drawn, then to check. @param worth expected cost by key, 0 without one */
function orderRows(rows: readonly Row[], worth: ReadonlyMap<string, number>): readonly Row[] {
  const readWorth = ({ key }: Row) => worth.get(key) ?? 0;
  const rank = { certain: 0, added: 1, check: 2 };
  const parts = [...groupBy(rows, namePart).values()].map((list) => {
    const isCertain = list.some(({ kind }) => kind === 'certain');
    return { list, isCertain, worth: Math.max(...list.map(readWorth)) };
  });
  return parts
    .sort((a, b) => Number(b.isCertain) - Number(a.isCertain) || b.worth - a.worth)
    .flatMap(({ list }) =>
      list.toSorted((a, b) => rank[a.kind] - rank[b.kind] || readWorth(b) - readWorth(a)),
    );
}

/** Returns the words for the part on which a row is. */
export const namePart = ({ damage }: Pick<Row, 'damage'>): string => describeFindingPart(damage.location);

export const makeAdditionKey = (index: number): string => `add:${index}`;

/** Returns the index of an addition from its key; null for a finding. */
export const readAdditionIndex = (key: string): number | null =>
  key.startsWith('add:') ? Number(key.slice(4)) : null;

/** Returns the next undecided row, wrapping around; null if all are decided. */
export function findNextUndecided(rows: readonly Row[], after: string | null): Row | null {
  const at = rows.findIndex(({ key }) => key === after);
  const turned = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
  return turned.find(({ outcome }) => outcome === 'undecided') ?? null;
}
