import type { Photo } from '../../contract/inspection.ts';
import { damageWords, partWords } from '../../report/words.ts';
import { select, selected, shownRows } from './store.ts';
import { stageSize, view } from './view.ts';

/** The boxes of the photo in view: certain ones with a solid line, those to check dashed, drawn ones dotted. */
export function BoxLayer({ photo }: { readonly photo: Photo }) {
  const pixel = view.value.width / Math.max(1, stageSize.value.width);
  const tag = 17 * pixel;
  return (
    <g>
      {shownRows.value.flatMap((row) =>
        row.boxes
          .filter(({ image }) => image === photo.index)
          .map(({ box }) => {
            const { damage, fate, kind, number, key } = row;
            const wide = tag * (0.7 + 0.55 * String(number).length);
            const words = `No. ${number}: ${damage.severity} ${damageWords(damage.type, damage.subtype).toLowerCase()}, ${partWords(damage.location.part)}, ${fate}`;
            return (
              // biome-ignore lint/a11y/useSemanticElements: an element of the drawing cannot be a button
              <g
                key={key}
                class={`box ${kind} ${fate} ${damage.severity}${selected.value === key ? ' current' : ''}`}
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
                <rect class="tag" x={box.x} y={box.y - tag} width={wide} height={tag} />
                <text x={box.x + wide / 2} y={box.y - tag * 0.24} font-size={tag * 0.78} text-anchor="middle">
                  {number}
                </text>
              </g>
            );
          }),
      )}
    </g>
  );
}
