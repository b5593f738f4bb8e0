import type { Photo } from '../../contract/inspection.ts';
import { type Counterpart, isLocalChange } from '../../domain/compare/decide-place.ts';
import { measureDifference } from '../../domain/compare/difference.ts';
import { compareCrops } from '../../domain/compare/likeness.ts';
import {
  computeScaleChange,
  mapBox,
  mapPoint,
  type Registration,
  registerPlace,
} from '../../domain/compare/registration.ts';
import { isSamePart } from '../../domain/compare/same-part.ts';
import { area, type Box, frameOf, intersection, scaleBox, touchesBorder } from '../../domain/geometry.ts';
import { findFlaw } from '../../domain/sight/part-coverage.ts';
import { compareTexts } from '../../lib/names.ts';
import type { Album, OpenedPhoto, PhotoBox, Visit } from './album.ts';

/** A place of one visit (`source`) found in a photo of the other (`target`), with both crops compared. */
export interface PlacedCounterpart extends Counterpart {
  readonly source: PhotoBox;
  readonly target: PhotoBox;
}

/** The visit whose findings are searched for, and the one whose photos are searched. */
export interface VisitPair {
  readonly source: Visit;
  readonly target: Visit;
}

/** A box of a finding, with the facts that the decision needs. */
type FindingBox = PhotoBox & Pick<Counterpart, 'boxIndex' | 'isCertainBox'>;

/** Minimum share of a box that must lie inside the other photo. */
const MIN_INSIDE_SHARE = 0.6;

/**
 * Finds a place of the source visit in the photos of the target visit and compares the crops.
 * @param otherBoxes boxes of the source visit's other findings in the photo, excluded from the surroundings
 */
export async function findCounterparts(
  album: Album,
  visits: VisitPair,
  place: FindingBox,
  otherBoxes: readonly Box[],
): Promise<PlacedCounterpart[]> {
  const partners = rankPartners(place.photo, visits.target.inspection.data.images);
  if (partners.length === 0) return [];
  // Opened in parallel, so several threads detect keypoints.
  const [source, ...targets] = await Promise.all([
    album.open(visits.source, place.photo),
    ...partners.map((photo) => album.open(visits.target, photo)),
  ]);
  if (source === null) return [];
  const found: PlacedCounterpart[] = [];
  for (const target of targets.filter((photo) => photo !== null)) {
    const registration = registerPlace(
      album.match(source, target),
      scaleBox(place.box, source.scale),
      source.gray,
    );
    const seen =
      registration && (await compareAt(album, visits, place, otherBoxes, { source, target }, registration));
    if (seen) found.push(seen);
  }
  return found;
}

/**
 * Compares a place with its registered position in the target photo. Returns null if that lies outside the photo, or
 * on a part of another name without a visible local change.
 */
async function compareAt(
  album: Album,
  visits: VisitPair,
  place: FindingBox,
  otherBoxes: readonly Box[],
  { source, target }: { readonly source: OpenedPhoto; readonly target: OpenedPhoto },
  { model, inliers }: Registration,
): Promise<PlacedCounterpart | null> {
  const box = scaleBox(place.box, source.scale);
  const others = otherBoxes.map((one) => scaleBox(one, source.scale));
  const mapped = mapBox(model, box);
  const insideShare = intersection(mapped, frameOf(target.gray)) / Math.max(1e-9, area(mapped));
  if (insideShare < MIN_INSIDE_SHARE) return null;
  const zoom = { width: 1 / target.scale.width, height: 1 / target.scale.height };
  const there = { photo: target.photo, box: scaleBox(mapped, zoom) };
  const from = await album.read(visits.source, place.photo);
  const to = await album.read(visits.target, target.photo);
  const likeness = compareCrops(source.gray, target.gray, model, box, others);
  const seen: PlacedCounterpart = {
    source: place,
    target: there,
    boxIndex: place.boxIndex,
    isCertainBox: place.isCertainBox,
    inliers,
    scale: computeScaleChange(model),
    insideShare,
    isAtBorder: touchesBorder(box, source.gray),
    isFlawed: [source, target].some(({ photo: { issues } }) => findFlaw(issues) !== null),
    ...likeness,
    colorChange: from && to && measureDifference(from, to, model, box, others),
    ownScore: await album.classify(visits.source, place),
    otherScore: await album.classify(visits.target, there),
  };
  const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const isPartSame = isSamePart(
    { map: source.parts, point: toFractions(center, source) },
    { map: target.parts, point: toFractions(mapPoint(model, center.x, center.y), target) },
    { inliers, likeness: likeness.overall },
  );
  return isPartSame || isLocalChange(seen) ? seen : null;
}

/** Sorts counterparts by inliers, descending; breaks ties by the photos' hashes, so that photo order does not matter. */
export function compareInliers(a: PlacedCounterpart, b: PlacedCounterpart): number {
  const key = ({ source, target }: PlacedCounterpart) => `${target.photo.sha256} ${source.photo.sha256}`;
  return b.inliers - a.inliers || compareTexts(key(a), key(b));
}

/** Converts raster pixels to fractions of width and height. */
const toFractions = ({ x, y }: { readonly x: number; readonly y: number }, { gray }: OpenedPhoto) => ({
  u: x / gray.width,
  v: y / gray.height,
});

/** Maximum photos of the other visit searched for a place. */
const MAX_PARTNERS = 4;

/** Added to the likeness of photos taken from the same angle. */
const SAME_ANGLE_BONUS = 0.3;

/** Returns the photos that share a part with this one, at most four, those most likely to show the same area first. */
function rankPartners(photo: Photo, others: readonly Photo[]): Photo[] {
  const own = measureParts(photo);
  return others
    .map((other) => {
      const shares = measureParts(other);
      const shared = [...own].reduce((sum, [part, share]) => sum + Math.min(share, shares.get(part) ?? 0), 0);
      const sameAngle = photo.angle !== null && photo.angle === other.angle;
      return { other, shared, likeness: shared + (sameAngle ? SAME_ANGLE_BONUS : 0) };
    })
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.likeness - a.likeness || compareTexts(a.other.sha256, b.other.sha256))
    .slice(0, MAX_PARTNERS)
    .map(({ other }) => other);
}

/** Returns the share of the photo covered by each part's box. */
function measureParts({ record, width, height }: Photo): Map<string, number> {
  const parts = record?.parts ?? [];
  return new Map(parts.map(({ part, box: [, , w = 0, h = 0] }) => [part, (w * h) / (width * height)]));
}
