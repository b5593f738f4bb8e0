import { findConnectedComponents } from '../../src/domain/sight/connected-components.ts';
import type { PartMap } from '../../src/domain/sight/detection.ts';
import { NOT_JUDGED, type PartTarget } from './part-target.ts';

/** Minimum fraction of a sided part predicted as that part, of either side, to count as found. */
const FOUND_SHARE = 0.25;
/** Pieces smaller than this fraction of the picture do not count for side accuracy. */
const LEAST_PIECE_SHARE = 0.0005;

export interface PartsScore {
  readonly photos: number;
  /** Mean over all parts with a label. */
  readonly meanIou: number | null;
  readonly iou: Readonly<Record<string, number>>;
  /** Fraction of the found pieces of sided parts with the correct side. */
  readonly sideAccuracy: number | null;
  readonly sidePieces: number;
  readonly sideAccuracyByPart: Readonly<Record<string, number>>;
}

/** Pixels of intersection and union per label; pieces with the correct side, and all pieces. */
interface Counts {
  readonly shared: number[];
  readonly either: number[];
  readonly sides: Map<string, { right: number; asked: number }>;
}

/** Accumulates photos: mask IoU per part over all pixels, and side accuracy. */
export interface PartsTally {
  add(seen: PartMap, target: PartTarget): void;
  score(): PartsScore;
}

/** Creates an accumulator of intersection, union and side accuracy per part. */
export function tallyParts(labels: readonly string[]): PartsTally {
  const counts: Counts = { shared: labels.map(() => 0), either: labels.map(() => 0), sides: new Map() };
  let photos = 0;
  return {
    add(seen, target) {
      photos++;
      const said = stretch(seen, target);
      countPixels(counts, said, target);
      for (const [index, label] of labels.entries()) {
        const other = labels.indexOf(mirrorLabel(label));
        if (other !== index) countSides(counts, said, target, label, index, other);
      }
    },
    score: () => ({ photos, ...computeFigures(counts, labels) }),
  };
}

function computeFigures(
  { shared, either, sides }: Counts,
  labels: readonly string[],
): Omit<PartsScore, 'photos'> {
  const known = [...labels.entries()].filter(([index]) => index > 0 && (either[index] ?? 0) > 0);
  const iou = known.map(([index, label]) => [label, (shared[index] ?? 0) / (either[index] ?? 1)] as const);
  const tallies = [...sides].filter(([, { asked }]) => asked > 0);
  const [right, asked] = [
    sumValues(tallies.map(([, side]) => side.right)),
    sumValues(tallies.map(([, side]) => side.asked)),
  ];
  return {
    meanIou: iou.length > 0 ? sumValues(iou.map(([, value]) => value)) / iou.length : null,
    iou: Object.fromEntries(iou),
    sideAccuracy: asked > 0 ? right / asked : null,
    sidePieces: asked,
    sideAccuracyByPart: Object.fromEntries(tallies.map(([part, side]) => [part, side.right / side.asked])),
  };
}

/** Returns the label of the other side; labels without a side are unchanged. */
function mirrorLabel(label: string): string {
  if (label.endsWith('_left')) return label.replace(/left$/, 'right');
  return label.replace(/_right$/, '_left');
}

/** Returns the map's label for every pixel of the target. */
function stretch(seen: PartMap, { width, height }: PartTarget): Uint8Array {
  const said = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * seen.height) / height) * seen.width;
    for (let x = 0; x < width; x++)
      said[y * width + x] = seen.bestLabels[row + Math.floor(((x + 0.5) * seen.width) / width)] ?? 0;
  }
  return said;
}

function countPixels({ shared, either }: Counts, said: Uint8Array, { labels, unlabelled }: PartTarget): void {
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const [there, guess] = [labels[pixel] as number, said[pixel] as number];
    if (there === NOT_JUDGED || (there === 0 && unlabelled.has(guess))) continue;
    either[there] = (either[there] ?? 0) + 1;
    if (there === guess) shared[there] = (shared[there] ?? 0) + 1;
    else either[guess] = (either[guess] ?? 0) + 1;
  }
}

function countSides(
  { sides }: Counts,
  said: Uint8Array,
  target: PartTarget,
  label: string,
  own: number,
  other: number,
): void {
  const part = label.replace(/_(left|right)$/, '');
  const tally = sides.get(part) ?? { right: 0, asked: 0 };
  sides.set(part, tally);
  const mask = target.labels.map((value) => (value === own ? 1 : 0));
  for (const piece of findConnectedComponents(mask, target.width)) {
    if (piece.length < LEAST_PIECE_SHARE * mask.length) continue;
    const count = (wanted: number) => piece.filter((pixel) => said[pixel] === wanted).length;
    const [right, wrong] = [count(own), count(other)];
    if (right + wrong < FOUND_SHARE * piece.length) continue;
    tally.asked++;
    if (right >= wrong) tally.right++;
  }
}

function sumValues(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
