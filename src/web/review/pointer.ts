import { signal } from '@preact/signals';
import type { Point } from './viewport.ts';

const isSpaceHeld = signal(false);

/** Converts screen coordinates to pixels of the photo. */
export function locatePointer(svg: SVGSVGElement | null, event: MouseEvent): Point {
  const matrix = svg?.getScreenCTM()?.inverse();
  if (!matrix) return { x: 0, y: 0 };
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  return { x, y };
}

/** Elements that respond to Space themselves. */
const SPACE_USERS = 'button, a, input, select, textarea, summary, dialog, [contenteditable]';

/** Tracks whether Space is held, until the returned function is called. */
export function trackSpace(): () => void {
  const controller = new AbortController();
  const press = (event: KeyboardEvent) => {
    if (event.code !== 'Space' || !(event.target instanceof Element) || event.target.closest(SPACE_USERS))
      return;
    isSpaceHeld.value = true;
    event.preventDefault();
  };
  const release = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.code === 'Space') isSpaceHeld.value = false;
  };
  document.addEventListener('keydown', press, controller);
  document.addEventListener('keyup', release, controller);
  // A window without focus receives no keyup.
  addEventListener('blur', release, controller);
  return () => controller.abort();
}

/** Returns true if dragging pans the photo: with Space held, or with the middle button. */
export const isPan = (event: PointerEvent): boolean => isSpaceHeld.value || event.button === 1;

/** Calls `move` while a pressed pointer moves and `end` on release; stops if the browser takes over the pointer. */
export function followPointer(move: (event: PointerEvent) => void, end?: typeof move): void {
  const controller = new AbortController();
  const release = (event: PointerEvent) => {
    controller.abort();
    end?.(event);
  };
  addEventListener('pointermove', move, controller);
  addEventListener('pointercancel', () => controller.abort(), controller);
  addEventListener('pointerup', release, controller);
}
