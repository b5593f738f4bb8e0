import type { PartMap } from '../domain/detection.ts';
import type { Box, Size } from '../domain/geometry.ts';

/** Cells whose part is less certain than this (of 255) do not say where the vehicle is. */
const CERTAIN = 128;
/** A group of cells smaller than this share of the largest one is noise or a vehicle in the background. */
const LEAST_SHARE = 0.1;

/**
 * Where the vehicle is: the box around the largest connected groups of part cells, in pixels of a raster of the given
 * size that shows what the map covers. None seen → undefined.
 */
export function vehicleRegion(parts: PartMap, raster: Size): Box | undefined {
  const groups = groupsOf(parts);
  const largest = Math.max(0, ...groups.map((group) => group.cells));
  const counted = groups.filter((group) => group.cells >= LEAST_SHARE * largest);
  if (counted.length === 0) return undefined;
  const [cellWidth, cellHeight] = [raster.width / parts.width, raster.height / parts.height];
  const left = Math.min(...counted.map((group) => group.left)) * cellWidth;
  const top = Math.min(...counted.map((group) => group.top)) * cellHeight;
  const right = (Math.max(...counted.map((group) => group.right)) + 1) * cellWidth;
  const bottom = (Math.max(...counted.map((group) => group.bottom)) + 1) * cellHeight;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

interface Group {
  cells: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function groupsOf({ width, height, labels, best, certainty }: PartMap): Group[] {
  const background = labels.indexOf('background');
  const seen = Uint8Array.from(best, (label, cell) =>
    label === background || (certainty[cell] ?? 0) < CERTAIN ? 1 : 0,
  );
  const groups: Group[] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] === 1) continue;
    const group: Group = { cells: 0, left: width, top: height, right: 0, bottom: 0 };
    const open = [start];
    seen[start] = 1;
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      const [x, y] = [cell % width, Math.floor(cell / width)];
      group.cells++;
      group.left = Math.min(group.left, x);
      group.right = Math.max(group.right, x);
      group.top = Math.min(group.top, y);
      group.bottom = Math.max(group.bottom, y);
      const neighbours = [x > 0 ? cell - 1 : -1, x < width - 1 ? cell + 1 : -1, cell - width, cell + width];
      for (const next of neighbours) {
        if (seen[next] !== 0) continue;
        seen[next] = 1;
        open.push(next);
      }
    }
    groups.push(group);
  }
  return groups;
}
