/** Returns the largest size of a photo's proportions inside a room, points. */
export function fitInside(
  photo: { width: number; height: number },
  width: number,
  height: number,
): { width: number; height: number } {
  const scale = Math.min(width / photo.width, height / photo.height);
  return { width: photo.width * scale, height: photo.height * scale };
}
