import type { Photo } from '../../contract/inspection.ts';
import { describeDamage, describeFindPart } from '../../report/words.ts';
import type { Row } from './rows.ts';
import { mode, select, selected, shownRows } from './store.ts';
import { stageSize, view } from './view.ts';

/** Renders the boxes of the photo in view: certain ones with a solid line, those to check dashed, drawn ones dotted. */
export function BoxLayer({ photo }: { readonly photo: Photo }) {
  const pixel = view.value.width / Math.max(1, stageSize.value.width);
  const tag = 17 * pixel;
  const tags = new Map<string, { readonly x: number; readonly wide: number }>();
  const under = mode.value;
  // The box under work is drawn by the editor, on top of the others.
  const others = shownRows.value.filter(({ key }) => under.kind !== 'draw' || key !== under.key);
  const boxes = others.flatMap((row) =>
    row.boxes.filter(({ image }) => image === photo.index).map(({ box }) => ({ row, box })),
  );
  for (const { row, box } of boxes) {
    const wide = tag * (0.7 + 0.55 * String(row.number).length);
    const near = boxes.flatMap((other) => {
      const there = tags.get(other.row.key);
      return there && Math.abs(other.box.y - box.y) < tag ? [there] : [];
    });
    tags.set(row.key, { x: freeBeside(near, box.x, wide), wide });
  }
  // Small boxes lie on large ones, so that each can be clicked; the numbers lie on top of all.
  const inOrder = [...boxes].sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  const chooseLook = ({ key, kind, fate, damage }: Row) =>
    `box ${kind} ${fate} ${damage.severity}${selected.value === key ? ' current' : ''}`;
  return (
    <g>
      {inOrder.map(({ row, box }) => {
        const { damage, fate, number, key } = row;
        const words = `No. ${number}: ${damage.severity} ${describeDamage(damage.type, damage.subtype).toLowerCase()}, ${describeFindPart(damage.location)}, ${fate}`;
        return (
          // biome-ignore lint/a11y/useSemanticElements: an element of the drawing cannot be a button
          <g
            key={key}
            class={chooseLook(row)}
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
        );
      })}
      {boxes.map(({ row, box }) => {
        const { x, wide } = tags.get(row.key) ?? { x: box.x, wide: tag };
        return (
          // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this element cannot be focused
          <g key={`tag ${row.key}`} class={chooseLook(row)} pointer-events="none" aria-hidden="true">
            <rect class="tag" x={x} y={box.y - tag} width={wide} height={tag} />
            <text x={x + wide / 2} y={box.y - tag * 0.24} font-size={tag * 0.78} text-anchor="middle">
              {row.number}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Returns where a number is drawn: at the corner of its box, or to the right of the numbers that are there already. */
function freeBeside(
  near: readonly { readonly x: number; readonly wide: number }[],
  left: number,
  wide: number,
): number {
  return [...near]
    .sort((a, b) => a.x - b.x)
    .reduce((x, one) => (x < one.x + one.wide && one.x < x + wide ? one.x + one.wide : x), left);
}
