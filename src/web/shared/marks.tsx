import type { JSX } from 'preact';
import type { DrawnBox } from '../../contract/review.ts';

/** A box in a photo, with the number of its finding. */
interface Mark {
  readonly key: string;
  readonly number: number;
  readonly box: DrawnBox;
  /** CSS classes of the box. */
  readonly classes: string;
}

/**
 * Renders boxes, small ones on top so each can be clicked, and the numbers on top of all boxes.
 * @param tag height of a number in pixels of the photo
 * @param wrap wraps the outline of a box in a control
 */
export function Marks<M extends Mark>({
  marks,
  tagHeight,
  wrap,
}: {
  readonly marks: readonly M[];
  readonly tagHeight: number;
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
      {placeTags(marks, tagHeight).map(({ key, number, classes, x, y, tagWidth }) => (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this element cannot be focused
        <g key={`tag ${key}`} class={`box ${classes}`} pointer-events="none" aria-hidden="true">
          <rect class="tag" x={x} y={y} width={tagWidth} height={tagHeight} />
          <text
            x={x + tagWidth / 2}
            y={y + tagHeight * 0.76}
            font-size={tagHeight * 0.78}
            text-anchor="middle"
          >
            {number}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Computes the position of each number: at the corner of its box, or to the right of earlier numbers there. */
function placeTags(marks: readonly Mark[], tagHeight: number) {
  const placed: (Mark & { readonly x: number; readonly y: number; readonly tagWidth: number })[] = [];
  for (const mark of marks) {
    const tagWidth = tagHeight * (0.7 + 0.55 * String(mark.number).length);
    const x = placed
      .filter(({ box }) => Math.abs(box.y - mark.box.y) < tagHeight)
      .sort((a, b) => a.x - b.x)
      .reduce(
        (left, one) => (left < one.x + one.tagWidth && one.x < left + tagWidth ? one.x + one.tagWidth : left),
        mark.box.x,
      );
    placed.push({ ...mark, x, y: Math.max(0, mark.box.y - tagHeight), tagWidth: tagWidth });
  }
  return placed;
}
