/** Scales a photo to the largest size that fits, preserving its aspect ratio, in points. */
export function fitInside(
  photo: { width: number; height: number },
  width: number,
  height: number,
): { width: number; height: number } {
  const scale = Math.min(width / photo.width, height / photo.height);
  return { width: photo.width * scale, height: photo.height * scale };
}
