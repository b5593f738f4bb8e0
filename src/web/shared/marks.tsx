import type { JSX } from 'preact';
import type { DrawnBox } from '../../contract/review.ts';

/** A box in a photo, with the number of its finding. */
interface Mark {
  readonly key: string;
  readonly number: number;
  readonly box: DrawnBox;
  /** CSS classes of the box. */
  readonly look: string;
}

/**
 * Renders boxes, small ones on top so each can be clicked, and the numbers on top of all boxes.
 * @param tag height of a number in pixels of the photo
 * @param wrap wraps the outline of a box in a control
 */
export function Marks<M extends Mark>({
  marks,
  tag,
  wrap,
}: {
  readonly marks: readonly M[];
  readonly tag: number;
  readonly wrap: (mark: M, outline: JSX.Element) => JSX.Element;
}) {
  const largestFirst = [...marks].sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  return (
    <g>
      {largestFirst.map((mark) =>
        wrap(
          mark,
          <>
            <rect class="halo" {...mark.box} />
            <rect class="edge" {...mark.box} />
          </>,
        ),
      )}
      {placeTags(marks, tag).map(({ key, number, look, x, y, wide }) => (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this element cannot be focused
        <g key={`tag ${key}`} class={`box ${look}`} pointer-events="none" aria-hidden="true">
          <rect class="tag" x={x} y={y} width={wide} height={tag} />
          <text x={x + wide / 2} y={y + tag * 0.76} font-size={tag * 0.78} text-anchor="middle">
            {number}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Computes the position of each number: at the corner of its box, or to the right of earlier numbers there. */
function placeTags(marks: readonly Mark[], tag: number) {
  const placed: (Mark & { readonly x: number; readonly y: number; readonly wide: number })[] = [];
  for (const mark of marks) {
    const wide = tag * (0.7 + 0.55 * String(mark.number).length);
    const x = placed
      .filter(({ box }) => Math.abs(box.y - mark.box.y) < tag)
      .sort((a, b) => a.x - b.x)
      .reduce(
        (left, one) => (left < one.x + one.wide && one.x < left + wide ? one.x + one.wide : left),
        mark.box.x,
      );
    placed.push({ ...mark, x, y: Math.max(0, mark.box.y - tag), wide });
  }
  return placed;
}
