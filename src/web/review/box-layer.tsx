import type { Photo } from '../../contract/inspection.ts';
import { nameFinding } from '../../report/words.ts';
import { stageSize, viewport } from './stage.ts';
import { mode, select, selected, shownRows } from './state.ts';
import { placeTags } from './viewport.ts';

/** Height of a number on the screen in pixels. */
const TAG_PX = 17;

/** Lists the boxes in the visible photo, each with the number of its finding and its CSS classes. */
function listMarks(photo: Photo) {
  const currentMode = mode.value;
  // The editor renders the box being edited, on top of the others.
  const others = shownRows.value.filter(({ key }) => currentMode.kind !== 'draw' || key !== currentMode.key);
  return others.flatMap(({ key, kind, outcome, number, damage, boxes }) =>
    boxes
      .filter(({ imageIndex }) => imageIndex === photo.index)
      .map(({ box }) => ({
        key,
        number,
        box,
        classes: `${kind} ${outcome} ${damage.severity}${selected.value === key ? ' current' : ''}`,
        words: `No. ${number}: ${nameFinding({ ...damage, ...damage.location })}, ${outcome}`,
      })),
  );
}

/**
 * Renders the boxes of the visible photo: certain ones solid, those to check dashed, drawn ones dotted; small ones on
 * top so each can be clicked, and the numbers on top of all boxes.
 */
export function BoxLayer({ photo }: { readonly photo: Photo }) {
  const marks = listMarks(photo);
  const largestFirst = [...marks].sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  const tagHeight = (TAG_PX * viewport.value.width) / Math.max(1, stageSize.value.width);
  return (
    <g>
      {largestFirst.map(({ key, box, classes, words }) => (
        // biome-ignore lint/a11y/useSemanticElements: an SVG element cannot be a button
        <g
          key={key}
          class={`box ${classes}`}
          role="button"
          tabindex={-1}
          aria-label={words}
          data-box={key}
          onClick={() => select(key)}
          onKeyDown={(event) => {
            if (event.key === ' ') select(key);
          }}
        >
          <title>{words}</title>
          <rect class="halo" {...box} />
          <rect class="edge" {...box} />
        </g>
      ))}
      {placeTags(marks, tagHeight).map(({ key, number, classes, x, y, width, height }) => (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this element cannot be focused
        <g key={`tag ${key}`} class={`box ${classes}`} pointer-events="none" aria-hidden="true">
          <rect class="tag" {...{ x, y, width, height }} />
          <text x={x + width / 2} y={y + height * 0.76} font-size={height * 0.78} text-anchor="middle">
            {number}
          </text>
        </g>
      ))}
    </g>
  );
}
