import { setImmediate } from 'node:timers/promises';
import type { Size } from '../../domain/geometry.ts';
import type { GrayImage, PhotoIssue, RgbImage } from '../../domain/photo.ts';
import { findConnectedComponents } from '../../domain/sight/connected-components.ts';
import { sumBy } from '../../lib/lists.ts';
import { roundTo } from '../../lib/numbers.ts';
import limitsFile from '../data/quality-limits.json' with { type: 'json' };
import { openPixels, readPixels } from '../sharp.ts';

/** Gray level from which a pixel is overexposed. */
const MIN_OVEREXPOSED = 250;
/** Side of a cell in pixels; suppresses noise and single bright pixels. */
const CELL_PX = 4;

/**
 * Measures the exposure of a picture: the 95th percentile of its gray levels (0 to 255), and as shares of it (0 to 1)
 * the overexposed pixels, and the overexposed patches not connected to the top edge, which are reflections rather than
 * sky. Takes milliseconds, so it yields to other tasks in between.
 */
export async function measureExposure(image: GrayImage) {
  const counts = countLevels(image);
  await setImmediate();
  let overexposed = 0;
  for (let level = MIN_OVEREXPOSED; level < 256; level++) overexposed += counts[level] as number;
  return {
    level95: findQuantile(counts, image.data.length, 0.95),
    overexposedShare: overexposed / image.data.length,
    glareShare: computeGlareShare(image),
  };
}

/** Indexed, because a typed array's iterator is several times slower; a named function is compiled only once. */
function countLevels({ data }: GrayImage): Uint32Array {
  const counts = new Uint32Array(256);
  for (let at = 0; at < data.length; at++) (counts[data[at] as number] as number)++;
  return counts;
}

function findQuantile(counts: Uint32Array, total: number, share: number): number {
  let cumulative = 0;
  for (let level = 0; level < counts.length; level++) {
    cumulative += counts[level] as number;
    if (cumulative >= share * total) return level;
  }
  return counts.length - 1;
}

function computeGlareShare(image: GrayImage): number {
  const columns = Math.floor(image.width / CELL_PX);
  const rows = Math.floor(image.height / CELL_PX);
  // Everything bright that is connected to the top edge is sky or a background wall.
  const patches = findConnectedComponents(markBrightCells(image, columns, rows), columns, 4);
  const glare = patches.filter((cells) => cells.every((cell) => cell >= columns));
  return sumBy(glare, ({ length }) => length) / Math.max(1, columns * rows);
}

/** Marks cells with at least half of their pixels overexposed. */
function markBrightCells({ data, width }: GrayImage, columns: number, rows: number): Uint8Array {
  const bright = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let count = 0;
      for (let y = row * CELL_PX; y < (row + 1) * CELL_PX; y++) {
        const start = y * width + column * CELL_PX;
        for (let at = start; at < start + CELL_PX; at++) {
          if ((data[at] as number) >= MIN_OVEREXPOSED) count++;
        }
      }
      if (count * 2 >= CELL_PX * CELL_PX) bright[row * columns + column] = 1;
    }
  }
  return bright;
}

const TILE_PX = 32;
/** One in this many tiles is evaluated: those with the strongest edges. */
const TILES_PER_EVALUATED = 8;
const UPPER_QUARTILE = 0.75;

/**
 * Measures sharpness as squared second differences over squared first differences. Blur removes fine detail before
 * coarse, which lowers the ratio; contrast and brightness cancel out. Evaluates rows and columns on the eighth of the
 * tiles with the strongest edges (a smooth panel says nothing about focus), and takes the upper quartile of these (the
 * rounded edge of a panel gap is soft in any photo). Returns the lower of both directions, to detect motion blur. Takes
 * milliseconds, so it yields to other tasks in between.
 * @returns about 0.3 to 0.9 for a photo in focus, about 0.1 for a clearly blurred one; 0 without any edge
 */
export async function measureSharpness(image: GrayImage): Promise<number> {
  const alongRows = measureAlongAxis(image, 1);
  await setImmediate();
  return Math.min(alongRows, measureAlongAxis(image, image.width));
}

function measureAlongAxis(image: GrayImage, step: number): number {
  const columns = Math.floor(image.width / TILE_PX);
  const rows = Math.floor(image.height / TILE_PX);
  const tiles: { readonly row: number; readonly column: number; readonly first: number }[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      tiles.push({ row, column, first: sumDifferences(image, row, column, step, FIRST) });
  }
  const ratios = tiles
    .filter((tile) => tile.first > 0)
    .sort((a, b) => b.first - a.first)
    .slice(0, Math.ceil(tiles.length / TILES_PER_EVALUATED))
    .map(({ row, column, first }) => sumDifferences(image, row, column, step, SECOND) / first)
    .sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length * UPPER_QUARTILE)] ?? 0;
}

/** Weights of the previous, the own and the next pixel. */
const FIRST = [-1, 0, 1] as const;
const SECOND = [-1, 2, -1] as const;

/** Sums the squared differences of a tile. Plain integer loops, because they run on every pixel of every photo. */
function sumDifferences(
  { data, width }: GrayImage,
  row: number,
  column: number,
  step: number,
  [previous, own, next]: typeof FIRST | typeof SECOND,
): number {
  let sum = 0;
  for (let y = row * TILE_PX + 1; y < (row + 1) * TILE_PX - 1; y++) {
    const start = y * width + column * TILE_PX + 1;
    for (let at = start; at < start + TILE_PX - 2; at++) {
      const difference =
        previous * (data[at - step] as number) +
        own * (data[at] as number) +
        next * (data[at + step] as number);
      sum += difference * difference;
    }
  }
  return sum;
}

/** Long side in pixels at which blur and exposure are measured, so the limits apply to any camera. */
const MEASURED_LONG_SIDE = 1024;

/**
 * Lists the warnings about a photo (`low_resolution`, `blur`, `dark`, `bright`, `glare`), each with its measured value.
 * The limits and how they were measured: `data/quality-limits.json`.
 * @param size size of the upright original, which may exceed the raster's
 */
export async function judgeQuality(raster: RgbImage, size: Size): Promise<readonly PhotoIssue[]> {
  const gray = await resizeToGray(raster);
  const measured = await measureSharpness(gray);
  await setImmediate();
  const { level95, overexposedShare, glareShare } = await measureExposure(gray);
  const { min_sharpness, min_level95, max_overexposed_share, max_glare_share } = limitsFile.limits;
  const sharpness = roundApart(measured, min_sharpness.value);
  const overexposed = roundApart(overexposedShare, max_overexposed_share.value);
  const glare = roundApart(glareShare, max_glare_share.value);
  const flaws: (PhotoIssue | false)[] = [
    sharpness < min_sharpness.value &&
      makeIssue('blur', sharpness, min_sharpness, {
        flaw: 'blurred',
        figures: `sharpness ${sharpness}, needed ${min_sharpness.value}`,
        advice: 'hold still and let the camera focus',
      }),
    level95 < min_level95.value &&
      makeIssue('dark', level95, min_level95, {
        flaw: 'too dark',
        figures: `95 % of it below gray level ${level95} of 255, needed ${min_level95.value}`,
        advice: 'more light shows small damage',
      }),
    overexposed > max_overexposed_share.value &&
      makeIssue('bright', overexposed, max_overexposed_share, {
        flaw: 'too bright',
        figures: `${formatPercent(overexposed)} of it overexposed, at most ${formatPercent(max_overexposed_share.value)}`,
        advice: 'damage there cannot be seen',
      }),
    glare > max_glare_share.value &&
      makeIssue('glare', glare, max_glare_share, {
        flaw: 'glare',
        figures: `${formatPercent(glare)} of it in overexposed patches, at most ${formatPercent(max_glare_share.value)}`,
        advice: 'another angle or shade avoids it',
      }),
  ];
  return [findResolutionIssue(size), ...flaws].filter((one) => one !== false);
}

function makeIssue(
  code: string,
  value: number,
  { value: limit }: { readonly value: number },
  { flaw, figures, advice }: Readonly<Record<'flaw' | 'figures' | 'advice', string>>,
): PhotoIssue {
  return { code, value, limit, message: `${flaw} (${figures}); ${advice}`, summary: `${flaw}; ${advice}` };
}

function findResolutionIssue({ width, height }: Size): PhotoIssue | false {
  const { recommended_long_side: long, recommended_short_side: short } = limitsFile.limits;
  const sides = [
    { value: Math.max(width, height), limit: long.value },
    { value: Math.min(width, height), limit: short.value },
  ];
  const few = sides.find(({ value, limit }) => value < limit);
  const recommended = `${long.value}x${short.value} or more shows small damage better`;
  return (
    few !== undefined && {
      code: 'low_resolution',
      ...few,
      message: `${width}x${height} pixels; ${recommended}`,
      summary: `few pixels; ${recommended}`,
    }
  );
}

/** Rounds a value to three decimals, or to as many as distinguish it from its limit. */
function roundApart(value: number, limit: number): number {
  let decimals = 3;
  while (value !== limit && roundTo(value, decimals) === limit) decimals++;
  return roundTo(value, decimals);
}

const formatPercent = (share: number): string => `${roundTo(share * 100, 6)} %`;

/** Converts a raster to grayscale, scaled up or down to a long side of exactly `MEASURED_LONG_SIDE`. */
function resizeToGray(raster: RgbImage): Promise<GrayImage> {
  const side = MEASURED_LONG_SIDE;
  const resized = openPixels(raster).resize({ width: side, height: side, fit: 'inside' });
  return readPixels(resized.toColourspace('b-w'));
}
