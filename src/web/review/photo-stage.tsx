import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { BoxEditor } from './box-editor.tsx';
import { BoxLayer } from './box-layer.tsx';
import { CommandButton } from './controls.tsx';
import { isMarkedComplete } from './decisions.ts';
import { followPointer, isPan, locatePointer } from './pointer.ts';
import { explainMissing, listCrops, makePhotoUrl } from './review-api.ts';
import { magnifiedRegion, stage, stageSize, useStage, viewport } from './stage.ts';
import { decisions, findPhoto, mode, namePhotoAt, photoIndex } from './state.ts';

const CROP_SIDE_PX = 1600;

/** Renders the visible photo with its boxes; wheel and keys zoom, dragging pans. */
export function PhotoStage() {
  const ref = useRef<SVGSVGElement>(null);
  const missing = useSignal<{ readonly index: number; readonly why: string } | null>(null);
  const shown = findPhoto(photoIndex.value);
  useStage(ref, shown);
  if (!shown) return <div class="stage">There is no photo.</div>;
  const { x, y, width, height } = viewport.value;
  const region = magnifiedRegion.value;
  const crops = region?.index === shown.index ? listCrops(shown.index, region.box, CROP_SIDE_PX) : [];
  const whole = { width: shown.width, height: shown.height };
  const reason = missing.value?.index === shown.index ? missing.value.why : null;
  return (
    <div class="stage">
      {/* biome-ignore lint/a11y/useSemanticElements: an SVG cannot be a fieldset */}
      <svg
        ref={ref}
        viewBox={`${x} ${y} ${width} ${height}`}
        role="group"
        aria-label={`Photo ${namePhotoAt(shown.index)}`}
        data-shown={shown.index}
        data-mode={mode.value.kind}
        onWheel={(event) => {
          event.preventDefault();
          stage.zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2, locatePointer(ref.current, event));
        }}
        onPointerDown={(event) => startPan(event, ref.current)}
      >
        <rect class="paper" {...whole} />
        {/* Thumbnail, displayed until the sharp picture has loaded. */}
        <image key={`small ${shown.index}`} href={makePhotoUrl(shown.index, THUMBNAIL_SIDE)} {...whole} />
        <image
          key={shown.index}
          class="whole"
          href={makePhotoUrl(shown.index, REVIEW_SIDE)}
          {...whole}
          // The events of a picture that was shown before come when it is no longer on the page.
          onLoad={({ currentTarget }) => {
            if (currentTarget.isConnected) missing.value = null;
          }}
          onError={({ currentTarget }) =>
            void explainMissing(shown.index).then((why) => {
              if (currentTarget.isConnected) missing.value = { index: shown.index, why };
            })
          }
        />
        {/* The visible region at full resolution, if that is sharper. */}
        {crops.map((crop) => (
          <image key={crop.href} {...crop} />
        ))}
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
        <CommandButton command="draw" isPressed={mode.value.kind === 'draw' && mode.value.key === null}>
          Draw
        </CommandButton>
        <CommandButton command="vehicle">Vehicle</CommandButton>
        <CommandButton command="nothingMore" isPressed={isMarkedComplete(decisions.value, shown.index)}>
          Nothing more here
        </CommandButton>
      </div>
    </div>
  );
}

function startPan(event: PointerEvent, svg: SVGSVGElement | null): void {
  const isDrag = mode.value.kind !== 'draw' && event.button === 0;
  if (!svg || !(isPan(event) || isDrag)) return;
  if (event.target instanceof Element && event.target.closest('.box') && !isPan(event)) return;
  event.preventDefault();
  // In steps, because a key or the wheel may move the view meanwhile.
  let last: MouseEvent = event;
  followPointer((moved) => {
    const { x, y, ...size } = viewport.value;
    const scale = size.width / stageSize.value.width;
    const [right, down] = [moved.clientX - last.clientX, moved.clientY - last.clientY];
    viewport.value = { ...size, x: x - right * scale, y: y - down * scale };
    last = moved;
  });
}
