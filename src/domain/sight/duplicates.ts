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

/** Finds photos that duplicate an earlier one of the set: byte for byte, or by perceptual hash. */
export function findDuplicates(
  photos: readonly { readonly index: number; readonly sha256: string; readonly perceptualHash: bigint }[],
): readonly Duplicate[] {
  const duplicates: Duplicate[] = [];
  for (const [i, photo] of photos.entries()) {
    for (const earlier of photos.slice(0, i)) {
      const bits = countDifferingBits(photo.perceptualHash, earlier.perceptualHash);
      if (photo.sha256 === earlier.sha256)
        duplicates.push({ index: photo.index, of: earlier.index, kind: 'duplicate', bits: 0 });
      else if (bits <= NEAR_DUPLICATE_BITS && hasStructure(photo.perceptualHash)) {
        duplicates.push({ index: photo.index, of: earlier.index, kind: 'near_duplicate', bits });
      } else continue;
      break;
    }
  }
  return duplicates;
}

function hasStructure(hash: bigint): boolean {
  return countDifferingBits(hash, FLAT_HASH) > NEAR_DUPLICATE_BITS;
}
