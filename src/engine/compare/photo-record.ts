import type { Photo } from '../../contract/inspection.ts';
import { type Box, isOnePlace } from '../../domain/geometry.ts';

/** Photos of the other visit in which a place is looked for, most alike first. */
const MOST_PARTNERS = 4;

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
      .filter(({ kind, box }) => (kinds?.includes(kind) ?? true) && isOnePlace(toBox(box), place))
      .map(({ confidence }) => confidence),
  );
}

/** Reads a box of a record. */
export function toBox([x = 0, y = 0, width = 1, height = 1]: readonly number[]): Box {
  return { x, y, width, height };
}
