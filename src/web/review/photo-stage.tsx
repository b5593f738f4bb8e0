import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Photo } from '../../contract/inspection.ts';
import { CommandButton } from '../shared/controls.tsx';
import { BoxEditor } from './box-editor.tsx';
import { BoxLayer } from './box-layer.tsx';
import { isTicked } from './decide.ts';
import { door } from './door.ts';
import { isPan, pointIn } from './pointer.ts';
import { current, decisions, inspection, mode, photo, photos } from './store.ts';
import { photoSize, stage, stageSize, view } from './view.ts';
import { boxBetween, showBox, wholeView } from './viewport.ts';

/** Long side of the picture that is shown before a cut-out in original pixels is asked for. */
const VIEW_SIDE = 2048;
const CUT_SIDE = 1600;
const CUT_DELAY_MS = 200;

const missing = signal<{ readonly index: number; readonly why: string } | null>(null);
const cut = signal<{ readonly index: number; readonly box: ReturnType<typeof boxBetween> } | null>(null);

/** The photo in view with its boxes; wheel and keys look closer, Space and dragging moves. */
export function PhotoStage() {
  const ref = useRef<SVGSVGElement>(null);
  const shown = inspection.value?.data.images.find(({ index }) => index === photo.value);
  useStage(ref, shown);
  if (!shown) return <div class="stage">There is no photo.</div>;
  const { x, y, width, height } = view.value;
  const why = missing.value?.index === shown.index ? missing.value.why : null;
  return (
    <div class="stage">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset */}
      <svg
        ref={ref}
        viewBox={`${x} ${y} ${width} ${height}`}
        role="group"
        aria-label={`Photo ${shown.url}`}
        data-shown={shown.index}
        data-mode={mode.value.kind}
        onWheel={(event) => {
          event.preventDefault();
          stage.zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2, pointIn(ref.current, event));
        }}
        onPointerDown={(event) => startPan(event, ref.current)}
      >
        <rect class="paper" width={shown.width} height={shown.height} />
        <image
          key={shown.index}
          href={door().photoAddress(shown.index, 2048)}
          width={shown.width}
          height={shown.height}
          onError={() =>
            void door()
              .whyMissing(shown.index)
              .then((text) => {
                missing.value = { index: shown.index, why: text };
              })
          }
        />
        <Cut index={shown.index} />
        {mode.value.kind === 'draw' ? <BoxEditor photo={shown} svg={ref} /> : <BoxLayer photo={shown} />}
      </svg>
      {why ? <p class="missing">The photo is not shown: {why}</p> : null}
      <div class="tools">
        <CommandButton command="previousPhoto">Previous</CommandButton>
        <CommandButton command="nextPhoto">Next</CommandButton>
        <CommandButton command="zoomIn">In</CommandButton>
        <CommandButton command="zoomOut">Out</CommandButton>
        <CommandButton command="fit">Whole</CommandButton>
        <CommandButton command="draw" pressed={mode.value.kind === 'draw' && mode.value.key === null}>
          Draw
        </CommandButton>
        <CommandButton command="nothingMore" pressed={isTicked(decisions.value, shown.index)}>
          Nothing more here
        </CommandButton>
      </div>
    </div>
  );
}

/** The region in view in the photo's own pixels, where that is sharper. */
function Cut({ index }: { readonly index: number }) {
  const region = cut.value?.index === index ? cut.value.box : null;
  if (!region) return null;
  return (
    <>
      {door()
        .cutOuts(index, region, CUT_SIDE)
        .map((one) => (
          <image key={one.href} class="cut" {...one} />
        ))}
    </>
  );
}

/** Keeps the view in step with the photo, the finding in hand and the size of the stage, and fetches neighbours ahead. */
function useStage(ref: { readonly current: SVGSVGElement | null }, shown: Photo | undefined): void {
  const index = shown?.index;
  useEffect(() => {
    const svg = ref.current;
    if (!svg) return;
    const measure = () => {
      const { width, height } = svg.getBoundingClientRect();
      stageSize.value = { width, height };
      stage.showAll();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(svg);
    measure();
    return () => observer.disconnect();
  }, [index === undefined]);
  useEffect(() => {
    if (!shown) return;
    photoSize.value = shown;
    view.value = wholeView(shown, stageSize.value);
    const at = photos.value.findIndex((one) => one.index === shown.index);
    for (const next of [photos.value[at + 1], photos.value[at + 2], photos.value[at - 1]])
      if (next) new Image().src = door().photoAddress(next.index, VIEW_SIDE);
  }, [index]);
  const box = current.value?.boxes.find(({ image }) => image === index)?.box;
  const place = box && `${index}:${box.x},${box.y},${box.width},${box.height}`;
  useEffect(() => {
    if (box && shown) view.value = showBox(view.value, box, shown, stageSize.value);
  }, [current.value?.key, place]);
  const seen = view.value;
  useEffect(() => {
    if (!shown) return;
    // Sharper than the view only where its pixels are spread over more pixels of the screen.
    const scale = stageSize.value.width / seen.width;
    const viewScale = VIEW_SIDE / Math.max(shown.width, shown.height);
    if (viewScale >= 1 || scale * devicePixelRatio <= viewScale * 1.1) {
      cut.value = null;
      return;
    }
    const timer = setTimeout(() => {
      const corner = { x: seen.x + seen.width, y: seen.y + seen.height };
      cut.value = { index: shown.index, box: boxBetween(seen, corner, shown) };
    }, CUT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [index, seen]);
}

function startPan(event: PointerEvent, svg: SVGSVGElement | null): void {
  const idle = mode.value.kind !== 'draw' && event.button === 0;
  if (!svg || !(isPan(event) || idle)) return;
  if (event.target instanceof Element && event.target.closest('.box') && !isPan(event)) return;
  event.preventDefault();
  const scale = view.value.width / stageSize.value.width;
  const from = { ...view.value };
  const move = (moved: PointerEvent) => {
    view.value = {
      ...from,
      x: from.x - (moved.clientX - event.clientX) * scale,
      y: from.y - (moved.clientY - event.clientY) * scale,
    };
  };
  const end = () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', end);
}
