import { countDifferingBits } from '../photo.ts';

/**
 * Maximum Hamming distance of near duplicates, of 64 bits. Measured: recompressed or halved copies differ by at most 4,
 * crops of 2 % by 8, different photos by 16 or more.
 */
export const NEAR_DUPLICATE_BITS = 8;

/** Returns true for hashes near that of a featureless picture (a wall, darkness), which are not comparable. */
const isFlat = (hash: bigint) => countDifferingBits(hash, 0n) <= NEAR_DUPLICATE_BITS;

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
    if (isFlat(hash)) return [];
    const near = earlier
      .filter((one) => !isFlat(one.perceptualHash))
      .map((one) => ({ of: one.index, bits: countDifferingBits(hash, one.perceptualHash) }))
      .find(({ bits }) => bits <= NEAR_DUPLICATE_BITS);
    return near ? [{ index, ...near, kind: 'near_duplicate' }] : [];
  });
}
