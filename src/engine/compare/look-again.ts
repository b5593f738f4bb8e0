import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import { area, type Box, computeShareOfSmaller, iou, type Size, scaleBox } from '../../domain/geometry.ts';
import type { PlaceView } from '../../domain/judge/compare.ts';
import type { GreyImage, RgbImage } from '../../domain/photo.ts';
import type { PartMap, SegmentLabel } from '../../domain/sight/detection.ts';
import type { KeyPoints } from '../../domain/sight/place/keypoints.ts';
import { compareCuts, computeShareInside } from '../../domain/sight/place/likeness.ts';
import {
  type Affine,
  computeScaleChange,
  isCopy,
  type Match,
  mapBox,
  mapPoint,
  matchKeyPoints,
  registerPlace,
  registerView,
  swapMatches,
} from '../../domain/sight/place/registration.ts';
import { findFlaw } from '../inspect/present-photos.ts';
import type { PhotoReader, Vision } from '../ports.ts';
import type { PhotoSource } from '../request.ts';

/** One of two inspections to compare; without photos it only says what its JSON holds. */
export interface Visit {
  readonly inspection: InspectionEnvelope;
  /** The photo as it was inspected (checked by SHA-256), null where it is not available any more. */
  readonly openPhoto?: (photo: Photo) => Promise<PhotoSource | null>;
}

export interface LookAgainDeps {
  readonly reader: PhotoReader;
  readonly vision: Pick<Vision, 'findParts' | 'findPoints' | 'classifyAt'>;
}

/** A place in a photo of its own visit; pixels of the upright photo. */
export interface OwnPlace {
  readonly photo: Photo;
  readonly box: Box;
}

/** A place of one visit found in a photo of the other. */
export interface FoundPlace extends Omit<PlaceView, 'drop'> {
  readonly own: OwnPlace;
  readonly other: OwnPlace;
}

/** A place of one visit that lies about there in a photo of the other, by the view as a whole or by the parts. */
export interface AboutPlace extends OwnPlace {
  readonly by: 'view' | 'parts';
}

/** A photo opened once: everything that comparing needs, without its colours. Pixels are those of the raster. */
interface OpenedPhoto {
  readonly photo: Photo;
  readonly grey: GreyImage;
  readonly points: KeyPoints;
  readonly parts: PartMap;
  /** Raster over original. */
  readonly scale: Size;
}

/** Photos kept decoded, so that what is asked of the classifier at the end is not decoded again: 5 MB each. */
const MOST_DECODED = 20;
/** Photos of the other visit in which a place is looked for, most alike first. */
const MOST_PARTNERS = 4;
/** So many agreeing points make up for a part that is called by another name in the other photo. */
const MANY_INLIERS = 60;
const MANY_INLIERS_ON_SIDE = 40;
/** Share of a place that the other photo must show for the place to be found in it. */
const LEAST_INSIDE = 0.6;

/** Opens the photos of two visits as they are needed and finds places of one in photos of the other. */
export function createLookAgain(openDeps: () => Promise<LookAgainDeps>) {
  const opened = new Map<string, Promise<OpenedPhoto | null>>();
  const matched = new Map<string, Match[]>();
  const copied = new Set<string>();
  const missing = new Set<string>();
  const decoded = new Map<string, RgbImage>();

  function open(visit: Visit, photo: Photo): Promise<OpenedPhoto | null> {
    const known = opened.get(photo.sha256);
    if (known) return known;
    const opening = openPhoto(visit, photo);
    opened.set(photo.sha256, opening);
    return opening;
  }

  async function read(visit: Visit, photo: Photo): Promise<RgbImage | null> {
    const kept = decoded.get(photo.sha256);
    if (kept) return kept;
    const source = (await visit.openPhoto?.(photo)) ?? null;
    const reading = source && (await (await openDeps()).reader.read(source));
    if (!reading?.ok) return null;
    const { raster } = reading.photo;
    decoded.set(photo.sha256, raster);
    const [oldest] = decoded.keys();
    if (decoded.size > MOST_DECODED && oldest !== undefined) decoded.delete(oldest);
    return raster;
  }

  async function openPhoto(visit: Visit, photo: Photo): Promise<OpenedPhoto | null> {
    const raster = await read(visit, photo);
    if (raster === null) {
      missing.add(photo.sha256);
      return null;
    }
    const { vision } = await openDeps();
    const parts = await vision.findParts({ raster, size: photo });
    const grey = toGrey(raster);
    const points = await vision.findPoints(grey, parts);
    const scale = { width: raster.width / photo.width, height: raster.height / photo.height };
    return { photo, grey, points, parts, scale };
  }

  /** Matches of an unordered pair are found once, so that comparing the other way round says the same. */
  function match(own: OpenedPhoto, other: OpenedPhoto): Match[] {
    const [first, second] = own.photo.sha256 < other.photo.sha256 ? [own, other] : [other, own];
    const key = `${first.photo.sha256} ${second.photo.sha256}`;
    const known = matched.get(key) ?? matchKeyPoints(first.points, second.points);
    if (!matched.has(key) && first !== second && isCopy(known))
      for (const { photo } of [first, second]) copied.add(photo.sha256);
    matched.set(key, known);
    return first === own ? known : swapMatches(known);
  }

  /**
   * Finds a place of `own` in the photos of `other`, surest first.
   * @param elsewhere boxes of other finds in the own photo
   */
  async function findPlace(
    own: Visit,
    place: OwnPlace,
    elsewhere: readonly Box[],
    other: Visit,
  ): Promise<{ readonly views: readonly FoundPlace[]; readonly about: readonly AboutPlace[] }> {
    const views: FoundPlace[] = [];
    const about: AboutPlace[] = [];
    const partners = rankPartners(place.photo, other.inspection.data.images);
    if (partners.length === 0) return { views, about };
    // All at once, so that several threads look for key points.
    const [here] = await Promise.all([
      open(own, place.photo),
      ...partners.map((photo) => open(other, photo)),
    ]);
    if (here === null) return { views, about };
    const box = scaleBox(place.box, here.scale);
    const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    for (const photo of partners) {
      const there = await open(other, photo);
      if (there === null) continue;
      const matches = match(here, there);
      const found = registerPlace(matches, centre, here.grey);
      if (found === null) {
        const whole = registerView(matches);
        const mapped = whole && mapBox(whole.model, box);
        if (mapped && computeShareInside(mapped, there.grey) >= LEAST_INSIDE)
          about.push({ photo, box: scaleBox(mapped, invert(there.scale)), by: 'view' });
        continue;
      }
      const mapped = mapBox(found.model, box);
      const inside = computeShareInside(mapped, there.grey);
      if (inside < LEAST_INSIDE) continue;
      const skipped = elsewhere.map((one) => scaleBox(one, here.scale));
      const likeness = compareCuts(here.grey, there.grey, found.model, box, skipped);
      if (!isSamePart(here, there, centre, found, likeness.whole)) continue;
      const otherBox = scaleBox(mapped, invert(there.scale));
      views.push({
        own: place,
        other: { photo, box: otherBox },
        inliers: found.inliers,
        candidate: findCandidate(photo, otherBox),
        ...likeness,
        scale: computeScaleChange(found.model),
        inside,
        atBorder: touchesBorder(box, here.grey),
        flawed: [place.photo, photo].some(({ issues }) => findFlaw(issues) !== null),
      });
    }
    views.sort((a, b) => b.inliers - a.inliers || (a.other.photo.sha256 < b.other.photo.sha256 ? -1 : 1));
    return { views, about };
  }

  /** Returns by how much less the classifier takes the other cut for a damage, log odds; null where it cannot be asked. */
  async function askAgain(
    own: Visit,
    other: Visit,
    views: readonly FoundPlace[],
  ): Promise<(number | null)[]> {
    const owners = new Map(views.flatMap((view) => [[view.own, own] as const, [view.other, other] as const]));
    const cuts = [...owners].map(([place, visit]) => ({ place, visit }));
    const said = new Map<OwnPlace, number | null>();
    for (const sha of new Set(cuts.map(({ place }) => place.photo.sha256))) {
      const group = cuts.filter(({ place }) => place.photo.sha256 === sha);
      const [first] = group;
      if (first === undefined) continue;
      const raster = await read(first.visit, first.place.photo);
      const answers = raster
        ? await (await openDeps()).vision.classifyAt(
            { raster, size: first.place.photo },
            group.map(({ place }) => place.box),
          )
        : null;
      for (const [at, { place }] of group.entries()) said.set(place, answers?.[at] ?? null);
    }
    return views.map((view) => {
      const [here, there] = [said.get(view.own), said.get(view.other)];
      return typeof here === 'number' && typeof there === 'number'
        ? toLogOdds(here) - toLogOdds(there)
        : null;
    });
  }

  return {
    findPlace,
    askAgain,
    isMissing: (photo: Photo) => missing.has(photo.sha256),
    /** Whether a photo that was looked at is the same exposure as one of the other visit, in another file. */
    isCopied: (photo: Photo) => copied.has(photo.sha256),
  };
}

/** Returns the photos that may show the same, most alike first: by the parts they show, then by their angle. */
export function rankPartners(photo: Photo, others: readonly Photo[]): Photo[] {
  const own = measureParts(photo);
  return others
    .filter(({ record }) => record !== undefined)
    .map((other) => {
      const theirs = measureParts(other);
      const shared = [...own].reduce((sum, [part, share]) => sum + Math.min(share, theirs.get(part) ?? 0), 0);
      const sameAngle = photo.angle !== null && photo.angle === other.angle;
      return { other, shared, likeness: shared + (sameAngle ? 0.3 : 0) };
    })
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.likeness - a.likeness || (a.other.sha256 < b.other.sha256 ? -1 : 1))
    .slice(0, MOST_PARTNERS)
    .map(({ other }) => other);
}

/** Returns the share of the photo that the box of each part covers. */
function measureParts({ record, width, height }: Photo): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { part, box } of record?.parts ?? [])
    shares.set(part, ((box[2] ?? 0) * (box[3] ?? 0)) / (width * height));
  return shares;
}

/** Returns the highest confidence of a candidate of a photo at a place; 0 where there is none. */
export function findCandidate(photo: Photo, place: Box, kinds?: readonly string[]): number {
  return Math.max(
    0,
    ...(photo.record?.candidates ?? [])
      .filter(({ kind, box }) => (kinds?.includes(kind) ?? true) && isAt(toBox(box), place))
      .map(({ confidence }) => confidence),
  );
}

export function toBox([x = 0, y = 0, width = 1, height = 1]: readonly number[]): Box {
  return { x, y, width, height };
}

/** Returns whether two boxes of one photo are one place. */
export function isAt(a: Box, b: Box): boolean {
  if (iou(a, b) > 0.3) return true;
  const ratio = Math.min(area(a), area(b)) / Math.max(1, area(a), area(b));
  return computeShareOfSmaller(a, b) > 0.7 && ratio > 0.08;
}

function isSamePart(
  here: OpenedPhoto,
  there: OpenedPhoto,
  centre: { x: number; y: number },
  found: { readonly model: Affine; readonly inliers: number },
  likeness: number,
): boolean {
  if (found.inliers >= MANY_INLIERS && likeness >= 0.85) return true;
  const at = mapPoint(found.model, centre.x, centre.y);
  const own = labelAt(here.parts, centre.x / here.grey.width, centre.y / here.grey.height);
  const other = labelAt(there.parts, at.x / there.grey.width, at.y / there.grey.height);
  if (own === other) return true;
  const side = (label: SegmentLabel | undefined) => label?.match(/_(left|right)$/)?.[1];
  return found.inliers >= MANY_INLIERS_ON_SIDE && side(own) !== undefined && side(own) === side(other);
}

function labelAt({ best, width, height, labels }: PartMap, u: number, v: number): SegmentLabel | undefined {
  const x = Math.min(width - 1, Math.max(0, Math.floor(u * width)));
  const y = Math.min(height - 1, Math.max(0, Math.floor(v * height)));
  return labels[best[y * width + x] ?? 0];
}

function touchesBorder({ x, y, width, height }: Box, photo: Size): boolean {
  return x <= 2 || y <= 2 || x + width >= photo.width - 2 || y + height >= photo.height - 2;
}

function invert({ width, height }: Size): Size {
  return { width: 1 / width, height: 1 / height };
}

function toLogOdds(probability: number): number {
  const inside = Math.min(0.99, Math.max(0.01, probability));
  return Math.log(inside / (1 - inside));
}

/** ITU-R BT.601 luma. */
function toGrey({ data, width, height }: RgbImage): GreyImage {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at++)
    grey[at] =
      0.299 * (data[3 * at] as number) +
      0.587 * (data[3 * at + 1] as number) +
      0.114 * (data[3 * at + 2] as number);
  return { data: grey, width, height };
}
