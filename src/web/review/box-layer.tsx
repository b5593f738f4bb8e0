import type { Photo } from '../../contract/inspection.ts';
import { describeDamage, describeFindingPart } from '../../report/words.ts';
import { Marks } from '../shared/marks.tsx';
import { stageSize, view } from './stage.ts';
import { mode, select, selected, shownRows } from './store.ts';

/** Renders the boxes of the visible photo: certain ones solid, those to check dashed, drawn ones dotted. */
export function BoxLayer({ photo }: { readonly photo: Photo }) {
  const currentMode = mode.value;
  // The editor renders the box being edited, on top of the others.
  const others = shownRows.value.filter(({ key }) => currentMode.kind !== 'draw' || key !== currentMode.key);
  const marks = others.flatMap(({ key, kind, outcome, number, damage, boxes }) =>
    boxes
      .filter(({ imageIndex }) => imageIndex === photo.index)
      .map(({ box }) => ({
        key,
        number,
        box,
        classes: `${kind} ${outcome} ${damage.severity}${selected.value === key ? ' current' : ''}`,
        words: `No. ${number}: ${damage.severity} ${describeDamage(damage.type, damage.subtype, damage.location.part).toLowerCase()}, ${describeFindingPart(damage.location)}, ${outcome}`,
      })),
  );
  return (
    <Marks
      marks={marks}
      tagHeight={(17 * view.value.width) / Math.max(1, stageSize.value.width)}
      wrap={({ key, classes, words }, outline) => (
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
          {outline}
        </g>
      )}
    />
  );
}
