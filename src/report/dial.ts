/** Returns a point on the dial: score 0 at the left, 10 at the right, over the top. */
export function placeOnDial(
  centre: { x: number; y: number },
  radius: number,
  score: number,
): { x: number; y: number } {
  const angle = Math.PI * (1 - score / 10);
  return { x: centre.x + radius * Math.cos(angle), y: centre.y - radius * Math.sin(angle) };
}

/** Returns the SVG path of the dial's arc between two scores. */
export function drawArc(centre: { x: number; y: number }, radius: number, from: number, to: number): string {
  const a = placeOnDial(centre, radius, from);
  const b = placeOnDial(centre, radius, to);
  const n = (value: number) => value.toFixed(3);
  return `M${n(a.x)},${n(a.y)} A${radius},${radius} 0 0 1 ${n(b.x)},${n(b.y)}`;
}

/** A difference of scores under this is no arc to see. */
export const LEAST_ARC = 0.1;
