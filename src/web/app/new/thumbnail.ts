/** Width of a thumbnail: twice its CSS pixels. */
const THUMBNAIL_WIDTH_PX = 144;

/** Creates a thumbnail as a `data:` URL; null if the browser cannot decode the format (HEIC). */
export async function drawThumbnail(file: File): Promise<string | null> {
  const bitmap = await createImageBitmap(file, { resizeWidth: THUMBNAIL_WIDTH_PX }).catch(() => null);
  if (bitmap === null) return null;
  const canvas = document.createElement('canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.toDataURL('image/jpeg', 0.8);
}
