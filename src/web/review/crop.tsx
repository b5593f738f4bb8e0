import { closeUpRegion } from '../../domain/geometry.ts';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { showPhoto } from './actions.ts';
import { listCrops, makePhotoUrl, type PictureSide } from './review-api.ts';
import type { Row } from './rows.ts';
import { findPhoto, namePhotoAt, photoIndex } from './state.ts';

const CLOSE_UP_SIDE_PX = 640;

/** Renders a finding's close-up, cropped from the thumbnail of its photo. */
export function Crop({ row }: { readonly row: Row }) {
  const [best] = row.boxes;
  return <span class="crop">{best ? <CroppedPhoto {...best} side={THUMBNAIL_SIDE} /> : null}</span>;
}

/** Renders close-ups of a finding side by side, from the two photos with its best views. */
export const CloseUps = ({ row }: { readonly row: Row }) => (
  <div class="loupe">
    {row.boxes.slice(0, 2).map(({ imageIndex, box }) => (
      <button
        key={imageIndex}
        type="button"
        aria-pressed={photoIndex.value === imageIndex}
        onClick={() => showPhoto(imageIndex, row.key)}
      >
        <CroppedPhoto imageIndex={imageIndex} box={box} side={REVIEW_SIDE} />
        <small>{namePhotoAt(imageIndex)}</small>
      </button>
    ))}
  </div>
);

/** Renders a region of a photo around a box; from the larger picture at full resolution, with the box marked. */
function CroppedPhoto({ imageIndex, box, side }: Row['boxes'][number] & { readonly side: PictureSide }) {
  const shown = findPhoto(imageIndex);
  if (!shown) return null;
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
