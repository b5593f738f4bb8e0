import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Photo } from '../../contract/inspection.ts';
import type { DrawnBox } from '../../contract/review.ts';
import { COMMANDS } from './actions/commands.ts';
import { takeBox } from './actions/draw.ts';
import { followPointer, isPan, locatePointer } from './pointer.ts';
import { stageSize, view } from './stage.ts';
import { mode, notice } from './store.ts';
import { makeBoxBetween, nudge } from './viewport.ts';

/** The box being edited; the panel's number fields change it too. */
export const drawn = signal<DrawnBox | null>(null);

const CORNERS = ['nw', 'ne', 'sw', 'se'] as const;
type Corner = (typeof CORNERS)[number];

/** Drags shorter than this (screen pixels) are clicks; two clicks set two corners. */
const CLICK_PIXELS = 5;
/** Step of an arrow key in screen pixels, single and repeated. */
const STEP = 4;
const HELD_STEP = 16;

const ARROWS: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Renders an editor for drawing a box by dragging, two clicks or keys; an existing box has handles. */
export function BoxEditor({
  photo,
  svg,
}: {
  readonly photo: Photo;
  readonly svg: { readonly current: SVGSVGElement | null };
}) {
  const ref = useRef<SVGGElement>(null);
  const first = useRef<{ x: number; y: number } | null>(null);
  const currentMode = mode.value;
  // Focused in a layout effect, so the next key press goes to the editor instead of the page.
  useLayoutEffect(() => {
    drawn.value = currentMode.kind === 'draw' ? currentMode.box : null;
    ref.current?.focus({ preventScroll: true });
    return () => {
      drawn.value = null;
    };
  }, []);
  const pixel = view.value.width / Math.max(1, stageSize.value.width);
  const box = drawn.value;

  const follow = (start: { x: number; y: number }, event: PointerEvent, fixed: boolean) => {
    const move = (moved: PointerEvent) => {
      drawn.value = makeBoxBetween(start, locatePointer(svg.current, moved), photo);
    };
    followPointer(move, (ended) => {
      const distance = Math.hypot(ended.clientX - event.clientX, ended.clientY - event.clientY);
      if (fixed) return;
      if (distance >= CLICK_PIXELS) {
        first.current = null;
        if (currentMode.kind === 'draw' && currentMode.key === null && drawn.value) void takeBox(drawn.value);
      } else if (first.current === null) {
        first.current = start;
        notice.value = 'Click the opposite corner.';
      } else {
        const done = makeBoxBetween(first.current, start, photo);
        first.current = null;
        drawn.value = done;
        if (currentMode.kind === 'draw' && currentMode.key === null) void takeBox(done);
      }
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    if (arrow) {
      const by = (event.repeat ? HELD_STEP : STEP) * pixel;
      const now = drawn.value ?? makeMiddleBox(photo);
      const start = drawn.value === null;
      drawn.value = start ? now : nudge(now, { x: arrow.x * by, y: arrow.y * by }, event.shiftKey, photo);
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (drawn.value) void takeBox(drawn.value);
      else drawn.value = makeMiddleBox(photo);
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
        x={view.value.x}
        y={view.value.y}
        width={view.value.width}
        height={view.value.height}
        onPointerDown={(event) => {
          if (isPan(event) || event.button !== 0) return;
          event.preventDefault();
          follow(locatePointer(svg.current, event), event, false);
        }}
      />
      {box ? (
        <>
          <rect class="halo" {...box} />
          <rect class="edge" {...box} />
          {CORNERS.map((corner) => (
            <rect
              key={corner}
              class={`handle ${corner}`}
              {...placeHandle(box, corner, 24 * pixel)}
              onPointerDown={(event) => {
                if (isPan(event) || event.button !== 0) return;
                event.preventDefault();
                event.stopPropagation();
                follow(findOppositeCorner(box, corner), event, true);
              }}
            />
          ))}
        </>
      ) : null}
    </g>
  );
}

/** Returns a box in the middle of the visible region, for drawing by keyboard. */
function makeMiddleBox(photo: Photo): DrawnBox {
  const { x, y, width, height } = view.value;
  const corner = { x: x + width * 0.45, y: y + height * 0.44 };
  return makeBoxBetween(corner, { x: x + width * 0.55, y: y + height * 0.56 }, photo);
}

function findOppositeCorner(box: DrawnBox, corner: Corner): { x: number; y: number } {
  return {
    x: corner.endsWith('w') ? box.x + box.width : box.x,
    y: corner.startsWith('n') ? box.y + box.height : box.y,
  };
}

function placeHandle(box: DrawnBox, corner: Corner, size: number) {
  return {
    x: (corner.endsWith('w') ? box.x : box.x + box.width) - size / 2,
    y: (corner.startsWith('n') ? box.y : box.y + box.height) - size / 2,
    width: size,
    height: size,
  };
}
