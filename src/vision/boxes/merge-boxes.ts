import { area, type Box, intersection, iou, type Size, scaleBox, union } from '../../domain/geometry.ts';
import { compareByScore, keepUnrivaled, type ScoredBox } from './nms.ts';

/** Detections in one region; both in pixels of the raster. */
export interface Pass {
  readonly region: Box;
  readonly boxes: readonly ScoredBox[];
}

/** Converts a model's boxes, fractions (0 to 1) of the region, to raster pixels. */
export function placePass(region: Box, boxes: readonly ScoredBox[]): Pass {
  const place = (box: Box): Box => {
    const { x, y, ...size } = scaleBox(box, region);
    return { x: region.x + x, y: region.y + y, ...size };
  };
  return { region, boxes: boxes.map((one) => ({ ...one, box: place(one.box) })) };
}

/** A box in raster pixels, and the sides on which its region cuts it off. */
interface Piece extends ScoredBox {
  readonly region: Box;
  readonly cut: Readonly<Record<'left' | 'top' | 'right' | 'bottom', boolean>>;
}

/** Maximum distance of a cut side from the region's border, as a fraction of the region's side. */
const BORDER_TOLERANCE = 0.015;
/** A cut piece is dropped if more than this fraction of its area lies in another box of its class. */
const MIN_CONTAINED_SHARE = 0.5;
/** Minimum overlap along the seam, as a fraction of the shorter piece, for joining two cut pieces. */
const MIN_SHARED_EXTENT = 0.5;

/** IoU above which a closer pass confirms a detection. The limits are measured (models/training/README.md). */
const CONFIRMING_IOU = 0.5;
/** A region shows a box whole if it contains more than this fraction; a box larger than a tile is never confirmed. */
const MIN_COVERAGE = 0.95;
/** Score factor of a detection in the whole photo that no closer pass confirms. */
const UNCONFIRMED_FACTOR = 0.85;
/** Score factor of a detection in a closer pass only, because five passes yield five times as many false positives. */
const CLOSER_ONLY_FACTOR = 0.6;

/**
 * Merges the passes into one list in raster pixels, by score, descending. A damage detected both in the whole photo and
 * in a closer pass gets the mean score and the higher-scoring box; one detected in only one of them has its score
 * lowered. Of closer boxes that overlap by more than `iouLimit`, the best is kept. A piece cut off by a tile's border is
 * joined with its other half, or dropped if a box of its class absorbs it.
 */
export function mergePasses(
  wholePass: Pass,
  closerPasses: readonly Pass[],
  raster: Size,
  iouLimit: number,
): ScoredBox[] {
  const whole = toPieces(wholePass, raster);
  if (closerPasses.length === 0) return whole.sort(compareByScore).map(toScoredBox);
  const closerPieces = mergeTiles(closerPasses, raster, iouLimit);
  const unmatched = new Set(closerPieces.filter((piece) => !whole.some((rival) => absorbs(rival, piece))));
  const fromWhole = whole.toSorted(compareByScore).map((piece) => {
    const match = findBestMatch(piece, unmatched);
    if (match !== undefined) {
      unmatched.delete(match);
      const box = piece.score >= match.score ? piece.box : match.box;
      return { ...piece, box, score: (piece.score + match.score) / 2 };
    }
    const isCovered = closerPasses.some(({ region }) => showsWhole(region, piece.box));
    return isCovered ? { ...piece, score: piece.score * UNCONFIRMED_FACTOR } : piece;
  });
  const closerOnly = [...unmatched].map((piece) => ({ ...piece, score: piece.score * CLOSER_ONLY_FACTOR }));
  return [...fromWhole, ...closerOnly].sort(compareByScore).map(toScoredBox);
}

/** Returns true if the region contains a box almost completely. */
export const showsWhole = (region: Box, box: Box): boolean =>
  intersection(region, box) > MIN_COVERAGE * area(box);

function findBestMatch(piece: Piece, candidates: Iterable<Piece>): Piece | undefined {
  let best: Piece | undefined;
  for (const candidate of candidates) {
    if (candidate.label !== piece.label || iou(candidate.box, piece.box) <= CONFIRMING_IOU) continue;
    if (best === undefined || candidate.score > best.score) best = candidate;
  }
  return best;
}

/** Returns true if a box contains most of a cut piece of its class; one that overlaps it enough confirms it instead. */
function absorbs(rival: Piece, piece: Piece): boolean {
  return (
    rival.label === piece.label &&
    isCut(piece) &&
    intersection(rival.box, piece.box) > MIN_CONTAINED_SHARE * area(piece.box) &&
    iou(rival.box, piece.box) <= CONFIRMING_IOU
  );
}

const toScoredBox = ({ label, box, score }: Piece): ScoredBox => ({ label, box, score });

function mergeTiles(passes: readonly Pass[], raster: Size, iouLimit: number): Piece[] {
  const pieces = passes.flatMap((pass) => toPieces(pass, raster));
  const sorted = joinHalves(pieces).sort(
    (a, b) => Number(isCut(a)) - Number(isCut(b)) || compareByScore(a, b),
  );
  return [...keepUnrivaled(sorted, (kept, piece) => isSameDamage(kept, piece, iouLimit))];
}

function toPieces({ region, boxes }: Pass, raster: Size): Piece[] {
  const [nearX, nearY] = [region.width * BORDER_TOLERANCE, region.height * BORDER_TOLERANCE];
  return boxes.map((scored) => {
    const { box } = scored;
    const cut = {
      left: region.x > 0 && box.x - region.x < nearX,
      top: region.y > 0 && box.y - region.y < nearY,
      right: getRight(region) < raster.width && getRight(region) - getRight(box) < nearX,
      bottom: getBottom(region) < raster.height && getBottom(region) - getBottom(box) < nearY,
    };
    return { ...scored, region, cut };
  });
}

function isSameDamage(rival: Piece, piece: Piece, iouLimit: number): boolean {
  if (iou(rival.box, piece.box) > iouLimit) return true;
  return isCut(piece) && intersection(rival.box, piece.box) > MIN_CONTAINED_SHARE * area(piece.box);
}

const isCut = ({ cut }: Piece): boolean => cut.left || cut.top || cut.right || cut.bottom;

function joinHalves(pieces: readonly Piece[]): Piece[] {
  const pending = [...pieces];
  const joined: Piece[] = [];
  for (let piece = pending.shift(); piece !== undefined; piece = pending.shift()) {
    const current = piece;
    const other = isCut(current) ? pending.findIndex((candidate) => areHalves(current, candidate)) : -1;
    const half = pending[other];
    if (half === undefined) joined.push(current);
    else {
      pending.splice(other, 1);
      pending.unshift(join(current, half));
    }
  }
  return joined;
}

function areHalves(a: Piece, b: Piece): boolean {
  if (a.label !== b.label || a.region === b.region) return false;
  const sharedX = Math.min(getRight(a.box), getRight(b.box)) - Math.max(a.box.x, b.box.x);
  const sharedY = Math.min(getBottom(a.box), getBottom(b.box)) - Math.max(a.box.y, b.box.y);
  const areSideBySide =
    ((a.cut.right && b.cut.left) || (a.cut.left && b.cut.right)) &&
    sharedX >= 0 &&
    sharedY >= MIN_SHARED_EXTENT * Math.min(a.box.height, b.box.height);
  const areStacked =
    ((a.cut.bottom && b.cut.top) || (a.cut.top && b.cut.bottom)) &&
    sharedY >= 0 &&
    sharedX >= MIN_SHARED_EXTENT * Math.min(a.box.width, b.box.width);
  return areSideBySide || areStacked;
}

function join(a: Piece, b: Piece): Piece {
  const [first, second] = a.box.x <= b.box.x ? [a, b] : [b, a];
  const [upper, lower] = a.box.y <= b.box.y ? [a, b] : [b, a];
  const cut = {
    left: first.cut.left,
    right: getRight(first.box) > getRight(second.box) ? first.cut.right : second.cut.right,
    top: upper.cut.top,
    bottom: getBottom(upper.box) > getBottom(lower.box) ? upper.cut.bottom : lower.cut.bottom,
  };
  return {
    label: a.label,
    box: union(a.box, b.box),
    score: Math.max(a.score, b.score),
    region: union(a.region, b.region),
    cut,
  };
}

const getRight = (box: Box): number => box.x + box.width;
const getBottom = (box: Box): number => box.y + box.height;
