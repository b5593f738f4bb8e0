import { THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { readFileName } from '../../report/figures.ts';
import { showPhoto } from './actions/move.ts';
import { isTicked } from './decide.ts';
import { photoAddress } from './review-api.ts';
import { decisions, photo, photos, shownRows } from './store.ts';

/** Renders all photos by angle around the vehicle, each with its number of undecided findings. */
export function PhotoStrip() {
  return (
    <ul class="strip" aria-label="Photos">
      {photos.value.map(({ index, url, width, height }) => {
        const inPhoto = shownRows.value.filter((row) => row.photo === index);
        const open = inPhoto.filter(({ fate }) => fate === 'undecided').length;
        const ticked = isTicked(decisions.value, index);
        const words = [
          readFileName(url),
          open > 0 ? `${open} undecided` : inPhoto.length > 0 ? `${inPhoto.length} decided` : 'no findings',
          ...(ticked ? ['nothing more'] : []),
        ].join(', ');
        return (
          <li key={index}>
            <button
              type="button"
              aria-current={photo.value === index}
              aria-label={words}
              title={words}
              data-photo={index}
              onClick={() => showPhoto(index)}
            >
              <img
                src={photoAddress(index, THUMBNAIL_SIDE)}
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
