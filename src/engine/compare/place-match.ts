import type { Photo } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import type { CropComparison, PlaceView } from '../../domain/judge/decide-place.ts';
import type { Affine } from '../../domain/sight/place/registration.ts';

/** A box in a photo; pixels of the upright photo. */
export interface PhotoBox {
  readonly photo: Photo;
  readonly box: Box;
}

/** A location of one visit (`source`) matched in a photo of the other (`target`). */
export interface PlaceMatch extends Omit<PlaceView, keyof CropComparison> {
  readonly source: PhotoBox;
  readonly target: PhotoBox;
  /** Affine transform from raster pixels of the source photo to those of the target. */
  readonly model: Affine;
  /** Boxes of other findings in the source photo, in its pixels. */
  readonly otherBoxes: readonly Box[];
}

/** Approximate location in a photo of the other visit, predicted from the whole view or the parts. */
export interface PlaceHint extends PhotoBox {
  readonly basis: 'view' | 'parts';
}

/** Sort order of matches: most inliers first; ties by the photos' hashes, so that their order does not matter. */
export function compareInliers(a: PlaceMatch, b: PlaceMatch): number {
  const key = ({ source, target }: PlaceMatch) => `${target.photo.sha256} ${source.photo.sha256}`;
  return b.inliers - a.inliers || (key(a) < key(b) ? -1 : 1);
}
