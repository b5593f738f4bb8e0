import { createRandom } from '../../lib/random.ts';
import { clamp } from '../geometry.ts';
import type { GrayImage } from '../photo.ts';

/** Keypoints of a photo; positions in pixels of the picture in which they were detected. */
export interface KeyPoints {
  readonly count: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** 256 bits per keypoint, eight words each. */
  readonly descriptors: Uint32Array;
}

/** Coarse mask of the picture, row-major; 1 where keypoints are allowed. */
export interface PointMask {
  readonly width: number;
  readonly height: number;
  readonly allowed: Uint8Array;
}

/** Maximum keypoints per photo; with 1,500, a place registers in 97 % of photos retaken from the same view. */
const MAX_POINTS = 1500;
/** Long side, pixels, to which larger pictures are scaled; larger ones take twice the time and register no more places. */
const MAX_LONG_SIDE = 1280;
/** Minimum contrast of a corner in gray levels; low, because paint has few strong ones. */
const MIN_CONTRAST = 6;
/** Number of pyramid levels, each smaller than the previous one by `SHRINK`. */
const LEVELS = 8;
const SHRINK = 1.2;
/** Patch radius for orientation and descriptor, pixels. */
const RADIUS = 15;
const MARGIN = RADIUS + 2;
/** Number of rotation steps of the pattern in a full turn. */
const ROTATION_STEPS = 30;
const TEST_COUNT = 256;
/** Radius and spread of the sampling pattern, pixels, as in the BRIEF paper (Calonder et al., 2010). */
const PATTERN_REACH = 12;
const PATTERN_SIGMA = 5.2;

/** Circle of the corner test, clockwise from the top: columns and rows of its pixels relative to the center. */
const CIRCLE_X = [0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1] as const;
const CIRCLE_Y = [-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3] as const;
/** Lookup table by bit pattern: true if 9 consecutive of the 16 circle pixels are set. */
const HAS_RUN = listRuns(9);
/** Sampling pattern per rotation step, four coordinates per test: two points whose gray values are compared. */
const PATTERNS = drawPatterns();

/**
 * Detects oriented corners with binary descriptors (FAST corners, rotated BRIEF), distributed evenly over the picture.
 * @param mask limits keypoints to the vehicle
 */
export function findKeyPoints(picture: GrayImage, mask: PointMask): KeyPoints {
  const xs: number[] = [];
  const ys: number[] = [];
  const descriptors: number[] = [];
  const levelShares = Array.from({ length: LEVELS }, (_, level) => SHRINK ** (-2 * level));
  const totalShare = levelShares.reduce((sum, one) => sum + one, 0);
  const reduction = Math.max(1, Math.max(picture.width, picture.height) / MAX_LONG_SIDE);
  let current = reduction > 1 ? shrink(picture, reduction) : picture;
  for (let level = 0; level < LEVELS; level++) {
    if (level > 0) current = shrink(current, SHRINK);
    if (current.width <= 2 * MARGIN || current.height <= 2 * MARGIN) break;
    const quota = Math.round((MAX_POINTS * (levelShares[level] ?? 0)) / totalShare);
    const smooth = blur5(current);
    for (const { x, y } of distributeEvenly(findCorners(current, mask), current, quota)) {
      xs.push(((x + 0.5) * picture.width) / current.width - 0.5);
      ys.push(((y + 0.5) * picture.height) / current.height - 0.5);
      appendDescriptor(smooth, current.width, x, y, findRotation(current, x, y), descriptors);
    }
  }
  return {
    count: xs.length,
    x: Float32Array.from(xs),
    y: Float32Array.from(ys),
    descriptors: Uint32Array.from(descriptors),
  };
}

interface Corner {
  readonly x: number;
  readonly y: number;
  readonly strength: number;
}

function findCorners({ data, width, height }: GrayImage, mask: PointMask): Corner[] {
  const circle = Int32Array.from(CIRCLE_X, (x, at) => (CIRCLE_Y[at] as number) * width + x);
  const columns = Int32Array.from({ length: width }, (_, x) => Math.floor((x / width) * mask.width));
  const strengths = new Uint16Array(width * height);
  const candidates: number[] = [];
  for (let y = MARGIN; y < height - MARGIN; y++) {
    const row = Math.floor((y / height) * mask.height) * mask.width;
    for (let x = MARGIN, at = y * width + MARGIN; x < width - MARGIN; x++, at++) {
      if (mask.allowed[row + (columns[x] as number)] === 0) continue;
      const strength = measureCorner(data, at, circle);
      if (strength === 0) continue;
      strengths[at] = strength;
      candidates.push(at);
    }
  }
  return candidates
    .filter((at) => isPeak(strengths, at, width))
    .map((at) => ({ x: at % width, y: Math.floor(at / width), strength: strengths[at] as number }));
}

/** Returns the contrast between circle and center, 0 if it is no corner. */
function measureCorner(data: Uint8Array, at: number, circle: Int32Array): number {
  const center = data[at] as number;
  return (
    sumBeyond(data, at, circle, center + MIN_CONTRAST, 1) ||
    sumBeyond(data, at, circle, center - MIN_CONTRAST, -1)
  );
}

/** Returns the total excess of the circle over a limit, above it (sign 1) or below it (-1); 0 without nine in a row. */
function sumBeyond(data: Uint8Array, at: number, circle: Int32Array, limit: number, sign: 1 | -1): number {
  let bits = 0;
  let sum = 0;
  // Nine consecutive pixels include one of any two opposite ones, so the first pairs reject most positions.
  for (let k = 0; k < 8; k++) {
    const one = sign * ((data[at + (circle[k] as number)] as number) - limit);
    const opposite = sign * ((data[at + (circle[k + 8] as number)] as number) - limit);
    if (one <= 0 && opposite <= 0) return 0;
    if (one > 0) {
      bits |= 1 << k;
      sum += one;
    }
    if (opposite > 0) {
      bits |= 256 << k;
      sum += opposite;
    }
  }
  return HAS_RUN[bits] ? sum : 0;
}

function isPeak(strengths: Uint16Array, at: number, width: number): boolean {
  const strength = strengths[at] as number;
  return (
    strength >= (strengths[at - 1] as number) &&
    strength > (strengths[at + 1] as number) &&
    strength >= (strengths[at - width] as number) &&
    strength > (strengths[at + width] as number) &&
    strength >= (strengths[at - width - 1] as number) &&
    strength > (strengths[at + width + 1] as number) &&
    strength >= (strengths[at - width + 1] as number) &&
    strength > (strengths[at + width - 1] as number)
  );
}

/** Number of keypoints taken from one cell before the other cells have their turn. */
const PER_CELL = 4;

/** Selects the strongest corners of each cell in turn, so lamps do not starve the paint. */
function distributeEvenly(corners: Corner[], { width, height }: GrayImage, maxPoints: number): Corner[] {
  const cell = Math.max(24, Math.sqrt((width * height) / Math.max(1, maxPoints / 3)));
  const countByCell = new Map<number, number>();
  const strongest = corners.toSorted((a, b) => b.strength - a.strength || a.y - b.y || a.x - b.x);
  const ranked = strongest.map((corner) => {
    const key = Math.floor(corner.x / cell) * 10_000 + Math.floor(corner.y / cell);
    const rank = countByCell.get(key) ?? 0;
    countByCell.set(key, rank + 1);
    return { round: Math.floor(rank / PER_CELL), corner };
  });
  return ranked
    .sort((a, b) => a.round - b.round || b.corner.strength - a.corner.strength)
    .slice(0, maxPoints)
    .map(({ corner }) => corner);
}

/** Returns the orientation of a corner from its intensity centroid, in rotation steps. */
function findRotation({ data, width }: GrayImage, x: number, y: number): number {
  let momentX = 0;
  let momentY = 0;
  for (let dy = -RADIUS; dy <= RADIUS; dy++) {
    const reach = Math.floor(Math.sqrt(RADIUS * RADIUS - dy * dy));
    const row = (y + dy) * width + x;
    for (let dx = -reach; dx <= reach; dx++) {
      const value = data[row + dx] as number;
      momentX += dx * value;
      momentY += dy * value;
    }
  }
  const rotation = Math.round((Math.atan2(momentY, momentX) / (2 * Math.PI)) * ROTATION_STEPS);
  return ((rotation % ROTATION_STEPS) + ROTATION_STEPS) % ROTATION_STEPS;
}

function appendDescriptor(
  { data }: GrayImage,
  width: number,
  x: number,
  y: number,
  rotation: number,
  descriptors: number[],
): void {
  const pattern = PATTERNS[rotation] as Int8Array;
  const start = y * width + x;
  for (let word = 0; word < TEST_COUNT / 32; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) {
      const at = 4 * (32 * word + bit);
      const one = data[start + (pattern[at + 1] as number) * width + (pattern[at] as number)] as number;
      const other = data[start + (pattern[at + 3] as number) * width + (pattern[at + 2] as number)] as number;
      if (one < other) bits |= 1 << bit;
    }
    descriptors.push(bits >>> 0);
  }
}

/** Downscales the picture by `factor` with bilinear sampling. */
function shrink({ data, width, height }: GrayImage, factor: number): GrayImage {
  const [newWidth, newHeight] = [Math.round(width / factor), Math.round(height / factor)];
  const smaller = new Uint8Array(newWidth * newHeight);
  const toSource = (at: number, end: number) => clamp((at + 0.5) * factor - 0.5, 0, end - 1.001);
  const lefts = Float64Array.from({ length: newWidth }, (_, x) => toSource(x, width));
  for (let y = 0; y < newHeight; y++) {
    const sourceY = toSource(y, height);
    const top = Math.floor(sourceY);
    const downShare = sourceY - top;
    for (let x = 0; x < newWidth; x++) {
      const sourceX = lefts[x] as number;
      const left = Math.floor(sourceX);
      const rightShare = sourceX - left;
      const at = top * width + left;
      const upper = (data[at] as number) * (1 - rightShare) + (data[at + 1] as number) * rightShare;
      const lower =
        (data[at + width] as number) * (1 - rightShare) + (data[at + width + 1] as number) * rightShare;
      smaller[y * newWidth + x] = upper * (1 - downShare) + lower * downShare + 0.5;
    }
  }
  return { data: smaller, width: newWidth, height: newHeight };
}

/** Averages the picture over 5 x 5 pixels; the outermost two pixels are 0. */
function blur5({ data, width, height }: GrayImage): GrayImage {
  const smooth = new Uint8Array(width * height);
  const columns = new Uint16Array(width);
  for (let at = 0; at < 4 * width; at++)
    columns[at % width] = (columns[at % width] as number) + (data[at] as number);
  for (let y = 2; y < height - 2; y++) {
    const [leaving, entering] = [(y - 3) * width, (y + 2) * width];
    for (let x = 0; x < width; x++)
      columns[x] =
        (columns[x] as number) + (data[entering + x] as number) - (y > 2 ? (data[leaving + x] as number) : 0);
    let sum = 0;
    for (let x = 0; x < 4; x++) sum += columns[x] as number;
    for (let x = 2; x < width - 2; x++) {
      sum += (columns[x + 2] as number) - (x > 2 ? (columns[x - 3] as number) : 0);
      smooth[y * width + x] = sum / 25;
    }
  }
  return { data: smooth, width, height };
}

/** Uses integer operations; with divisions it took 54 ms of each thread's start instead of 2. */
function listRuns(length: number): Uint8Array {
  const runs = new Uint8Array(1 << 16);
  for (let bits = 0; bits < runs.length; bits++) {
    const doubled = bits | (bits << 16);
    let run = doubled;
    for (let step = 1; step < length; step++) run &= doubled >>> step;
    runs[bits] = Number((run & 0xffff) !== 0);
  }
  return runs;
}

function drawPatterns(): readonly Int8Array[] {
  const random = createRandom(12_345);
  const gauss = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const base = Array.from({ length: 4 * TEST_COUNT }, () =>
    clamp(Math.round(gauss() * PATTERN_SIGMA), -PATTERN_REACH, PATTERN_REACH),
  );
  return Array.from({ length: ROTATION_STEPS }, (_, rotation) => {
    const angle = (rotation * 2 * Math.PI) / ROTATION_STEPS;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return Int8Array.from(base, (_value, at) => {
      const [x, y] = [base[at - (at % 2)] as number, base[at - (at % 2) + 1] as number];
      return Math.round(at % 2 === 0 ? cos * x - sin * y : sin * x + cos * y);
    });
  });
}
