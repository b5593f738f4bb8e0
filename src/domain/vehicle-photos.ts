import { groupBy } from '../lib/lists.ts';
import type { RuleTrace } from './damage.ts';

/** A reviewer's decision; two kinds assign photos to vehicles. */
interface AnyDecision {
  readonly decision: string;
  readonly image_index?: number;
  /** Number of the vehicle, either one found or a new one. */
  readonly vehicle?: number;
}

/** Photos of a vehicle by index, ascending. */
export interface VehiclePhotos {
  readonly vehicle: number;
  readonly images: readonly number[];
}

/** Returns the vehicle to which the inspection assigned a photo; 1 if the photos were not divided. */
export function findVehicle(
  photo: number,
  groups: readonly { readonly group: number; readonly images: readonly number[] }[],
): number {
  return groups.find(({ images }) => images.includes(photo))?.group ?? 1;
}

/**
 * Groups photos by vehicle after the decisions: a moved photo belongs to the vehicle it was moved to, any other to the
 * one found, or to the first if all show one vehicle. Omits vehicles without photos.
 */
export function groupAsDecided(
  photos: readonly { readonly index: number }[],
  groups: Parameters<typeof findVehicle>[1],
  decisions: readonly AnyDecision[],
): readonly VehiclePhotos[] {
  const isOne = decisions.some(({ decision }) => decision === 'one_vehicle');
  const moves = decisions.filter(({ decision }) => decision === 'vehicle');
  const decide = (photo: number) =>
    moves.find(({ image_index: index }) => index === photo)?.vehicle ??
    (isOne ? 1 : findVehicle(photo, groups));
  const indices = photos.map(({ index }) => index);
  return [...groupBy(indices, decide)]
    .map(([vehicle, images]) => ({ vehicle, images }))
    .sort((one, other) => one.vehicle - other.vehicle);
}

/** Fields of a finding that depend on its photos. */
interface ShownFinding {
  readonly damage_id: string;
  readonly number: number;
  readonly confidence: number;
  readonly image_url: string;
  readonly location: { readonly coordinates: object };
  readonly evidence: readonly {
    readonly image_index: number;
    readonly image_url: string;
    readonly coordinates: object;
    readonly confidence: number;
  }[];
  readonly explain: readonly RuleTrace[];
}

/**
 * Splits findings seen on several vehicles, because a damage is on one vehicle: that of the best photo keeps the
 * finding; each other vehicle gets its own finding with the same part, type and severity.
 */
export function splitByVehicle<F extends ShownFinding>(
  findings: readonly F[],
  vehicles: readonly VehiclePhotos[],
): readonly F[] {
  let last = Math.max(0, ...findings.map(({ number }) => number));
  return findings.flatMap((finding) => {
    const ofVehicle = groupBy(finding.evidence, ({ image_index: index }) =>
      vehicles.findIndex(({ images }) => images.includes(index)),
    );
    const [own, ...others] = ofVehicle.values();
    if (others.length === 0) return [finding];
    return [
      { ...finding, evidence: own },
      ...others.map((evidence) => {
        const [best] = evidence;
        return {
          ...finding,
          damage_id: makeSplitId(finding.damage_id, best.image_index),
          number: ++last,
          confidence: best.confidence,
          image_url: best.image_url,
          location: { ...finding.location, coordinates: best.coordinates },
          evidence,
          explain: [
            ...finding.explain,
            { rule: 'review.other_vehicle', inputs: { found_as: finding.damage_id } },
          ],
        };
      }),
    ];
  });
}

/**
 * Returns the decision that would spread one damage over two vehicles: a merge, or a box drawn as a further photo of a
 * finding. Undefined if there is none.
 */
export function findMergeOverVehicles<
  D extends AnyDecision & { readonly damage_id?: string; readonly into?: string },
>(
  findings: readonly ShownFinding[],
  vehicles: readonly VehiclePhotos[],
  decisions: readonly D[],
): D | undefined {
  const best = new Map(
    splitByVehicle(findings, vehicles).map((one) => [one.damage_id, one.evidence[0]?.image_index]),
  );
  const find = (photo: number | undefined) =>
    vehicles.find(({ images }) => photo !== undefined && images.includes(photo));
  return decisions.find(({ damage_id: id, into, image_index: drawnOn }) => {
    const own = find(id === undefined ? drawnOn : best.get(id));
    return into !== undefined && own !== undefined && own !== find(best.get(into));
  });
}

/** Lists the ids that a finding can have after any split, its own first. */
export function listSplitIds({
  damage_id: id,
  evidence,
}: Pick<ShownFinding, 'damage_id' | 'evidence'>): readonly string[] {
  return [id, ...new Set(evidence.slice(1).map(({ image_index: index }) => makeSplitId(id, index)))];
}

/** Appends the photo number to an id, so a decision stays with its finding whichever other photos are moved. */
const makeSplitId = (id: string, photo: number) => `${id}${String(photo + 1).padStart(3, '0')}`;
