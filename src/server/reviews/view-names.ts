/**
 * Returns the name of the picture that a photo is reviewed by. `damageId` is the engine's own: `dmg_hood_001`,
 * `chk_roof_002`.
 */
export const nameView = (index: number) => `view-${index}.jpg`;
/** Returns the name of the small picture of a photo. */
export const nameThumbnail = (index: number) => `thumbnail-${index}.jpg`;
/** Returns the name of the photo itself, of which the query of the address names the region. */
export const nameCut = (index: number) => `cut-${index}.jpg`;
/** Returns the name of the close-up of a finding. */
export const closeUpName = (damageId: string, index: number) => `close-${damageId}-${index}.jpg`;

/** Returns whether a file is such a picture. */
export const isView = (name: string) => /^(view|thumbnail)-\d+\.jpg$|^close-\w+-\d+\.jpg$/.test(name);
