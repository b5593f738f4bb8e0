import { useEffect, useRef } from 'preact/hooks';
import { THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { DRAGGED_PHOTO, showPhoto } from './actions.ts';
import { isMarkedComplete } from './decisions.ts';
import { makePhotoUrl } from './review-api.ts';
import { stageSize } from './stage.ts';
import { decisions, findVehicleOf, namePhotoAt, photoIndex, photos, shownRows, vehicles } from './state.ts';

/** Renders all photos by angle around the vehicle, each with its number of undecided findings. */
export function PhotoStrip() {
  const ref = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const strip = ref.current;
    const current = strip?.querySelector<HTMLElement>('[aria-current=true]');
    // scrollIntoView would also move a narrow page.
    if (strip && current)
      strip.scrollLeft = current.offsetLeft + (current.offsetWidth - strip.clientWidth) / 2;
  }, [photoIndex.value, stageSize.value.width]);
  return (
    <ul ref={ref} class="strip" aria-label="Photos">
      {photos.value.map(({ index, width, height }) => {
        const inPhoto = shownRows.value.filter((row) => row.photoIndex === index);
        const open = inPhoto.filter(({ outcome }) => outcome === 'undecided').length;
        const ticked = isMarkedComplete(decisions.value, index);
        const words = [
          namePhotoAt(index),
          open > 0 ? `${open} undecided` : inPhoto.length > 0 ? `${inPhoto.length} decided` : 'no findings',
          ...(ticked ? ['nothing more'] : []),
          ...(vehicles.value.length > 1 ? [`vehicle ${findVehicleOf(index) + 1}`] : []),
        ].join(', ');
        return (
          <li key={index}>
            <button
              type="button"
              aria-current={photoIndex.value === index}
              aria-label={words}
              title={words}
              data-photo={index}
              draggable
              onDragStart={(event) => event.dataTransfer?.setData(DRAGGED_PHOTO, String(index))}
              onClick={() => showPhoto(index)}
            >
              <img
                draggable={false}
                src={makePhotoUrl(index, THUMBNAIL_SIDE)}
                width={Math.round((72 * width) / height)}
                height={72}
                alt=""
              />
              {open > 0 ? <span class="open">{open}</span> : null}
              {ticked ? <span class="tick">✓</span> : null}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
