/** A grid of labels for painting shapes. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** One value per pixel, row by row. */
  readonly labels: Uint8Array;
}

/**
 * Paints `value` on the pixels whose center is inside the outline (x, y, x, y … in pixels of the canvas, implicitly
 * closed; even-odd rule if self-intersecting).
 */
export function fillPolygon(
  { width, height, labels }: Canvas,
  outline: readonly number[],
  value: number,
): void {
  const corners = outline.length / 2;
  for (let row = 0; row < height; row++) {
    const y = row + 0.5;
    const crossings: number[] = [];
    for (let i = 0; i < corners; i++) {
      const j = (i + 1) % corners;
      const [x0, y0, x1, y1] = [outline[2 * i], outline[2 * i + 1], outline[2 * j], outline[2 * j + 1]] as [
        number,
        number,
        number,
        number,
      ];
      if (y0 <= y !== y1 <= y) crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
    }
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil((crossings[i] as number) - 0.5));
      const to = Math.min(width, Math.ceil((crossings[i + 1] as number) - 0.5));
      if (to > from) labels.fill(value, row * width + from, row * width + to);
    }
  }
}
