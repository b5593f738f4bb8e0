import { meanBy } from '../../lib/lists.ts';
import type { RgbImage } from '../photo.ts';
import type { PartMap } from './detection.ts';

/** Color of the painted panels: CIE L*a*b* (D65), lightness 0 to 100, a and b about -100 to 100. */
export interface PaintColor {
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
  /** Lightness minus that of the wheels, tire and rim, in the same photo; absent if too little of them is visible. */
  readonly lightnessOverWheels?: number;
}

const PAINTED = /bumper|door|fender|hood|quarter|trunk|roof/;
/** Minimum certainty of a cell (of 255); below it may be tire, glass or ground. */
const MIN_CERTAINTY = 200;
/** Minimum number of cells for a color. */
const MIN_CELLS = 200;

/** Returns the median color of the painted panels in a photo; null if too little paint is certain. */
export function measurePaintColor(raster: RgbImage, parts: PartMap): PaintColor | null {
  const { labels, bestLabels, certainty } = parts;
  const isPainted = labels.map((label) => PAINTED.test(label));
  const wheel = labels.indexOf('wheel');
  const paintColors: PaintColor[] = [];
  const wheels: PaintColor[] = [];
  for (let cell = 0; cell < bestLabels.length; cell++) {
    const label = bestLabels[cell] as number;
    if (!(isPainted[label] || label === wheel) || (certainty[cell] as number) < MIN_CERTAINTY) continue;
    (label === wheel ? wheels : paintColors).push(readColor(raster, parts, cell));
  }
  if (paintColors.length < MIN_CELLS) return null;
  const lightness = findMedian(paintColors, (c) => c.lightness);
  return {
    lightness,
    a: findMedian(paintColors, (c) => c.a),
    b: findMedian(paintColors, (c) => c.b),
    ...(wheels.length >= MIN_CELLS && {
      lightnessOverWheels: lightness - findMedian(wheels, (c) => c.lightness),
    }),
  };
}

/** Returns the upper median of a value of colors, NaN without any. */
export const findMedian = (colors: readonly PaintColor[], pick: (color: PaintColor) => number): number =>
  new Float64Array(colors.map(pick)).sort()[colors.length >> 1] ?? Number.NaN;

/** Returns the color at the center of a cell of a part map. */
export function readColor(raster: RgbImage, { width, height }: PartMap, cell: number): PaintColor {
  const x = Math.floor((((cell % width) + 0.5) / width) * raster.width);
  const y = Math.floor(((Math.floor(cell / width) + 0.5) / height) * raster.height);
  const offset = 3 * (y * raster.width + x);
  return toLab(raster.data[offset] ?? 0, raster.data[offset + 1] ?? 0, raster.data[offset + 2] ?? 0);
}

/** Linear light per sRGB value, 0 to 255; a lookup table, because thousands of cells per photo are converted. */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) =>
  value > 10.3 ? ((value / 255 + 0.055) / 1.055) ** 2.4 : value / 255 / 12.92,
);

/** Converts sRGB, integers from 0 to 255, to CIE L*a*b* under D65. */
function toLab(red: number, green: number, blue: number): PaintColor {
  const [r, g, b] = [LINEAR[red] as number, LINEAR[green] as number, LINEAR[blue] as number];
  const curve = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return { lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) };
}

/**
 * Chroma beyond this counts half: illumination shifts a strong red more than a gray, and whether there is a hue at all
 * distinguishes paints best. Chosen on the walk-arounds and 113 other photos (models/training/README.md).
 */
const MAX_FULL_CHROMA = 5;
const EXCESS_CHROMA_WEIGHT = 0.5;

/**
 * Returns the difference between two photos in paint lightness relative to the wheels, because illumination changes
 * both alike; null if either shows no wheel.
 */
export function computeShadeDistance(one: PaintColor | null, other: PaintColor | null): number | null {
  if (one?.lightnessOverWheels === undefined || other?.lightnessOverWheels === undefined) return null;
  return Math.abs(one.lightnessOverWheels - other.lightnessOverWheels);
}

/** Returns the hue distance between two paints, with strong chroma compressed; null if either is unknown. */
export function computeHueDistance(one: PaintColor | null, other: PaintColor | null): number | null {
  if (!one || !other) return null;
  const [from, to] = [toHue(one), toHue(other)];
  return Math.hypot(from.a - to.a, from.b - to.b);
}

/** Returns a and b with the chroma compressed beyond `MAX_FULL_CHROMA`. */
function toHue({ a, b }: PaintColor): { readonly a: number; readonly b: number } {
  const chroma = Math.hypot(a, b);
  if (chroma <= MAX_FULL_CHROMA) return { a, b };
  const share = (MAX_FULL_CHROMA + EXCESS_CHROMA_WEIGHT * (chroma - MAX_FULL_CHROMA)) / chroma;
  return { a: a * share, b: b * share };
}

/** Chroma below which a paint counts as colorless. */
const MAX_COLORLESS_CHROMA = 9;
/** Minimum lightness over the wheels at which colorless paint is white or silver. */
const MIN_PALE_OVER_WHEELS = 28;

/**
 * Names the color of a vehicle by the hue of its first photo, a colorless paint by the shades of all; `unknown` without
 * photos. Light matters as much as colorless paint: on 54 walk-around photos white cars have a lightness of 39 to 85,
 * silver ones 29 to 77, black ones 38 to 48. So wheels are the reference if visible; lightness alone often errs.
 */
export function nameColor(photos: readonly PaintColor[]): string {
  const [first] = photos;
  if (first === undefined) return 'unknown';
  const { lightness, a, b } = first;
  const shades = photos.flatMap(({ lightnessOverWheels }) => lightnessOverWheels ?? []);
  if (Math.hypot(a, b) < MAX_COLORLESS_CHROMA) {
    const isPale =
      shades.length > 0 ? meanBy(shades, (shade) => shade) > MIN_PALE_OVER_WHEELS : lightness > 70;
    return isPale ? 'white or silver' : lightness > 45 ? 'gray' : 'dark';
  }
  const hue = (Math.atan2(b, a) * 180) / Math.PI;
  if (hue < -150 || hue > 100) return hue > 100 && hue < 170 ? 'green' : 'blue';
  if (hue > 60) return 'yellow';
  if (hue > 40) return lightness > 40 ? 'orange' : 'brown';
  return hue > -30 ? 'red' : hue > -50 ? 'purple' : 'blue';
}
