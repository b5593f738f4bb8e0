import type { PhotoSource } from '../engine/request.ts';

/** A photo of an inspection; `index` is its position in `images`. */
export interface PhotoFile {
  readonly index: number;
  readonly source: Exclude<PhotoSource, { kind: 'file' }>;
}

/** Review pictures of a photo. */
export interface PhotoViews {
  readonly view: Uint8Array;
  readonly thumbnail: Uint8Array;
  /** One per region, in the same order. */
  readonly closeUps: readonly Uint8Array[];
}

/** Returns the file name of the stored photo at this index of the request. */
export const namePhoto = (index: number) => `photo-${index}`;

/** Returns true if the file name is that of a stored photo. */
export const isPhoto = (fileName: string) => /^photo-\d+$/.test(fileName);

/** File names of a photo's review pictures: thumbnail, view, and crops of the full-size photo. */
export const nameThumbnail = (index: number) => `thumbnail-${index}.jpg`;
export const nameView = (index: number) => `view-${index}.jpg`;
export const nameCrop = (index: number) => `cut-${index}.jpg`;
/** Returns the file name of a finding's close-up; ids come from the engine: `dmg_hood_001`, `chk_roof_002`. */
export const nameCloseUp = (damageId: string, index: number) => `close-${damageId}-${index}.jpg`;

/** Returns true if the file name is that of a stored thumbnail, view or close-up. */
export const isView = (fileName: string) => /^(view|thumbnail)-\d+\.jpg$|^close-\w+-\d+\.jpg$/.test(fileName);

/** Drawings of one photo. */
export interface DrawnPhoto {
  readonly index: number;
  /** JPEG with numbered boxes; undefined if there are no findings. */
  readonly annotated?: Uint8Array | undefined;
  /** Null if no views are stored. */
  readonly views: PhotoViews | null;
}
