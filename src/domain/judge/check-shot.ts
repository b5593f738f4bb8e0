import type { Angle } from '../damage.ts';
import type { PartMap } from '../sight/detection.ts';
import { checkVehicle, computeVehicleShare, measurePartMap } from '../sight/part-map.ts';
import { chooseViewAngle } from '../sight/view-angle.ts';
import { showsSameArea } from '../sight/walk-around.ts';

/** Edge of a photo. */
export type PhotoEdge = 'left' | 'right' | 'top' | 'bottom';

/** What to change about a photo that was taken for a view; the photo is kept all the same. */
export type ShotHint =
  | { readonly code: 'no_vehicle' | 'too_far' | 'blur' | 'dark' | 'bright' | 'glare' | 'low_resolution' }
  | { readonly code: 'other_view'; readonly seen: Angle }
  | { readonly code: 'cut_off'; readonly edge: PhotoEdge }
  | { readonly code: 'other_vehicle'; readonly photo: string };

/**
 * Share of an edge with cells of the vehicle from which the photo cuts it off. On 49 photos of six walk-arounds and the
 * demo's 15, a whole vehicle touches no edge at all, and one that is cut off 0.13 or more of one.
 */
const MIN_CUT_SHARE = 0.1;
/** Certainty of 255 from which a cell counts. */
const MIN_CERTAINTY = 128;
/** Share of the photo below which a vehicle is too far away to judge small damage. */
const MIN_VEHICLE_SHARE = 0.15;

/**
 * Judges a photo that was taken to show `wanted`, an outside view of the whole vehicle, by the parts in it. Lists what
 * to change, most important first; empty if the photo is as it should be. Pure.
 */
export function checkShot(map: PartMap, wanted: Angle): readonly ShotHint[] {
  const measured = measurePartMap(map);
  if (!checkVehicle(measured).passed) return [{ code: 'no_vehicle' }];
  const seen = chooseViewAngle(measured.mass);
  if (seen !== null && !showsSameArea(seen, wanted)) return [{ code: 'other_view', seen }];
  const edge = findCutEdge(map);
  if (edge) return [{ code: 'cut_off', edge }];
  return computeVehicleShare(measured.mass) < MIN_VEHICLE_SHARE ? [{ code: 'too_far' }] : [];
}

/** Returns the edge that most of the vehicle crosses; undefined if the vehicle is whole. */
function findCutEdge(map: PartMap): PhotoEdge | undefined {
  const shares = measureEdges(map);
  const [first] = (Object.keys(shares) as PhotoEdge[])
    .filter((edge) => shares[edge] >= MIN_CUT_SHARE)
    .sort((a, b) => shares[b] - shares[a]);
  return first;
}

/** Returns the share of each edge with cells that are certainly of the vehicle. */
function measureEdges({
  bestLabels,
  certainty,
  width,
  height,
}: PartMap): Readonly<Record<PhotoEdge, number>> {
  const share = (length: number, cellAt: (index: number) => number) => {
    let cells = 0;
    for (let index = 0; index < length; index++) {
      const cell = cellAt(index);
      if (bestLabels[cell] !== 0 && (certainty[cell] as number) >= MIN_CERTAINTY) cells++;
    }
    return cells / length;
  };
  return {
    left: share(height, (row) => row * width),
    right: share(height, (row) => row * width + width - 1),
    top: share(width, (column) => column),
    bottom: share(width, (column) => (height - 1) * width + column),
  };
}
