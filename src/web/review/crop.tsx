import type { Photo } from '../../contract/inspection.ts';
import type { DrawnBox } from '../../contract/review.ts';
import { closeUpRegion } from '../../domain/geometry.ts';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { readFileName } from '../../report/figures.ts';
import { showPhoto } from './actions/move.ts';
import { cutOuts, photoAddress } from './review-api.ts';
import type { Row } from './rows.ts';
import { findPhoto, photo } from './store.ts';

/** Long side of a close-up in pixels. */
const LOUPE_SIDE = 640;

/** Renders a finding's close-up, cropped from the thumbnail of its photo. */
export function Crop({ row }: { readonly row: Row }) {
  const [best] = row.boxes;
  const shown = best && findPhoto(best.image);
  return (
    <span class="crop">
      {shown ? <Place photo={shown} box={best.box} href={photoAddress(shown.index, THUMBNAIL_SIDE)} /> : null}
    </span>
  );
}

/** Renders close-ups of a finding side by side, from the two photos with its best views. */
export function Loupe({ row }: { readonly row: Row }) {
  const views = row.boxes.slice(0, 2).flatMap(({ image, box }) => {
    const shown = findPhoto(image);
    return shown ? [{ shown, box }] : [];
  });
  return (
    <div class="loupe">
      {views.map(({ shown, box }) => (
        <button
          key={shown.index}
          type="button"
          aria-pressed={photo.value === shown.index}
          onClick={() => showPhoto(shown.index, row.key)}
        >
          <Place photo={shown} box={box} href={photoAddress(shown.index, REVIEW_SIDE)} sharp />
          <small>{readFileName(shown.url)}</small>
        </button>
      ))}
    </div>
  );
}

function Place({
  photo: shown,
  box,
  href,
  sharp = false,
}: {
  readonly photo: Photo;
  readonly box: DrawnBox;
  readonly href: string;
  readonly sharp?: boolean;
}) {
  const region = closeUpRegion(box, shown);
  const isLarge = Math.max(shown.width, shown.height) > REVIEW_SIDE;
  const cuts = sharp && isLarge ? cutOuts(shown.index, region, LOUPE_SIDE) : [];
  return (
    <svg
      viewBox={`${region.x} ${region.y} ${region.width} ${region.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <image href={href} width={shown.width} height={shown.height} />
      {cuts.map((one) => (
        <image key={one.href} {...one} />
      ))}
      {sharp ? <rect {...box} /> : null}
    </svg>
  );
}
