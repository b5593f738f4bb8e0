import { setImmediate } from 'node:timers/promises';
import type { GreyImage } from '../../domain/photo.ts';

/** Grey level from which a pixel has lost its drawing. */
const BLOWN_OUT = 250;
/** Side of the cells that patches are made of, pixels; keeps single bright pixels and noise out. */
const CELL = 4;

/** How a picture is lit. */
interface Exposure {
  /** Grey level, 0 to 255, that 95 % of the pixels do not exceed. */
  readonly brightestLevel: number;
  /** Share of the pixels that are blown out, 0 to 1. */
  readonly blownOutShare: number;
  /** Share of the picture in blown-out patches that do not reach its top edge: reflections rather than sky. */
  readonly glareShare: number;
}

/** Measures the light of a picture. Takes milliseconds, so others get their turn in between. */
export async function measureExposure(image: GreyImage): Promise<Exposure> {
  const counts = new Uint32Array(256);
  // By index: walking a typed array by iterator is several times slower.
  for (let at = 0; at < image.data.length; at++) (counts[image.data[at] as number] as number)++;
  await setImmediate();
  let blownOut = 0;
  for (let level = BLOWN_OUT; level < 256; level++) blownOut += counts[level] as number;
  return {
    brightestLevel: findQuantile(counts, image.data.length, 0.95),
    blownOutShare: blownOut / image.data.length,
    glareShare: computeGlareShare(image),
  };
}

function findQuantile(counts: Uint32Array, total: number, share: number): number {
  let seen = 0;
  for (let level = 0; level < counts.length; level++) {
    seen += counts[level] as number;
    if (seen >= share * total) return level;
  }
  return counts.length - 1;
}

function computeGlareShare(image: GreyImage): number {
  const columns = Math.floor(image.width / CELL);
  const rows = Math.floor(image.height / CELL);
  const bright = markBrightCells(image, columns, rows);
  // The sky and the wall behind: everything bright that hangs together with the top edge is taken away.
  const open: number[] = [];
  const clear = (cell: number): void => {
    if (bright[cell] !== 1) return;
    bright[cell] = 0;
    open.push(cell);
  };
  for (let column = 0; column < columns; column++) clear(column);
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    const column = cell % columns;
    if (column > 0) clear(cell - 1);
    if (column + 1 < columns) clear(cell + 1);
    if (cell >= columns) clear(cell - columns);
    if (cell + columns < bright.length) clear(cell + columns);
  }
  let left = 0;
  for (const cell of bright) left += cell;
  return bright.length === 0 ? 0 : left / bright.length;
}

/** Returns a grid with 1 for each cell at least half of whose pixels are blown out. */
function markBrightCells({ data, width }: GreyImage, columns: number, rows: number): Uint8Array {
  const bright = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let count = 0;
      for (let y = row * CELL; y < (row + 1) * CELL; y++) {
        const start = y * width + column * CELL;
        for (let at = start; at < start + CELL; at++) {
          if ((data[at] as number) >= BLOWN_OUT) count++;
        }
      }
      if (count * 2 >= CELL * CELL) bright[row * columns + column] = 1;
    }
  }
  return bright;
}
