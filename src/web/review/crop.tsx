import type { Photo } from '../../contract/inspection.ts';
import type { DrawnBox } from '../../contract/review.ts';
import { closeUpRegion } from '../../domain/geometry.ts';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { readFileName } from '../../report/figures.ts';
import { showPhoto } from './actions.ts';
import { listCrops, makePhotoUrl, type PictureSide } from './review-api.ts';
import type { Row } from './rows.ts';
import { findPhoto, photoIndex } from './state.ts';

const CLOSE_UP_SIDE_PX = 640;

/** Renders a finding's close-up, cropped from the thumbnail of its photo. */
export function Crop({ row }: { readonly row: Row }) {
  const [best] = row.boxes;
  const shown = best && findPhoto(best.imageIndex);
  return (
    <span class="crop">
      {shown ? <CroppedPhoto photo={shown} box={best.box} side={THUMBNAIL_SIDE} /> : null}
    </span>
  );
}

/** Renders close-ups of a finding side by side, from the two photos with its best views. */
export function CloseUps({ row }: { readonly row: Row }) {
  return (
    <div class="loupe">
      {row.boxes.slice(0, 2).map(({ imageIndex, box }) => {
        const shown = findPhoto(imageIndex);
        return shown ? (
          <button
            key={imageIndex}
            type="button"
            aria-pressed={photoIndex.value === imageIndex}
            onClick={() => showPhoto(imageIndex, row.key)}
          >
            <CroppedPhoto photo={shown} box={box} side={REVIEW_SIDE} />
            <small>{readFileName(shown.url)}</small>
          </button>
        ) : null;
      })}
    </div>
  );
}

/** Renders a region of a photo around a box; the larger picture is sharpened and marked. */
function CroppedPhoto({ photo: shown, box, side }: { photo: Photo; box: DrawnBox; side: PictureSide }) {
  const isSharp = side === REVIEW_SIDE;
  const region = closeUpRegion(box, shown);
  const isLarge = Math.max(shown.width, shown.height) > REVIEW_SIDE;
  const crops = isSharp && isLarge ? listCrops(shown.index, region, CLOSE_UP_SIDE_PX) : [];
  return (
    <svg
      viewBox={`${region.x} ${region.y} ${region.width} ${region.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <image href={makePhotoUrl(shown.index, side)} width={shown.width} height={shown.height} />
      {crops.map((one) => (
        <image key={one.href} {...one} />
      ))}
      {isSharp ? <rect {...box} /> : null}
    </svg>
  );
}
