import { setImmediate } from 'node:timers/promises';
import type { Size } from '../../domain/geometry.ts';
import type { GreyImage, PhotoIssue, RgbImage } from '../../domain/photo.ts';
import { roundTo } from '../../lib/numbers.ts';
import limitsFile from '../data/quality-limits.json' with { type: 'json' };
import { openImage } from '../sharp.ts';

/** Grey level from which a pixel is overexposed. */
const MIN_OVEREXPOSED = 250;
/** Side of a cell in pixels; suppresses noise and single bright pixels. */
const CELL_PX = 4;

interface Exposure {
  /** 95th percentile of the grey levels, 0 to 255. */
  readonly brightestLevel: number;
  /** Fraction of overexposed pixels, 0 to 1. */
  readonly blownOutShare: number;
  /** Fraction of the picture in overexposed patches not connected to the top edge: reflections rather than sky. */
  readonly glareShare: number;
}

/** Measures the exposure of a picture. Takes milliseconds, so it yields to other tasks in between. */
export async function measureExposure(image: GreyImage): Promise<Exposure> {
  const counts = countLevels(image);
  await setImmediate();
  let blownOut = 0;
  for (let level = MIN_OVEREXPOSED; level < 256; level++) blownOut += counts[level] as number;
  return {
    brightestLevel: findQuantile(counts, image.data.length, 0.95),
    blownOutShare: blownOut / image.data.length,
    glareShare: computeGlareShare(image),
  };
}

/** Indexed, because a typed array's iterator is several times slower; a named function is compiled only once. */
function countLevels({ data }: GreyImage): Uint32Array {
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

function computeGlareShare(image: GreyImage): number {
  const columns = Math.floor(image.width / CELL_PX);
  const rows = Math.floor(image.height / CELL_PX);
  const bright = markBrightCells(image, columns, rows);
  // Removes everything bright that is connected to the top edge: sky and background walls.
  const stack: number[] = [];
  const visit = (cell: number): void => {
    if (bright[cell] !== 1) return;
    bright[cell] = 0;
    stack.push(cell);
  };
  for (let column = 0; column < columns; column++) visit(column);
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const column = cell % columns;
    if (column > 0) visit(cell - 1);
    if (column + 1 < columns) visit(cell + 1);
    if (cell >= columns) visit(cell - columns);
    if (cell + columns < bright.length) visit(cell + columns);
  }
  let remaining = 0;
  for (let cell = 0; cell < bright.length; cell++) remaining += bright[cell] as number;
  return bright.length === 0 ? 0 : remaining / bright.length;
}

/** Marks cells with at least half of their pixels overexposed. */
function markBrightCells({ data, width }: GreyImage, columns: number, rows: number): Uint8Array {
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
/** Only this fraction of the tiles, those with the strongest edges, is evaluated (1 in 8). */
const TILES_PER_EVALUATED = 8;
const UPPER_QUARTILE = 0.75;

/**
 * Measures sharpness as squared second differences over squared first differences. Blur removes fine detail before
 * coarse, which lowers the ratio; contrast and brightness cancel out. Evaluates rows and columns on the eighth of the
 * tiles with the strongest edges (a smooth panel says nothing about focus), and of these the upper quartile (the
 * rounded edge of a panel gap is soft in any photo). The lower value counts, to include motion blur in one direction.
 * Takes milliseconds, so it yields to other tasks in between.
 * @returns about 0.3 to 0.9 for a photo in focus, about 0.1 for a clearly blurred one; 0 without any edge
 */
export async function measureSharpness(image: GreyImage): Promise<number> {
  const alongRows = measureAlongAxis(image, 1);
  await setImmediate();
  return Math.min(alongRows, measureAlongAxis(image, image.width));
}

function measureAlongAxis(image: GreyImage, step: number): number {
  const columns = Math.floor(image.width / TILE_PX);
  const rows = Math.floor(image.height / TILE_PX);
  const tiles: { readonly row: number; readonly column: number; readonly first: number }[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      tiles.push({ row, column, first: sumFirstDifferences(image, row, column, step) });
  }
  const ratios = tiles
    .filter((tile) => tile.first > 0)
    .sort((a, b) => b.first - a.first)
    .slice(0, Math.ceil(tiles.length / TILES_PER_EVALUATED))
    .map(({ row, column, first }) => sumSecondDifferences(image, row, column, step) / first)
    .sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length * UPPER_QUARTILE)] ?? 0;
}

/** Sums the squared first differences of a tile. Plain integer loops, because it runs on every pixel of every photo. */
function sumFirstDifferences({ data, width }: GreyImage, row: number, column: number, step: number): number {
  let sum = 0;
  for (let y = row * TILE_PX + 1; y < (row + 1) * TILE_PX - 1; y++) {
    const start = y * width + column * TILE_PX + 1;
    for (let at = start; at < start + TILE_PX - 2; at++) {
      const slope = (data[at + step] as number) - (data[at - step] as number);
      sum += slope * slope;
    }
  }
  return sum;
}

/** Sums the squared second differences of a tile; only computed for the evaluated tiles. */
function sumSecondDifferences({ data, width }: GreyImage, row: number, column: number, step: number): number {
  let sum = 0;
  for (let y = row * TILE_PX + 1; y < (row + 1) * TILE_PX - 1; y++) {
    const start = y * width + column * TILE_PX + 1;
    for (let at = start; at < start + TILE_PX - 2; at++) {
      const bend = 2 * (data[at] as number) - (data[at - step] as number) - (data[at + step] as number);
      sum += bend * bend;
    }
  }
  return sum;
}

/** Long side in pixels at which blur and exposure are measured, so the limits apply to any camera. */
const MEASURED_LONG_SIDE = 1024;

/** Limits of the per-photo warnings. Values and their measurement: `data/quality-limits.json`. */
export interface QualityLimits {
  readonly recommendedLongSide: number;
  readonly recommendedShortSide: number;
  /** Squared second over first differences; higher is sharper. */
  readonly minSharpness: number;
  /** Grey level, 0 to 255. */
  readonly minBrightestLevel: number;
  readonly maxBlownOutShare: number;
  readonly maxGlareShare: number;
}

interface LimitsFile {
  readonly limits: Readonly<Record<string, { readonly value: number }>>;
}

/** Loads the shipped limits. */
export function loadQualityLimits(): QualityLimits {
  const file: LimitsFile = limitsFile;
  const value = (name: string): number => {
    const row = file.limits[name];
    if (row === undefined) throw new Error(`data/quality-limits.json has no row "${name}"`);
    return row.value;
  };
  return {
    recommendedLongSide: value('recommended_long_side'),
    recommendedShortSide: value('recommended_short_side'),
    minSharpness: value('min_sharpness'),
    minBrightestLevel: value('min_brightest_level'),
    maxBlownOutShare: value('max_blown_out_share'),
    maxGlareShare: value('max_glare_share'),
  };
}

/**
 * Lists the warnings about a photo (`low_resolution`, `blur`, `dark`, `bright`, `glare`), each with its measured value.
 * @param size size of the upright original, which may exceed the raster's
 */
export async function judgeQuality(
  raster: RgbImage,
  size: Size,
  limits: QualityLimits,
): Promise<readonly PhotoIssue[]> {
  const grey = await resizeToGrey(raster, MEASURED_LONG_SIDE);
  const sharp = await measureSharpness(grey);
  await setImmediate();
  const { brightestLevel, blownOutShare, glareShare } = await measureExposure(grey);
  const flaws = [
    {
      code: 'blur',
      isPresent: sharp < limits.minSharpness,
      value: roundTo(sharp, 3),
      limit: limits.minSharpness,
      flaw: 'blurred',
      figures: `sharpness ${roundTo(sharp, 3)}, needed ${limits.minSharpness}`,
      advice: 'hold still and let the camera focus',
    },
    {
      code: 'dark',
      isPresent: brightestLevel < limits.minBrightestLevel,
      value: brightestLevel,
      limit: limits.minBrightestLevel,
      flaw: 'too dark',
      figures: `95 % of it below gray level ${brightestLevel} of 255, needed ${limits.minBrightestLevel}`,
      advice: 'more light shows small damage',
    },
    {
      code: 'bright',
      isPresent: blownOutShare > limits.maxBlownOutShare,
      value: roundTo(blownOutShare, 3),
      limit: limits.maxBlownOutShare,
      flaw: 'too bright',
      figures: `${formatPercent(blownOutShare)} of it burnt out, at most ${formatPercent(limits.maxBlownOutShare)}`,
      advice: 'damage there cannot be seen',
    },
    {
      code: 'glare',
      isPresent: glareShare > limits.maxGlareShare,
      value: roundTo(glareShare, 3),
      limit: limits.maxGlareShare,
      flaw: 'glare',
      figures: `${formatPercent(glareShare)} of it in burnt-out patches, at most ${formatPercent(limits.maxGlareShare)}`,
      advice: 'another angle or shade avoids it',
    },
  ];
  const present = flaws.filter(({ isPresent }) => isPresent);
  return [
    ...findResolutionIssue(size, limits),
    ...present.map(({ code, value, limit, flaw, figures, advice }) => {
      const message = `${flaw} (${figures}); ${advice}`;
      return { code, value, limit, message, summary: `${flaw}; ${advice}` };
    }),
  ];
}

function findResolutionIssue(size: Size, limits: QualityLimits): readonly PhotoIssue[] {
  const long = Math.max(size.width, size.height);
  const short = Math.min(size.width, size.height);
  const isLongSideShort = long < limits.recommendedLongSide;
  if (!isLongSideShort && short >= limits.recommendedShortSide) return [];
  const recommended = `${limits.recommendedLongSide}x${limits.recommendedShortSide} or more shows small damage better`;
  return [
    {
      code: 'low_resolution',
      value: isLongSideShort ? long : short,
      limit: isLongSideShort ? limits.recommendedLongSide : limits.recommendedShortSide,
      message: `${size.width}x${size.height} pixels; ${recommended}`,
      summary: `few pixels; ${recommended}`,
    },
  ];
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** Converts a raster to greyscale, scaled up or down to a long side of exactly `longSide` pixels. */
export async function resizeToGrey(raster: RgbImage, longSide: number): Promise<GreyImage> {
  const { data, info } = await openImage(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
  })
    .resize({ width: longSide, height: longSide, fit: 'inside' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
