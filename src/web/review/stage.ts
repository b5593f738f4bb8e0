import { computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Photo } from '../../contract/inspection.ts';
import type { DrawnBox } from '../../contract/review.ts';
import type { Size } from '../../domain/geometry.ts';
import { REVIEW_SIDE } from '../../domain/photo.ts';
import { makePhotoUrl } from './review-api.ts';
import { current, currentBox, findPhoto, photoIndex, photos } from './state.ts';
import type { Point, Viewport } from './viewport.ts';
import { centerOn, fitWholeView, makeBoxBetween, resizeViewport, showBox, zoom } from './viewport.ts';

export const viewport = signal<Viewport>({ x: 0, y: 0, width: 1, height: 1 });
/** Size of the stage in pixels of the screen, measured once it is rendered. */
export const stageSize = signal<Size>({ width: 1, height: 1 });
const photoSize = computed<Size>(() => findPhoto(photoIndex.value) ?? { width: 1, height: 1 });

export const stage = {
  showAll(): void {
    viewport.value = fitWholeView(photoSize.value, stageSize.value);
  },
  zoomToBox(box: DrawnBox): void {
    const whole = fitWholeView(photoSize.value, stageSize.value);
    const factor = Math.min(whole.width / (box.width * 2), whole.height / (box.height * 2));
    viewport.value = centerOn(box, factor, whole, photoSize.value);
  },
  zoomBy(factor: number, at?: Point): void {
    const { x, y, width, height } = viewport.value;
    const center = { x: x + width / 2, y: y + height / 2 };
    viewport.value = zoom(viewport.value, factor, at ?? center, photoSize.value);
  },
};

const CROP_DELAY_MS = 200;
/** Photos kept decoded, by position relative to the visible one; four take 50 MB. */
const PREFETCH_OFFSETS = [0, 1, -1, 2];

/** Visible region, if it is magnified beyond the resolution of the photo's picture. */
export const magnifiedRegion = signal<{ readonly index: number; readonly box: DrawnBox } | null>(null);

/**
 * Fits the viewport to another photo, moves it to the selected finding, and keeps its center and magnification when the
 * stage is resized; prefetches the neighbors' pictures.
 */
export function useStage(ref: { readonly current: SVGSVGElement | null }, shown: Photo | undefined): void {
  const index = shown?.index;
  // Pictures of the photo and its neighbors, referenced so that they stay decoded.
  const prefetched = useRef<readonly HTMLImageElement[]>([]);
  useEffect(() => {
    const svg = ref.current;
    if (!svg) return;
    const measure = () => {
      const { width, height } = svg.getBoundingClientRect();
      const before = stageSize.value;
      if (width * height === 0 || (width === before.width && height === before.height)) return;
      stageSize.value = { width, height };
      viewport.value = resizeViewport(viewport.value, photoSize.value, before, stageSize.value);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(svg);
    measure();
    return () => observer.disconnect();
  }, [index === undefined]);
  useEffect(() => {
    if (!shown) return;
    viewport.value = fitWholeView(shown, stageSize.value);
    const at = photos.value.findIndex((one) => one.index === shown.index);
    const neighbors = PREFETCH_OFFSETS.flatMap((by) => photos.value[at + by] ?? []);
    const addresses = neighbors.map((one) => makePhotoUrl(one.index, REVIEW_SIDE));
    prefetched.current = addresses.map((src) => Object.assign(new Image(), { src }));
    // An error is reported when the picture is displayed.
    for (const image of prefetched.current) image.decode().catch(() => undefined);
  }, [index]);
  const box = currentBox.value;
  const boxKey = box && `${index}:${box.x},${box.y},${box.width},${box.height}`;
  useEffect(() => {
    if (box && shown) viewport.value = showBox(viewport.value, box, shown, stageSize.value);
  }, [current.value?.key, boxKey]);
  const visible = viewport.value;
  useEffect(() => {
    if (!shown) return;
    // The full resolution only helps if a pixel of the picture covers more than one screen pixel.
    const scale = stageSize.value.width / visible.width;
    const pictureScale = REVIEW_SIDE / Math.max(shown.width, shown.height);
    if (pictureScale >= 1 || scale * devicePixelRatio <= pictureScale * 1.1) {
      magnifiedRegion.value = null;
      return;
    }
    const timer = setTimeout(() => {
      const corner = { x: visible.x + visible.width, y: visible.y + visible.height };
      magnifiedRegion.value = { index: shown.index, box: makeBoxBetween(visible, corner, shown) };
    }, CROP_DELAY_MS);
    return () => clearTimeout(timer);
  }, [index, visible]);
}
