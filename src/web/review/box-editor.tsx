import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Photo } from '../../contract/inspection.ts';
import type { DrawnBox } from '../../contract/review.ts';
import { COMMANDS } from './commands.ts';
import { acceptBox, drawnBox, setDrawnBox } from './drawing.ts';
import { followPointer, isPan, locatePointer } from './pointer.ts';
import { stageSize, viewport } from './stage.ts';
import { dialog, mode } from './state.ts';
import { makeBoxBetween, moveBox, type Point } from './viewport.ts';

const OPPOSITES = { nw: 'se', ne: 'sw', sw: 'ne', se: 'nw' } as const;
type Corner = keyof typeof OPPOSITES;

/** Drags shorter than this (screen pixels) are clicks and draw nothing. */
const MAX_CLICK_PX = 5;
/** Step of an arrow key in screen pixels, single and repeated. */
const STEP_PX = 4;
const REPEAT_STEP_PX = 16;

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Renders an editor for drawing a box by dragging or by keys; an existing box has handles. */
export function BoxEditor({ photo, svg }: { photo: Photo; svg: RefObject<SVGSVGElement | null> }) {
  const ref = useRef<SVGGElement>(null);
  // A dialog keeps the focus from an editor that appears behind it, and loses it on closing if the editor was replaced.
  const isBehind = dialog.value !== 'none';
  // Focused in a layout effect, so the next key press goes to the editor instead of the page.
  useLayoutEffect(() => {
    if (!isBehind) ref.current?.focus({ preventScroll: true });
  }, [isBehind]);
  const pixelSize = viewport.value.width / Math.max(1, stageSize.value.width);
  const box = drawnBox.value;

  const followDrag = (event: PointerEvent, start: Point, isCornerFixed: boolean) => {
    if (isPan(event) || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    const move = (moved: PointerEvent) =>
      setDrawnBox(makeBoxBetween(start, locatePointer(svg.current, moved), photo));
    followPointer(move, (ended) => {
      if (isCornerFixed) return;
      const distance = Math.hypot(ended.clientX - event.clientX, ended.clientY - event.clientY);
      if (distance < MAX_CLICK_PX) setDrawnBox(box);
      else if (mode.value.kind === 'draw' && mode.value.key === null) void acceptBox();
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    if (arrow) {
      const step = (event.repeat ? REPEAT_STEP_PX : STEP_PX) * pixelSize;
      const offset = { x: arrow.x * step, y: arrow.y * step };
      setDrawnBox(box ? moveBox(box, offset, event.shiftKey, photo) : makeMiddleBox(photo));
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (box) void acceptBox();
      else setDrawnBox(makeMiddleBox(photo));
    } else if (event.key === 'Escape') COMMANDS.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it handles the keys while a box is edited
    <g
      ref={ref}
      class="editor"
      role="application"
      aria-label="Box being edited. Arrows move it, with Shift they resize it, Enter accepts it, Escape cancels."
      tabindex={0}
      onKeyDown={onKeyDown}
    >
      <rect
        class="catcher"
        {...viewport.value}
        onPointerDown={(event) => followDrag(event, locatePointer(svg.current, event), false)}
      />
      {box ? (
        <>
          <rect class="halo" {...box} />
          <rect class="edge" {...box} />
          {(Object.keys(OPPOSITES) as Corner[]).map((corner) => (
            <rect
              key={corner}
              class={`handle ${corner}`}
              {...placeHandle(box, corner, 24 * pixelSize)}
              onPointerDown={(event) => followDrag(event, locateCorner(box, OPPOSITES[corner]), true)}
            />
          ))}
        </>
      ) : null}
    </g>
  );
}

/** Returns a box in the middle of the visible region, for drawing by keyboard. */
function makeMiddleBox(photo: Photo): DrawnBox {
  const { x, y, width, height } = viewport.value;
  const corner = { x: x + width * 0.45, y: y + height * 0.44 };
  return makeBoxBetween(corner, { x: x + width * 0.55, y: y + height * 0.56 }, photo);
}

const locateCorner = (box: DrawnBox, corner: Corner): Point => ({
  x: corner.endsWith('w') ? box.x : box.x + box.width,
  y: corner.startsWith('n') ? box.y : box.y + box.height,
});

function placeHandle(box: DrawnBox, corner: Corner, size: number) {
  const { x, y } = locateCorner(box, corner);
  return { x: x - size / 2, y: y - size / 2, width: size, height: size };
}
