import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { CommandButton } from '../shared/controls.tsx';
import { selectNeighbour } from './actions/move.ts';
import { BoxEditor } from './box-editor.tsx';
import { BoxLayer } from './box-layer.tsx';
import { isTicked } from './decide.ts';
import { followPointer, isPan, locatePointer } from './pointer.ts';
import { cutOuts, explainMissing, photoAddress } from './review-api.ts';
import { cut, stage, stageSize, useStage, view } from './stage.ts';
import { decisions, findPhoto, mode, photo } from './store.ts';

const CUT_SIDE = 1600;
/** A swipe of this length (pixels) within this time selects the next finding; a slower one pans the photo. */
const SWIPE_LEAST = 60;
const SWIPE_MS = 400;

const missing = signal<{ readonly index: number; readonly why: string } | null>(null);

/** Renders the visible photo with its boxes; wheel and keys zoom, dragging pans. */
export function PhotoStage() {
  const ref = useRef<SVGSVGElement>(null);
  const shown = findPhoto(photo.value);
  useStage(ref, shown);
  if (!shown) return <div class="stage">There is no photo.</div>;
  const { x, y, width, height } = view.value;
  const reason = missing.value?.index === shown.index ? missing.value.why : null;
  return (
    <div class="stage">
      {/* biome-ignore lint/a11y/useSemanticElements: an SVG cannot be a fieldset */}
      <svg
        ref={ref}
        viewBox={`${x} ${y} ${width} ${height}`}
        role="group"
        aria-label={`Photo ${shown.url}`}
        data-shown={shown.index}
        data-mode={mode.value.kind}
        onWheel={(event) => {
          event.preventDefault();
          stage.zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2, locatePointer(ref.current, event));
        }}
        onPointerDown={(event) => startPan(event, ref.current)}
      >
        <rect class="paper" width={shown.width} height={shown.height} />
        {/* Thumbnail, displayed until the sharp picture has loaded. */}
        <image
          key={`small ${shown.index}`}
          href={photoAddress(shown.index, THUMBNAIL_SIDE)}
          width={shown.width}
          height={shown.height}
        />
        <image
          key={shown.index}
          class="whole"
          href={photoAddress(shown.index, REVIEW_SIDE)}
          width={shown.width}
          height={shown.height}
          onError={() =>
            void explainMissing(shown.index).then((text) => {
              missing.value = { index: shown.index, why: text };
            })
          }
        />
        <Cut index={shown.index} />
        <BoxLayer photo={shown} />
        {mode.value.kind === 'draw' ? <BoxEditor photo={shown} svg={ref} /> : null}
      </svg>
      {reason ? <p class="missing">The photo is not shown: {reason}</p> : null}
      <div class="tools">
        <CommandButton command="previousPhoto">Previous</CommandButton>
        <CommandButton command="nextPhoto">Next</CommandButton>
        <CommandButton command="zoomIn">In</CommandButton>
        <CommandButton command="zoomOut">Out</CommandButton>
        <CommandButton command="fit">Whole</CommandButton>
        <CommandButton command="zoomToFinding">Close</CommandButton>
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

/** Renders the visible region at full resolution, if that is sharper. */
function Cut({ index }: { readonly index: number }) {
  const region = cut.value?.index === index ? cut.value.box : null;
  if (!region) return null;
  return (
    <>
      {cutOuts(index, region, CUT_SIDE).map((one) => (
        <image key={one.href} class="cut" {...one} />
      ))}
    </>
  );
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
  followPointer(move, (ended) => {
    const [dx, dy] = [ended.clientX - event.clientX, ended.clientY - event.clientY];
    const isSwipe = Math.abs(dx) > SWIPE_LEAST && Math.abs(dx) > 2 * Math.abs(dy);
    if (event.pointerType !== 'touch' || !isSwipe || ended.timeStamp - event.timeStamp > SWIPE_MS) return;
    view.value = from;
    selectNeighbour(dx < 0 ? 1 : -1);
  });
}
