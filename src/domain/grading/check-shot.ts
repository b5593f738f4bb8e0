import type { Angle } from '../photo.ts';
import { checkVehicle } from '../sight/check-vehicle.ts';
import type { PartMap } from '../sight/detection.ts';
import { computeVehicleShare, measurePartMap } from '../sight/part-map.ts';
import { chooseViewAngle } from '../sight/view-angle.ts';
import { showsSameArea } from '../sight/walk-around.ts';

export type PhotoEdge = 'left' | 'right' | 'top' | 'bottom';

/** Advice for retaking a photo of a view; the photo is kept either way. */
export type ShotHint =
  | { readonly code: 'no_vehicle' | 'too_far' | 'blur' | 'dark' | 'bright' | 'glare' | 'low_resolution' }
  | { readonly code: 'other_view'; readonly seen: Angle }
  | { readonly code: 'cut_off'; readonly edge: PhotoEdge }
  | { readonly code: 'other_vehicle'; readonly photo: string };

/**
 * Minimum share of an edge covered by vehicle cells for the photo to count as cutting the vehicle off. On 49 photos of
 * six walk-arounds and the demo's 15, whole vehicles touch no edge; cut-off ones cover at least 0.13 of one.
 */
const MIN_CUT_SHARE = 0.1;
/** Minimum certainty, of 255, for a cell to count. */
const MIN_CERTAINTY = 128;
/** Share of the photo below which a vehicle is too far away to judge small damage. */
const MIN_VEHICLE_SHARE = 0.15;

/**
 * Judges, from its part map, a photo taken to show `wanted`, an outside view of the whole vehicle. Lists what to
 * change, most important first; empty if nothing. Pure.
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

/** Returns the edge with the largest share of vehicle cells; undefined if the vehicle is whole. */
function findCutEdge(map: PartMap): PhotoEdge | undefined {
  const shares = measureEdges(map);
  const [first] = (Object.keys(shares) as PhotoEdge[])
    .filter((edge) => shares[edge] >= MIN_CUT_SHARE)
    .sort((a, b) => shares[b] - shares[a]);
  return first;
}

/** Returns the share of each edge covered by cells that are certainly vehicle. */
function measureEdges({ bestLabels, certainty, width, height }: PartMap) {
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
