import { countDifferingBits } from '../photo.ts';

/**
 * Maximum Hamming distance of near duplicates, of 64 bits. Measured: recompressed or halved copies differ by at most 4,
 * crops of 2 % by 8, different photos by 16 or more.
 */
export const NEAR_DUPLICATE_BITS = 8;

/** Hash of a featureless picture; hashes near it (a wall, darkness) are not comparable. */
const FLAT_HASH = 0n;

export interface Duplicate {
  readonly index: number;
  /** Index of the earlier photo that this one duplicates. */
  readonly of: number;
  readonly kind: 'duplicate' | 'near_duplicate';
  /** Hamming distance of the perceptual hashes, of 64 bits. */
  readonly bits: number;
}

/** Finds photos that duplicate an earlier one of the set: byte for byte, failing that by perceptual hash. */
export function findDuplicates(
  photos: readonly { readonly index: number; readonly sha256: string; readonly perceptualHash: bigint }[],
): readonly Duplicate[] {
  return photos.flatMap(({ index, sha256, perceptualHash: hash }, at): readonly Duplicate[] => {
    const earlier = photos.slice(0, at);
    const same = earlier.find((one) => one.sha256 === sha256);
    if (same) return [{ index, of: same.index, kind: 'duplicate', bits: 0 }];
    const near = earlier.find((one) => countDifferingBits(hash, one.perceptualHash) <= NEAR_DUPLICATE_BITS);
    if (!near || countDifferingBits(hash, FLAT_HASH) <= NEAR_DUPLICATE_BITS) return [];
    const bits = countDifferingBits(hash, near.perceptualHash);
    return [{ index, of: near.index, kind: 'near_duplicate', bits }];
  });
}
