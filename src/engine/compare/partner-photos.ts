import type { Photo } from '../../contract/inspection.ts';

/** Maximum photos of the other visit searched for a place. */
const MAX_PARTNERS = 4;

/** Returns photos that show parts of this one, those most likely to show the same area first. */
export function rankPartners(photo: Photo, others: readonly Photo[]): Photo[] {
  const own = measureParts(photo);
  return others
    .map((other) => {
      const shares = measureParts(other);
      const shared = [...own].reduce((sum, [part, share]) => sum + Math.min(share, shares.get(part) ?? 0), 0);
      const sameAngle = photo.angle !== null && photo.angle === other.angle;
      return { other, shared, likeness: shared + (sameAngle ? 0.3 : 0) };
    })
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.likeness - a.likeness || (a.other.sha256 < b.other.sha256 ? -1 : 1))
    .slice(0, MAX_PARTNERS)
    .map(({ other }) => other);
}

/** Returns the share of the photo covered by each part's box. */
function measureParts({ record, width, height }: Photo): Map<string, number> {
  const parts = record?.parts ?? [];
  return new Map(parts.map(({ part, box: [, , w = 0, h = 0] }) => [part, (w * h) / (width * height)]));
}
