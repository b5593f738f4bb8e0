/**
 * Pairs of photos with known changes: a labelled photo with some damages painted over, and the photo itself with
 * scratches, dents and chips drawn on undamaged panels, from a camera rotated by up to 15 degrees, in different light.
 * The painted-over or drawn damages, up to three per pair, are new in the later photo; a second earlier photo has damage
 * of another kind in the place of each drawn one.
 */
import sharp from 'sharp';
import { area, type Box, clamp, growBox, intersection, type Size } from '../../src/domain/geometry.ts';
import type { RgbImage } from '../../src/domain/photo.ts';
import { boundsOf, mapQuad, type Quad, toQuad } from '../../src/domain/quad.ts';

interface Labelled {
  readonly type: string;
  readonly box: Box;
}

export interface PlantedPair {
  readonly before: Buffer;
  readonly after: Buffer;
  /** The earlier photo with damage of another kind where the later one has a drawn damage; null if none is drawn. */
  readonly beforeWithOthers: Buffer | null;
  /** Damages of the later photo that are missing in the earlier one. */
  readonly planted: readonly Planted[];
}

interface Planted extends Labelled {
  /** Where it is missing in the earlier photo, pixels of that. */
  readonly earlierBox: Box;
  /** True if drawn into the later photo; false if painted over in the earlier one. */
  readonly drawn: boolean;
}

/** Maximum fraction of the photo for painting over a damage, because larger areas cannot be synthesized. */
const MOST_SHARE = 0.08;
const MOST_PLANTED = 3;
/** Maximum gray level step from a border pixel to the fourth after it, as on a smooth panel. */
const MOST_STEP = 36;

/** Creates a seeded generator of numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Creates a pair from a photo.
 * @param isPanel returns true if a box lies on a single body panel
 */
export async function makePlantedPair(
  picture: RgbImage,
  damages: readonly Labelled[],
  isPanel: (box: Box) => boolean,
  random: () => number,
): Promise<PlantedPair> {
  const painted: RgbImage = { ...picture, data: picture.data.slice() };
  const apart = damages.filter(
    (one) =>
      area(one.box) <= MOST_SHARE * picture.width * picture.height &&
      isSmoothAround(picture, grow(one.box)) &&
      damages.every((other) => other === one || intersection(grow(one.box), grow(other.box)) === 0),
  );
  const wanted = Math.floor(random() * (MOST_PLANTED + 1));
  const planted: Omit<Planted, 'earlierBox'>[] = apart
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, wanted)
    .map(({ one }) => ({ ...one, drawn: false }));
  for (const { box } of planted) paintOver(painted, grow(box), random);
  const later: RgbImage = { ...picture, data: picture.data.slice() };
  for (let tries = 0; tries < MOST_TRIES && planted.length < wanted; tries++) {
    const kind = DRAWN[Math.floor(random() * DRAWN.length)] ?? DRAWN[0];
    const box = pickBox(picture, kind.type, random);
    const free = [...damages, ...planted].every((one) => intersection(grow(one.box), grow(box)) === 0);
    if (!free || !isPanel(grow(box)) || !isSmoothAround(picture, grow(box))) continue;
    kind.draw(later, box, random);
    planted.push({ type: kind.type, box, drawn: true });
  }
  const degrees = (random() * 2 - 1) * 15;
  const drawn = planted.filter((one) => one.drawn);
  const withOthers: RgbImage = { ...picture, data: Uint8Array.from(painted.data) };
  for (const [at, { type, box }] of drawn.entries()) otherThan(type).draw(withOthers, box, createRandom(at));
  const jpeg = ({ data, width, height }: RgbImage, quality: number) =>
    sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
  return {
    before: await jpeg(painted, 92),
    after: await jpeg(turn(relight(later, random), degrees), 80 + Math.round(random() * 12)),
    beforeWithOthers: drawn.length > 0 ? await jpeg(withOthers, 92) : null,
    planted: planted.map((one) => {
      return { ...one, earlierBox: one.box, box: turnBox(one.box, picture, degrees) };
    }),
  };
}

const MOST_TRIES = 300;

/** Damages that can be drawn on a panel. */
const DRAWN = [
  { type: 'scratch', draw: drawScratch },
  { type: 'dent', draw: drawDent },
  { type: 'paint_damage', draw: drawChips },
] as const;

/** Returns the kind that is drawn where another visit has damage of a type. */
export const otherThan = (type: string) =>
  DRAWN[(DRAWN.findIndex((kind) => kind.type === type) + 1) % DRAWN.length] ?? DRAWN[0];

/** Picks the box of a drawn damage, 3 to 10 % of the photo's width long. */
function pickBox({ width, height }: Size, type: (typeof DRAWN)[number]['type'], random: () => number): Box {
  const long = Math.round(width * (0.03 + random() * 0.07));
  const high = Math.round(long * (type === 'scratch' ? 0.15 + random() * 0.3 : 0.6 + random() * 0.3));
  const [x, y] = [Math.round(random() * (width - long)), Math.round(random() * (height - high))];
  return { x, y, width: long, height: high };
}

/** Blends a pixel with a gray level; `by` is the opacity from 0 to 1. */
function blend({ data, width }: RgbImage, x: number, y: number, gray: number, by: number): void {
  const at = 3 * (y * width + x);
  for (let c = at; c < at + 3; c++) data[c] = Math.round((data[c] ?? 0) * (1 - by) + gray * by);
}

/** Picks a gray level visible on the paint: 50 to 100 levels lighter, or darker on light paint. */
function pickPrimer({ data, width }: RgbImage, box: Box, random: () => number): number {
  const middle = Math.round(box.y + box.height / 2) * width + Math.round(box.x + box.width / 2);
  const paint = data[3 * middle + 1] ?? 0;
  const by = 50 + random() * 50;
  return paint > 140 ? paint - by : paint + by;
}

/** Draws one to three strokes across the box, down to the primer, a pixel or two wide. */
function drawScratch(picture: RgbImage, box: Box, random: () => number): void {
  const primer = pickPrimer(picture, box, random);
  for (let stroke = 0; stroke < 1 + Math.floor(random() * 3); stroke++) {
    const [from, to] = [random(), random()];
    const [wide, sway] = [0.7 + random() * 0.8, random() * 6];
    for (let x = 0; x < box.width; x++) {
      const u = x / box.width;
      const v = from + (to - from) * u + 0.04 * Math.sin(sway + 5 * u);
      const middle = Math.min(box.height - 2, Math.max(1, v * box.height));
      for (let y = Math.floor(middle - 2); y <= middle + 2; y++) {
        const by = 0.85 * Math.max(0, Math.min(1, wide + 0.5 - Math.abs(y - middle)));
        if (y >= 0 && y < box.height) blend(picture, box.x + x, box.y + y, primer, by);
      }
    }
  }
}

/** Draws a hollow: dark on the slope facing away from the light, bright on the slope facing it. */
function drawDent({ data, width }: RgbImage, box: Box, random: () => number): void {
  const [depth, towards] = [35 + random() * 35, random() * 2 * Math.PI];
  for (let y = 0; y < box.height; y++)
    for (let x = 0; x < box.width; x++) {
      const [u, v] = [(2 * x) / box.width - 1, (2 * y) / box.height - 1];
      const bowl = Math.max(0, 1 - u * u - v * v);
      const slope = 2.6 * bowl * (u * Math.cos(towards) + v * Math.sin(towards));
      const at = 3 * ((box.y + y) * width + box.x + x);
      for (let c = at; c < at + 3; c++) data[c] = clamp(Math.round((data[c] ?? 0) + depth * slope), 0, 255);
    }
}

/** Draws flakes of bare primer. */
function drawChips(picture: RgbImage, box: Box, random: () => number): void {
  const primer = pickPrimer(picture, box, random);
  for (let flake = 0; flake < 5 + random() * 8; flake++) {
    const radius = 2 + random() * 0.12 * box.width;
    const [cx, cy] = [random() * box.width, random() * box.height];
    const bumps = random() * 6;
    for (let y = 0; y < box.height; y++)
      for (let x = 0; x < box.width; x++) {
        const edge = radius * (1 + 0.3 * Math.sin(3 * Math.atan2(y - cy, x - cx) + bumps));
        const by = Math.min(1, Math.max(0, edge - Math.hypot(x - cx, y - cy)));
        if (by > 0) blend(picture, box.x + x, box.y + y, primer, 0.9 * by);
      }
  }
}

/** Returns true if no edge crosses a box's border, so the synthesized interior looks like a panel. */
function isSmoothAround({ data, width, height }: RgbImage, box: Box): boolean {
  const [left, top] = [Math.round(box.x), Math.round(box.y)];
  const [right, bottom] = [Math.round(box.x + box.width), Math.round(box.y + box.height)];
  if (left < 4 || top < 4 || right > width - 5 || bottom > height - 5) return false;
  const green = (x: number, y: number) => data[3 * (y * width + x) + 1] ?? 0;
  const isSmooth = (length: number, at: (i: number) => number) =>
    Array.from({ length: Math.max(0, length - 4) }, (_, i) => Math.abs(at(i) - at(i + 4))).every(
      (step) => step <= MOST_STEP,
    );
  return (
    [top, bottom].every((y) => isSmooth(right - left, (i) => green(left + i, y))) &&
    [left, right].every((x) => isSmooth(bottom - top, (i) => green(x, top + i)))
  );
}

/** Grows a label's box, because damage is visible slightly beyond it. */
const grow = (box: Box): Box => growBox(box, 6 + 0.12 * Math.max(box.width, box.height));

/** Fills a box by interpolating its border (a Coons patch), and adds photo noise. */
function paintOver({ data, width, height }: RgbImage, box: Box, random: () => number): void {
  const [left, top] = [Math.max(3, Math.round(box.x)), Math.max(3, Math.round(box.y))];
  const right = Math.min(width - 4, Math.round(box.x + box.width));
  const bottom = Math.min(height - 4, Math.round(box.y + box.height));
  const source = Uint8Array.from(data);
  // Averages seven pixels along the border, to avoid streaks from specks.
  const mean = (x: number, y: number, dx: number, dy: number, c: number) => {
    let [sum, count] = [0, 0];
    for (let i = -3; i <= 3; i++) {
      const [px, py] = [x + i * dx, y + i * dy];
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      sum += source[3 * (py * width + px) + c] ?? 0;
      count++;
    }
    return sum / Math.max(1, count);
  };
  for (let c = 0; c < 3; c++) {
    const corner = (x: number, y: number) => mean(x, y, 1, 0, c);
    const [topLeft, topRight] = [corner(left, top), corner(right, top)];
    const [bottomLeft, bottomRight] = [corner(left, bottom), corner(right, bottom)];
    for (let y = top; y <= bottom; y++)
      for (let x = left; x <= right; x++) {
        const [u, v] = [(x - left) / Math.max(1, right - left), (y - top) / Math.max(1, bottom - top)];
        const across = (1 - u) * mean(left, y, 0, 1, c) + u * mean(right, y, 0, 1, c);
        const along = (1 - v) * mean(x, top, 1, 0, c) + v * mean(x, bottom, 1, 0, c);
        const between =
          (1 - v) * ((1 - u) * topLeft + u * topRight) + v * ((1 - u) * bottomLeft + u * bottomRight);
        const noise = 3 * (random() + random() - 1);
        data[3 * (y * width + x) + c] = clamp(Math.round(across + along - between + noise), 0, 255);
      }
  }
}

/** Changes the lighting: gamma, color cast, and a gradient over the picture. */
function relight({ data, width, height }: RgbImage, random: () => number): RgbImage {
  const gamma = 0.85 + random() * 0.3;
  const gains = [0, 1, 2].map(() => 0.94 + random() * 0.12);
  const [slopeX, slopeY] = [(random() - 0.5) * 0.24, (random() - 0.5) * 0.24];
  const lit = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const shade = 1 + slopeX * (x / width - 0.5) + slopeY * (y / height - 0.5);
      for (let c = 0; c < 3; c++) {
        const at = 3 * (y * width + x) + c;
        lit[at] = Math.min(255, Math.round(255 * ((data[at] ?? 0) / 255) ** gamma * (gains[c] ?? 1) * shade));
      }
    }
  return { data: lit, width, height };
}

/** Focal length as a fraction of the width: a phone's main camera. */
const FOCAL = 0.8;

/** Rotates a photo's contents about its vertical axis, as seen by a camera moved to the side. */
function turn(picture: RgbImage, degrees: number): RgbImage {
  const { width, height } = picture;
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const focal = FOCAL * width;
  const corners = toQuad({ x: 0, y: 0, width: width - 1, height: height - 1 });
  return project(
    picture,
    mapQuad(corners, ({ x, y }) => {
      const [u, v] = [x - width / 2, y - height / 2];
      const plane = u / (cos - (u * sin) / focal);
      return { x: plane + width / 2, y: v * (1 + (plane * sin) / focal) + height / 2 };
    }),
  );
}

/** Maps the quadrilateral between four corners (clockwise from upper left) to the picture, bilinear. */
export function project({ data, width, height }: RgbImage, [a, b, c, d]: Quad): RgbImage {
  // Heckbert's map of the unit square to a quadrilateral.
  const sum = { x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y };
  const [one, two] = [
    { x: b.x - c.x, y: b.y - c.y },
    { x: d.x - c.x, y: d.y - c.y },
  ];
  const det = one.x * two.y - two.x * one.y;
  const g = (sum.x * two.y - two.x * sum.y) / det;
  const h = (one.x * sum.y - sum.x * one.y) / det;
  const made = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / (width - 1), y / (height - 1)];
      const by = 1 / (g * u + h * v + 1);
      const sx = clamp(by * ((b.x - a.x + g * b.x) * u + (d.x - a.x + h * d.x) * v + a.x), 0, width - 1.001);
      const sy = clamp(by * ((b.y - a.y + g * b.y) * u + (d.y - a.y + h * d.y) * v + a.y), 0, height - 1.001);
      const [x0, y0] = [Math.floor(sx), Math.floor(sy)];
      const [fx, fy] = [sx - x0, sy - y0];
      const at = 3 * (y0 * width + x0);
      for (let c = at; c < at + 3; c++) {
        const top = (data[c] ?? 0) * (1 - fx) + (data[c + 3] ?? 0) * fx;
        const bottom = (data[c + 3 * width] ?? 0) * (1 - fx) + (data[c + 3 * width + 3] ?? 0) * fx;
        made[3 * (y * width + x) + c - at] = Math.round(top * (1 - fy) + bottom * fy);
      }
    }
  return { data: made, width, height };
}

function turnBox(box: Box, { width, height }: RgbImage, degrees: number): Box {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const turned = mapQuad(toQuad(box), ({ x, y }) => {
    const [u, v] = [x - width / 2, y - height / 2];
    const near = 1 + (u * sin) / (FOCAL * width);
    return { x: (u * cos) / near + width / 2, y: v / near + height / 2 };
  });
  return boundsOf(turned);
}
