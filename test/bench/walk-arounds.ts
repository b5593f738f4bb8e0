/**
 * Evaluates several photos of one vehicle: whether paint, brightness, body shape or plate distinguish vehicles, and
 * whether a finding in several photos is more reliable than one in a single photo.
 *
 *     npx tsx test/bench/walk-arounds.ts LABELS.json      (photos with `folder` and `car`, damages by eye)
 */

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeAny } from '../../models/evaluate/decode-any.ts';
import { type LabelledPhoto, parseLabelledPhotos } from '../../models/evaluate/finds/labelled-photos.ts';
import { judgeFind } from '../../models/evaluate/finds/touch.ts';
import type { Size } from '../../src/domain/geometry.ts';
import type { RgbImage } from '../../src/domain/photo.ts';
import type { PartMap } from '../../src/domain/sight/detection.ts';
import { type Cluster, mergeAcrossPhotos } from '../../src/domain/sight/merge-across-photos.ts';
import { measurePaintColor, type PaintColor, toLab } from '../../src/domain/sight/paint.ts';
import { createScene } from '../../src/domain/sight/photo-scene.ts';
import { findViewAngle as angleIn } from '../../src/domain/sight/view-angle.ts';
import { observe, type PhotoFindings } from '../../src/engine/inspect/observe.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { shippedModelDir } from '../../src/index.ts';
import { createVision } from '../../src/vision/vision.ts';

interface Seen {
  readonly photo: LabelledPhoto;
  readonly folder: string;
  readonly vehicle: string;
  readonly paint: PaintColor | null;
  /** References of about equal darkness in the same light: lightness of tyres and of the ground. */
  readonly tyres: number | null;
  readonly ground: number | null;
  /** Fraction of the painted panels per cell of 6 by 6 in a and b; empty if too little paint is visible. */
  readonly hues: ReadonlyMap<string, number>;
  /** Log aspect ratio of the complete parts, left and right combined; by view, left and right combined. */
  readonly shape: ReadonlyMap<string, number>;
  readonly view: string | undefined;
  readonly plates: number;
  readonly findings: Readonly<Record<'default' | 'high', PhotoFindings>>;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [labels = ''] = process.argv.slice(2);
const photos = parseLabelledPhotos(await readFile(labels, 'utf8'), labels);
const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb });
const seen: Seen[] = [];
for (const photo of photos) {
  const picture = await decodeAny(join(dirname(labels), photo.file));
  const sighting = await vision.detect(picture);
  const about = { index: seen.length, size: picture.size, angle: null, issues: [] };
  const at = (name: 'default' | 'high') =>
    observe(sighting, about, {
      limits: vision.limits[name],
      minConfidence: null,
      widest: vision.limits.high,
    });
  seen.push({
    photo,
    folder: dirname(photo.file),
    vehicle: photo.vehicle ?? photo.file,
    paint: measurePaintColor(picture.raster, sighting.parts),
    ...lightOf(picture.raster, sighting.parts),
    shape: shapeOf(sighting.parts, picture.size),
    view: angleIn(sighting.parts)
      ?.replace(/left_side|right_side/, 'side')
      .replace(/_left|_right/, ''),
    plates: (await vision.findPlates(picture, sighting.parts))?.length ?? 0,
    findings: { default: at('default'), high: at('high') },
  });
}
await vision.close();

/** Measures light and hues over the cells with a certain part. */
function lightOf(raster: RgbImage, { labels, width, height, bestLabels, certainty }: PartMap) {
  const cells = [...bestLabels.keys()].filter((cell) => (certainty[cell] as number) >= 200);
  const colorAt = (cell: number) => {
    const x = Math.floor((((cell % width) + 0.5) / width) * raster.width);
    const y = Math.floor(((Math.floor(cell / width) + 0.5) / height) * raster.height);
    const [red = 0, green = 0, blue = 0] = raster.data.subarray(3 * (y * raster.width + x));
    return toLab(red, green, blue);
  };
  const of = (names: RegExp, isIn: (cell: number) => boolean = () => true) =>
    cells.filter((cell) => names.test(labels[bestLabels[cell] as number] ?? '') && isIn(cell)).map(colorAt);
  const lightness = (colors: readonly PaintColor[], share: number) =>
    colors.length < 40
      ? null
      : (colors.map((one) => one.lightness).sort((a, b) => a - b)[Math.floor(colors.length * share)] ?? null);
  const painted = of(/bumper|door|fender|hood|quarter|trunk|roof/);
  const hues = new Map<string, number>();
  if (painted.length >= 200)
    for (const { a, b } of painted) {
      const key = `${Math.floor(a / 6)} ${Math.floor(b / 6)}`;
      hues.set(key, (hues.get(key) ?? 0) + 1 / painted.length);
    }
  return {
    tyres: lightness(of(/^wheel/), 0.25),
    ground: lightness(
      of(/^background$/, (cell) => cell / width > 0.6 * height),
      0.5,
    ),
    hues,
  };
}

function shapeOf(parts: PartMap, size: Size): ReadonlyMap<string, number> {
  const whole = createScene(parts, size, null).visibleParts.filter(
    ({ isTruncated, label }) => !isTruncated && label !== 'wheel',
  );
  return new Map(
    whole.map(({ label, box }) => [label.replace(/_left|_right/, ''), Math.log(box.width / box.height)]),
  );
}

const pairs = seen
  .flatMap((one, at) => seen.slice(at + 1).map((other) => ({ one, other })))
  .filter(({ one, other }) => one.folder === other.folder);

/** Counts the distinguished pairs of vehicles at a limit that separates no two photos of one vehicle. */
function compare(name: string, distance: (one: Seen, other: Seen) => number | null): void {
  const measured = pairs.flatMap(({ one, other }) => {
    const apart = distance(one, other);
    return apart === null ? [] : [{ one, other, apart }];
  });
  const same = measured.filter(({ one, other }) => one.vehicle === other.vehicle);
  const farthest = Math.max(...same.map(({ apart }) => apart));
  const nearest = new Map<string, number>();
  for (const { one, other, apart } of measured) {
    if (one.vehicle === other.vehicle) continue;
    const key = `${one.vehicle} / ${other.vehicle}`;
    nearest.set(key, Math.min(apart, nearest.get(key) ?? apart));
  }
  const apart = [...nearest.values()].filter((distance) => distance > farthest).length;
  const limit = `${same.length} pairs of photos of one vehicle differ by ${farthest.toFixed(2)} at most`;
  print(`${name}: ${limit}; ${apart} of ${nearest.size} pairs of vehicles that can be compared differ more`);
}

const vehicles = new Set(seen.map(({ vehicle }) => vehicle));
const plated = seen.filter((one) => one.plates > 0).length;
print(`${seen.length} photos of ${vehicles.size} vehicles; a plate is found in ${plated} photos`);
compare('paint hue (a, b)', ({ paint: a }, { paint: b }) => a && b && Math.hypot(a.a - b.a, a.b - b.b));
compare('paint lightness (L)', ({ paint: a }, { paint: b }) => a && b && Math.abs(a.lightness - b.lightness));
const against = (by: 'tyres' | 'ground') => (one: Seen, other: Seen) => {
  const [a, b] = [one, other].map(({ paint, [by]: dark }) => (paint && dark ? paint.lightness - dark : null));
  return a == null || b == null ? null : Math.abs(a - b);
};
compare('paint lightness against the tires', against('tyres'));
compare('paint lightness against the ground', against('ground'));
compare('paint, share of the hues that differ', ({ hues: a }, { hues: b }) =>
  a.size === 0 || b.size === 0
    ? null
    : 1 - [...a].reduce((sum, [key, share]) => sum + Math.min(share, b.get(key) ?? 0), 0),
);
compare('body shape in one view (median of log ratios)', (a, b) => {
  if (a.view === undefined || a.view !== b.view) return null;
  const apart = [...a.shape].flatMap(([part, ratio]) => {
    const other = b.shape.get(part);
    return other === undefined ? [] : [Math.abs(ratio - other)];
  });
  return apart.length < 2 ? null : (apart.sort((x, y) => x - y)[apart.length >> 1] ?? null);
});

for (const level of ['default', 'high'] as const) {
  const clusters = [...vehicles].flatMap((name) => {
    const own = seen.filter(({ vehicle }) => vehicle === name);
    return mergeAcrossPhotos(own.flatMap((one) => one.findings[level].observations)).map((cluster) => ({
      cluster,
      own,
    }));
  });
  const several = clusters.filter(({ cluster }) => cluster.length > 1);
  const alone = clusters.filter(({ cluster }) => cluster.length === 1);
  const missed = alone.filter(({ cluster, own }) => isShownElsewhere(cluster, own, level));
  const closer = missed.filter(({ cluster, own }) => isShownElsewhere(cluster, own, level, true));
  print(
    [
      `finds at ${level}: seen in several photos ${rightOf(several)}`,
      `in one photo alone ${rightOf(alone)}`,
      `in one of several that show the part ${rightOf(missed)}`,
      `where a closer one does not show it ${rightOf(closer)}`,
    ].join('; '),
  );
}

/** Returns true if another photo shows the finding's part well enough to judge it, at a larger scale if required. */
function isShownElsewhere(
  [find]: Cluster,
  own: readonly Seen[],
  level: 'default' | 'high',
  isCloser = false,
): boolean {
  /** Centimeters per pixel at which a photo shows the part well; undefined if it does not. */
  const scaleIn = (one: Seen | undefined) => {
    const shown = one?.findings[level].shown;
    const isSeen = shown?.parts.find(({ part }) => part === find.part)?.reason === null;
    return isSeen ? shown?.cmPerPixel : undefined;
  };
  const here = scaleIn(seen[find.photo]) ?? 0;
  return own.some((one) => {
    const scale = one === seen[find.photo] ? undefined : scaleIn(one);
    return scale !== undefined && (!isCloser || scale < here);
  });
}

function rightOf(found: readonly { readonly cluster: Cluster }[]): string {
  const verdicts = found.map(({ cluster }) =>
    cluster.map(({ photo, box }) => judgeFind(box, seen[photo]?.photo.damages ?? []).verdict),
  );
  const judged = verdicts.filter((views) => views.some((one) => one === 'right' || one === 'wrong'));
  return `${judged.filter((views) => views.includes('right')).length} of ${judged.length} right`;
}
