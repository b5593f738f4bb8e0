import type { Photo } from '../../contract/inspection.ts';
import {
  type Box,
  computeShareOfSmaller,
  type Size,
  scaleBox,
  touchesBorder,
} from '../../domain/geometry.ts';
import {
  type CropComparison,
  isLocalChange,
  LISTED_CONFIDENCE,
  needsColourComparison,
  type PlaceView,
} from '../../domain/judge/compare.ts';
import { measureDifference } from '../../domain/sight/place/difference.ts';
import { compareCrops, computeShareInside, type Likeness } from '../../domain/sight/place/likeness.ts';
import { predictByParts } from '../../domain/sight/place/place-by-parts.ts';
import {
  type Affine,
  computeScaleChange,
  GUIDED_CRITERIA,
  isCopy,
  type Match,
  mapBox,
  mapPoint,
  matchGuided,
  matchKeyPoints,
  type Registration,
  registerPlace,
  registerView,
  swapMatches,
} from '../../domain/sight/place/registration.ts';
import { isSamePart } from '../../domain/sight/place/same-part.ts';
import { findFlaw } from '../inspect/present-photos.ts';
import { type Album, createAlbum, type LookAgainDeps, type OpenedPhoto, type Visit } from './album.ts';
import { findCandidate, rankPartners, toBox } from './photo-record.ts';

/** A box in a photo of its own visit; pixels of the upright photo. */
export interface OwnPlace {
  readonly photo: Photo;
  readonly box: Box;
}

/** A location of one visit matched in a photo of the other. */
export interface FoundPlace extends Omit<PlaceView, keyof CropComparison> {
  readonly own: OwnPlace;
  readonly other: OwnPlace;
  /** Affine transform from raster pixels of the own photo to those of the other. */
  readonly model: Affine;
  /** Boxes of other findings in the own photo, in its pixels. */
  readonly elsewhere: readonly Box[];
}

/** Approximate location in a photo of the other visit, from the whole view or the parts. */
export interface PlaceHint extends OwnPlace {
  readonly by: 'view' | 'parts';
}

/** Sort order of views: most inliers first; ties by the photos' hashes, so that their order does not matter. */
export function compareInliers(a: FoundPlace, b: FoundPlace): number {
  const key = ({ own, other }: FoundPlace) => `${other.photo.sha256} ${own.photo.sha256}`;
  return b.inliers - a.inliers || (key(a) < key(b) ? -1 : 1);
}

/** Minimum share of a box that must lie inside the other photo. */
const MIN_INSIDE = 0.6;

/** Searches the other visit's photos, opened on demand, for locations of one visit. */
export function createLookAgain(openDeps: () => Promise<LookAgainDeps>) {
  const album = createAlbum(openDeps);
  const matcher = createMatcher();

  /**
   * Searches the photos of `other` for a location of `own`, most inliers first.
   * @param elsewhere boxes of other findings in the own photo
   */
  async function findPlace(
    own: Visit,
    place: OwnPlace,
    elsewhere: readonly Box[],
    other: Visit,
  ): Promise<{ readonly views: readonly FoundPlace[]; readonly hints: readonly PlaceHint[] }> {
    const partners = rankPartners(place.photo, other.inspection.data.images);
    if (partners.length === 0) return { views: [], hints: [] };
    // Opened in parallel, so several threads detect keypoints.
    const [from, ...partnerPhotos] = await Promise.all([
      album.open(own, place.photo),
      ...partners.map((photo) => album.open(other, photo)),
    ]);
    if (from === null) return { views: [], hints: [] };
    const views: FoundPlace[] = [];
    const hints: PlaceHint[] = [];
    for (const to of partnerPhotos.filter((one) => one !== null)) {
      const found = findInPhoto(from, place, elsewhere, to, matcher);
      if (found === 'not registered' || found?.view.isGuided)
        hints.push(...placeByView(from, place, to, matcher.matchView(from, to)));
      if (found === 'not registered') continue;
      if (found !== null && (found.samePart || (await isVisiblyDifferent(own, other, found.view))))
        views.push(found.view);
    }
    views.sort(compareInliers);
    return { views, hints };
  }

  /**
   * On a differently named part, a match counts only if the surroundings have the same colour and the location itself
   * does not.
   */
  async function isVisiblyDifferent(own: Visit, other: Visit, view: FoundPlace): Promise<boolean> {
    const [look] = await compareImages(album, own, other, [view]);
    return look !== undefined && isLocalChange({ ...view, ...look });
  }

  return {
    findPlace,
    /** Compares the image content of matches; classifies only those whose other photo has no listed candidate there. */
    compareImages: (own: Visit, other: Visit, views: readonly FoundPlace[]) =>
      compareImages(album, own, other, views),
    findFault: album.findFault,
    isWithoutFiles: album.isWithoutFiles,
    /** Returns whether an opened photo is the same exposure as one of the other visit in another file. */
    isCopied: matcher.isCopied,
  };
}

function createMatcher() {
  const matched = new Map<string, readonly Match[]>();
  const copied = new Set<string>();
  const whole = new Map<string, Registration | null>();
  /** Matches an unordered pair once, so comparing in either direction gives the same result. */
  function matchOnce(
    by: string,
    own: OpenedPhoto,
    other: OpenedPhoto,
    find: (first: OpenedPhoto, second: OpenedPhoto) => readonly Match[],
  ): readonly Match[] {
    const [first, second] = own.photo.sha256 < other.photo.sha256 ? [own, other] : [other, own];
    const key = `${by} ${first.photo.sha256} ${second.photo.sha256}`;
    const known = matched.get(key) ?? find(first, second);
    matched.set(key, known);
    return first === own ? known : swapMatches(known);
  }
  const match = (own: OpenedPhoto, other: OpenedPhoto) =>
    matchOnce('all', own, other, (first, second) => {
      const found = matchKeyPoints(first.points, second.points);
      if (first !== second && isCopy(found))
        for (const { photo } of [first, second]) copied.add(photo.sha256);
      return found;
    });
  return {
    match,
    /** Matches keypoints near the position predicted by the whole view. */
    matchAgain: (own: OpenedPhoto, other: OpenedPhoto) =>
      matchOnce('near', own, other, (first, second) =>
        matchGuided(first.points, second.points, match(first, second), second.grey),
      ),
    /** Returns one transform for the whole view; null if none fits. */
    matchView(own: OpenedPhoto, other: OpenedPhoto): Registration | null {
      const key = `${own.photo.sha256} ${other.photo.sha256}`;
      const known = whole.get(key);
      const view = known === undefined ? registerView(match(own, other)) : known;
      whole.set(key, view);
      return view;
    },
    isCopied: (photo: Photo) => copied.has(photo.sha256),
  };
}

/** Maps a location into the other photo and checks that the part is the same; null if it lies outside that photo. */
function findInPhoto(
  from: OpenedPhoto,
  place: OwnPlace,
  elsewhere: readonly Box[],
  to: OpenedPhoto,
  matcher: ReturnType<typeof createMatcher>,
): { readonly view: FoundPlace; readonly samePart: boolean } | 'not registered' | null {
  const box = scaleBox(place.box, from.scale);
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const plain = registerPlace(matcher.match(from, to), box, from.grey);
  const found = plain ?? registerPlace(matcher.matchAgain(from, to), box, from.grey, GUIDED_CRITERIA);
  if (found === null) return 'not registered';
  const mapped = mapBox(found.model, box);
  const inside = computeShareInside(mapped, to.grey);
  if (inside < MIN_INSIDE) return null;
  const skipped = elsewhere.map((one) => scaleBox(one, from.scale));
  const foundAt = mapPoint(found.model, centre.x, centre.y);
  const otherBox = scaleBox(mapped, invert(to.scale));
  const view: FoundPlace = {
    own: place,
    other: { photo: to.photo, box: otherBox },
    model: found.model,
    elsewhere,
    inliers: found.inliers,
    isGuided: plain === null,
    candidate: findCandidate(to.photo, otherBox),
    scale: computeScaleChange(found.model),
    insideShare: inside,
    isAtBorder: touchesBorder(box, from.grey),
    isFlawed: [from, to].some(({ photo: { issues } }) => findFlaw(issues) !== null),
  };
  const [at, toAt] = [toFractions(centre, from), toFractions(foundAt, to)];
  const likeness = () => compareCrops(from.grey, to.grey, found.model, box, skipped).overall;
  const agreement = { inliers: found.inliers, likeness };
  return { view, samePart: isSamePart(from.parts, at, to.parts, toAt, agreement) };
}

/** Estimates a location in a photo by the transform of the whole view. */
function placeByView(
  from: OpenedPhoto,
  place: OwnPlace,
  to: OpenedPhoto,
  whole: Registration | null,
): PlaceHint[] {
  const mapped = whole && mapBox(whole.model, scaleBox(place.box, from.scale));
  if (!mapped || computeShareInside(mapped, to.grey) < MIN_INSIDE) return [];
  return [{ photo: to.photo, box: scaleBox(mapped, invert(to.scale)), by: 'view' }];
}

/** Estimates a location in the other visit's photos from the part boxes alone. */
export function hintByParts({ photo, box }: OwnPlace, { inspection }: Visit): PlaceHint[] {
  const list = (one: Photo) =>
    (one.record?.parts ?? []).map(({ part, box: place, cut }) => ({
      part,
      box: toBox(place),
      isTruncated: cut,
    }));
  const own = list(photo);
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2, width: 1, height: 1 };
  const ownPart = own.find((part) => computeShareOfSmaller(centre, part.box) > 0)?.part;
  return rankPartners(photo, inspection.data.images).flatMap((other) => {
    if (photo.angle !== null && other.angle !== null && photo.angle !== other.angle) return [];
    const placed = predictByParts(own, list(other), box, ownPart);
    return placed ? [{ photo: other, box: placed, by: 'parts' as const }] : [];
  });
}

async function compareImages(
  album: Album,
  own: Visit,
  other: Visit,
  views: readonly FoundPlace[],
): Promise<CropComparison[]> {
  const unlisted = views.filter(({ candidate }) => candidate < LISTED_CONFIDENCE);
  const scores = await classifyCuts(album, own, other, unlisted);
  const looks: CropComparison[] = [];
  for (const view of views) {
    const likeness = await compareGrey(album, own, other, view);
    const [ownScore, otherScore] = [scores.get(view.own) ?? null, scores.get(view.other) ?? null];
    const drop =
      ownScore === null || otherScore === null ? null : toLogOdds(ownScore) - toLogOdds(otherScore);
    const asks = needsColourComparison({ ...view, ...likeness, drop, damageScore: otherScore });
    looks.push({
      ...likeness,
      drop,
      damageScore: otherScore,
      colourChange: asks ? await compareColours(album, own, other, view) : null,
    });
  }
  return looks;
}

async function compareGrey(
  album: Album,
  own: Visit,
  other: Visit,
  { own: { photo, box }, other: { photo: otherPhoto }, model, elsewhere }: FoundPlace,
): Promise<Likeness> {
  const [from, to] = [await album.open(own, photo), await album.open(other, otherPhoto)];
  if (from === null || to === null) throw new Error('a place was found in a photo that cannot be opened');
  const toRaster = (one: Box) => scaleBox(one, from.scale);
  return compareCrops(from.grey, to.grey, model, toRaster(box), elsewhere.map(toRaster));
}

async function compareColours(
  album: Album,
  own: Visit,
  other: Visit,
  { own: { photo, box }, other: { photo: otherPhoto }, model, elsewhere }: FoundPlace,
): Promise<number | null> {
  const [from, to] = [await album.read(own, photo), await album.read(other, otherPhoto)];
  if (from === null || to === null) return null;
  const scale = { width: from.width / photo.width, height: from.height / photo.height };
  const toRaster = (one: Box) => scaleBox(one, scale);
  return measureDifference(from, to, model, toRaster(box), elsewhere.map(toRaster));
}

/**
 * Returns the classifier's damage probability of each crop; null if its photo cannot be read or there is no classifier.
 */
async function classifyCuts(
  album: Album,
  own: Visit,
  other: Visit,
  views: readonly FoundPlace[],
): Promise<ReadonlyMap<OwnPlace, number | null>> {
  const visits = new Map(views.flatMap((view) => [[view.own, own] as const, [view.other, other] as const]));
  const cuts = [...visits].map(([place, visit]) => ({ place, visit }));
  const scores = new Map<OwnPlace, number | null>();
  for (const sha of new Set(cuts.map(({ place }) => place.photo.sha256))) {
    const group = cuts.filter(({ place }) => place.photo.sha256 === sha);
    const [first] = group;
    if (first === undefined) continue;
    const { photo } = first.place;
    const boxes = group.map(({ place }) => place.box);
    const answers = await album.classify(first.visit, photo, boxes);
    for (const [at, { place }] of group.entries()) scores.set(place, answers?.[at] ?? null);
  }
  return scores;
}

/** Converts raster pixels to fractions of width and height. */
function toFractions({ x, y }: { readonly x: number; readonly y: number }, { grey }: OpenedPhoto) {
  return { u: x / grey.width, v: y / grey.height };
}

function invert({ width, height }: Size): Size {
  return { width: 1 / width, height: 1 / height };
}

function toLogOdds(probability: number): number {
  const inside = Math.min(0.99, Math.max(0.01, probability));
  return Math.log(inside / (1 - inside));
}
