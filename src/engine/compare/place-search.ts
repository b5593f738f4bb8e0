import type { Photo } from '../../contract/inspection.ts';
import {
  type Box,
  computeShareOfSmaller,
  type Size,
  scaleBox,
  touchesBorder,
} from '../../domain/geometry.ts';
import { type CropComparison, isLocalChange } from '../../domain/judge/decide-place.ts';
import { compareCrops, computeShareInside } from '../../domain/sight/place/likeness.ts';
import { predictByParts } from '../../domain/sight/place/place-by-parts.ts';
import {
  computeScaleChange,
  GUIDED_CRITERIA,
  mapBox,
  mapPoint,
  type Registration,
  registerCoarsely,
  registerPlace,
} from '../../domain/sight/place/registration.ts';
import { isSamePart } from '../../domain/sight/place/same-part.ts';
import { findFlaw } from '../inspect/present-photos.ts';
import {
  type Album,
  type ComparisonDeps,
  createAlbum,
  type OpenedPhoto,
  type Visit,
  type VisitPair,
} from './album.ts';
import { compareImages } from './compare-images.ts';
import { createPhotoMatcher, type PhotoMatcher } from './photo-matcher.ts';
import { findCandidate, rankPartners, toBox } from './photo-record.ts';
import type { PhotoBox, PlaceHint, PlaceMatch } from './place-match.ts';

/** Minimum share of a box that must lie inside the other photo. */
const MIN_INSIDE_SHARE = 0.6;

interface SearchResult {
  readonly matches: readonly PlaceMatch[];
  readonly coarseMatches: readonly PlaceMatch[];
  readonly hints: readonly PlaceHint[];
}

const NOTHING: SearchResult = { matches: [], coarseMatches: [], hints: [] };

/** Searches one visit's photos, opened on demand, for locations of the other visit. */
export interface PlaceSearch
  extends Pick<Album, 'findFault' | 'isWithoutFiles'>,
    Pick<PhotoMatcher, 'isCopied'> {
  /**
   * Searches the target visit for a location of the source visit.
   * @param otherBoxes boxes of other findings in the source photo
   */
  findPlace(visits: VisitPair, place: PhotoBox, otherBoxes: readonly Box[]): Promise<SearchResult>;
  compareImages(visits: VisitPair, matches: readonly PlaceMatch[]): Promise<CropComparison[]>;
}

export function createPlaceSearch(openDeps: () => Promise<ComparisonDeps>): PlaceSearch {
  const album = createAlbum(openDeps);
  const matcher = createPhotoMatcher();

  async function findPlace(
    visits: VisitPair,
    place: PhotoBox,
    otherBoxes: readonly Box[],
  ): Promise<SearchResult> {
    const partners = rankPartners(place.photo, visits.target.inspection.data.images);
    if (partners.length === 0) return NOTHING;
    // Opened in parallel, so several threads detect keypoints.
    const [source, ...targets] = await Promise.all([
      album.open(visits.source, place.photo),
      ...partners.map((photo) => album.open(visits.target, photo)),
    ]);
    if (source === null) return NOTHING;
    const matches: PlaceMatch[] = [];
    const coarseMatches: PlaceMatch[] = [];
    const hints: PlaceHint[] = [];
    for (const target of targets.filter((photo) => photo !== null)) {
      const registration = register(source, place, target, matcher);
      if (registration?.accuracy !== 'exact') hints.push(...hintByView(source, place, target, matcher));
      const result = registration && findInPhoto(source, place, otherBoxes, target, registration);
      if (!result) continue;
      if (result.match.accuracy === 'coarse') {
        if (result.isPartSame) coarseMatches.push(result.match);
      } else if (result.isPartSame || (await isVisiblyDifferent(visits, result.match)))
        matches.push(result.match);
    }
    return { matches, coarseMatches, hints };
  }

  /**
   * On a differently named part, a match counts only if the surroundings have the same colour and the location itself
   * does not.
   */
  async function isVisiblyDifferent(visits: VisitPair, match: PlaceMatch): Promise<boolean> {
    const [comparison] = await compareImages(album, visits, [match]);
    return comparison !== undefined && isLocalChange({ ...match, ...comparison });
  }

  return {
    findPlace,
    compareImages: (visits, matches) => compareImages(album, visits, matches),
    findFault: album.findFault,
    isWithoutFiles: album.isWithoutFiles,
    isCopied: matcher.isCopied,
  };
}

interface GradedRegistration extends Registration, Pick<PlaceMatch, 'accuracy'> {}

/** Registers a location as accurately as possible; null if too few keypoints agree. */
function register(
  source: OpenedPhoto,
  place: PhotoBox,
  target: OpenedPhoto,
  matcher: PhotoMatcher,
): GradedRegistration | null {
  const box = scaleBox(place.box, source.scale);
  const exact = registerPlace(matcher.match(source, target), box, source.grey);
  if (exact) return { ...exact, accuracy: 'exact' };
  const matches = matcher.matchGuided(source, target);
  const guided = registerPlace(matches, box, source.grey, GUIDED_CRITERIA);
  if (guided) return { ...guided, accuracy: 'guided' };
  const coarse = registerCoarsely(matches, box, source.grey);
  return coarse && { ...coarse, accuracy: 'coarse' };
}

/** Maps a location into the target photo and checks that the part is the same; null if it lies outside that photo. */
function findInPhoto(
  source: OpenedPhoto,
  place: PhotoBox,
  otherBoxes: readonly Box[],
  target: OpenedPhoto,
  { model, inliers, accuracy }: GradedRegistration,
): { readonly match: PlaceMatch; readonly isPartSame: boolean } | null {
  const box = scaleBox(place.box, source.scale);
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const mapped = mapBox(model, box);
  const insideShare = computeShareInside(mapped, target.grey);
  if (insideShare < MIN_INSIDE_SHARE) return null;
  const targetBox = scaleBox(mapped, invert(target.scale));
  const match: PlaceMatch = {
    source: place,
    target: { photo: target.photo, box: targetBox },
    model,
    otherBoxes,
    inliers,
    accuracy,
    candidate: findCandidate(target.photo, targetBox),
    scale: computeScaleChange(model),
    insideShare,
    isAtBorder: touchesBorder(box, source.grey),
    isFlawed: [source, target].some(({ photo: { issues } }) => findFlaw(issues) !== null),
  };
  const likeness = () => {
    const excluded = otherBoxes.map((one) => scaleBox(one, source.scale));
    return compareCrops(source.grey, target.grey, model, box, excluded).overall;
  };
  const sourcePoint = toFractions(centre, source);
  const targetPoint = toFractions(mapPoint(model, centre.x, centre.y), target);
  const isPartSame = isSamePart(source.parts, sourcePoint, target.parts, targetPoint, { inliers, likeness });
  return { match, isPartSame };
}

/** Predicts a location in a photo by the transform of the whole view. */
function hintByView(
  source: OpenedPhoto,
  place: PhotoBox,
  target: OpenedPhoto,
  matcher: PhotoMatcher,
): PlaceHint[] {
  const view = matcher.matchView(source, target);
  const mapped = view && mapBox(view.model, scaleBox(place.box, source.scale));
  if (!mapped || computeShareInside(mapped, target.grey) < MIN_INSIDE_SHARE) return [];
  return [{ photo: target.photo, box: scaleBox(mapped, invert(target.scale)), basis: 'view' }];
}

/** Predicts a location in the other visit's photos from the part boxes alone. */
export function hintByParts({ photo, box }: PhotoBox, { inspection }: Visit): PlaceHint[] {
  const listParts = ({ record }: Photo) =>
    (record?.parts ?? []).map(({ part, box: partBox, cut }) => ({
      part,
      box: toBox(partBox),
      isTruncated: cut,
    }));
  const sourceParts = listParts(photo);
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2, width: 1, height: 1 };
  const part = sourceParts.find((one) => computeShareOfSmaller(centre, one.box) > 0)?.part;
  return rankPartners(photo, inspection.data.images).flatMap((target) => {
    if (photo.angle !== null && target.angle !== null && photo.angle !== target.angle) return [];
    const predicted = predictByParts(sourceParts, listParts(target), box, part);
    return predicted ? [{ photo: target, box: predicted, basis: 'parts' as const }] : [];
  });
}

/** Converts raster pixels to fractions of width and height. */
function toFractions({ x, y }: { readonly x: number; readonly y: number }, { grey }: OpenedPhoto) {
  return { u: x / grey.width, v: y / grey.height };
}

function invert({ width, height }: Size): Size {
  return { width: 1 / width, height: 1 / height };
}
