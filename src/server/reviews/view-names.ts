/** Names of the pictures that a photo is reviewed by. */
export const viewName = (index: number) => `view-${index}.jpg`;
export const thumbnailName = (index: number) => `thumbnail-${index}.jpg`;
