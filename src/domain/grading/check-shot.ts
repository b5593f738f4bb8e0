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
 * Checks, by its part map, a photo taken to show `wanted`, an outside view of the whole vehicle. Lists what to
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

/** Returns the edge of which cells that are certainly vehicle cover the largest share; undefined if it is whole. */
function findCutEdge({ bestLabels, certainty, width, height }: PartMap): PhotoEdge | undefined {
  const isVehicle = (cell: number) => bestLabels[cell] !== 0 && (certainty[cell] as number) >= MIN_CERTAINTY;
  const measure = (edge: PhotoEdge, length: number, cellAt: (index: number) => number) => ({
    edge,
    share: Array.from({ length }, (_, index) => cellAt(index)).filter(isVehicle).length / length,
  });
  const edges = [
    measure('left', height, (row) => row * width),
    measure('right', height, (row) => row * width + width - 1),
    measure('top', width, (column) => column),
    measure('bottom', width, (column) => (height - 1) * width + column),
  ];
  const cut = edges.filter(({ share }) => share >= MIN_CUT_SHARE).sort((a, b) => b.share - a.share);
  return cut[0]?.edge;
}
