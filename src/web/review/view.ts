import { signal } from '@preact/signals';
import type { DrawnBox } from '../../contract/review.ts';
import type { Size } from '../../domain/geometry.ts';
import { centreOn, fitWholeView, type Viewport, zoom } from './viewport.ts';

/** What of the photo is on the stage; the stage says its own size when it is drawn. */
export const view = signal<Viewport>({ x: 0, y: 0, width: 1, height: 1 });
export const stageSize = signal<Size>({ width: 1, height: 1 });
export const photoSize = signal<Size>({ width: 1, height: 1 });

/** Looking closer and farther. */
export const stage = {
  showAll(): void {
    view.value = fitWholeView(photoSize.value, stageSize.value);
  },
  /** Shows a box as large as its surroundings allow. */
  showClose(box: DrawnBox): void {
    const whole = fitWholeView(photoSize.value, stageSize.value);
    const factor = Math.min(whole.width / (box.width * 2), whole.height / (box.height * 2));
    view.value = centreOn(box, factor, whole, photoSize.value);
  },
  zoomBy(factor: number, at?: { readonly x: number; readonly y: number }): void {
    const { x, y, width, height } = view.value;
    view.value = zoom(view.value, factor, at ?? { x: x + width / 2, y: y + height / 2 }, photoSize.value);
  },
};
