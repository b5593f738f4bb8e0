import { signal } from '@preact/signals';
import { fitWholeView, type Viewport, zoom } from './viewport.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What of the photo is on the stage; the stage says its own size when it is drawn. */
export const view = signal<Viewport>({ x: 0, y: 0, width: 1, height: 1 });
export const stageSize = signal<Size>({ width: 1, height: 1 });
export const photoSize = signal<Size>({ width: 1, height: 1 });

/** Looking closer and farther. */
export const stage = {
  showAll(): void {
    view.value = fitWholeView(photoSize.value, stageSize.value);
  },
  zoomBy(factor: number, at?: { readonly x: number; readonly y: number }): void {
    const { x, y, width, height } = view.value;
    view.value = zoom(view.value, factor, at ?? { x: x + width / 2, y: y + height / 2 }, photoSize.value);
  },
};
