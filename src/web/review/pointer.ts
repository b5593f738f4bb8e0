let spaceHeld = false;

/** Converts screen coordinates to pixels of the photo. */
export function locatePointer(
  svg: SVGSVGElement | null,
  event: { readonly clientX: number; readonly clientY: number },
): { x: number; y: number } {
  const matrix = svg?.getScreenCTM()?.inverse();
  if (!matrix) return { x: 0, y: 0 };
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  return { x, y };
}

/** Elements that use Space themselves. */
const SPACE_USERS = 'button, a, input, select, textarea, summary, dialog, [contenteditable]';

document.addEventListener('keydown', (event) => {
  if (event.code === 'Space' && event.target instanceof Element && !event.target.closest(SPACE_USERS)) {
    spaceHeld = true;
    event.preventDefault();
  }
});
document.addEventListener('keyup', (event) => {
  if (event.code === 'Space') spaceHeld = false;
});
// A window without focus receives no keyup.
addEventListener('blur', () => {
  spaceHeld = false;
});

/** Returns true if dragging pans the photo: with Space held, or with the middle button. */
export function isPan(event: PointerEvent): boolean {
  return spaceHeld || event.button === 1;
}

/** Calls `move` while a pressed pointer moves and `end` on release; stops if the browser takes over the pointer. */
export function followPointer(move: (event: PointerEvent) => void, end: (event: PointerEvent) => void): void {
  const controller = new AbortController();
  addEventListener('pointermove', move, controller);
  addEventListener('pointercancel', () => controller.abort(), controller);
  addEventListener(
    'pointerup',
    (event) => {
      controller.abort();
      end(event);
    },
    controller,
  );
}
