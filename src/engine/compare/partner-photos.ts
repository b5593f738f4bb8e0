import type { Photo } from '../../contract/inspection.ts';
import { compareTexts } from '../../lib/names.ts';

/** Maximum photos of the other visit searched for a place. */
const MAX_PARTNERS = 4;

/** Added to the likeness of photos taken from the same angle. */
const SAME_ANGLE_BONUS = 0.3;

/** Returns the photos that share a part with this one, at most four, those most likely to show the same area first. */
export function rankPartners(photo: Photo, others: readonly Photo[]): Photo[] {
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
