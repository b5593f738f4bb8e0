import type { Damage, Photo, ToCheck, VisualInspection } from '../../../contract/inspection.ts';
import type { ReviewAnswer } from '../../../contract/review-answers.ts';
import { isPlaceToCheckId } from '../../../domain/damage.ts';
import { readFileName } from '../../../report/figures.ts';
import { describeDamage, describeFindingPart } from '../../../report/words.ts';
import { Marks } from '../../shared/marks.tsx';
import { makeFileUrl } from '../api.ts';
import { path } from '../router.ts';

/** A certain finding or one to check. */
export type Finding = Damage | ToCheck;

const STAGE_ID = 'look';
const makeRowId = (number: number) => `finding-${number}`;

/** Returns the number of the finding in the URL; null if there is none. */
export function readSelectedNumber(): number | null {
  const selected = new URLSearchParams(path.value.split('?')[1]).get('finding');
  return selected === null ? null : Number(selected);
}

/** Renders the number of a finding in its row as a link to its box in the photo. */
export function FindingLink({
  id,
  finding: { number, type, subtype },
}: {
  readonly id: string;
  readonly finding: Finding;
}) {
  return (
    <a
      id={makeRowId(number)}
      href={`#/inspections/${id}?finding=${number}`}
      aria-label={`No. ${number}, ${describeDamage(type, subtype)}: show it in the photo`}
      aria-current={readSelectedNumber() === number}
      onClick={() => document.getElementById(STAGE_ID)?.scrollIntoView({ block: 'nearest' })}
    >
      {number}
    </a>
  );
}

interface PhotoViewerProps {
  readonly inspection: VisualInspection;
  readonly findings: readonly Finding[];
  /** The stored pictures; null until loaded. */
  readonly review: ReviewAnswer | null;
}

/**
 * Renders a photo with the boxes of its findings, above the thumbnails. The photo is the one in the URL, or of the
 * selected finding, or of the first finding.
 */
export function PhotoViewer({ inspection, findings, review }: PhotoViewerProps) {
  const selected = readSelectedNumber();
  const photoParam = new URLSearchParams(path.value.split('?')[1]).get('photo');
  const subject = findings.find(({ number }) => number === selected) ?? findings[0];
  const wantedIndex = photoParam === null ? subject?.evidence[0]?.image_index : Number(photoParam);
  const photo = inspection.images.find(({ index }) => index === wantedIndex) ?? inspection.images[0];
  if (!photo) return null;
  return (
    <section class="look" id={STAGE_ID} aria-label="Photos">
      <PhotoWithBoxes inspection={inspection} findings={findings} review={review} photo={photo} />
      <ul class="photos">
        {inspection.images.map((one) => (
          <Thumbnail
            key={one.index}
            {...{ inspection, findings, review, photo: one }}
            isCurrent={one === photo}
          />
        ))}
      </ul>
    </section>
  );
}

const listBoxes = (findings: readonly Finding[], { index }: Photo) =>
  findings.flatMap((finding) =>
    finding.evidence
      .filter(({ image_index }) => image_index === index)
      .map(({ coordinates: { x, y, width, height } }) => ({ finding, box: { x, y, width, height } })),
  );

const findStoredPhoto = (review: ReviewAnswer | null, { index }: Photo) =>
  review?.photos.find((one) => one.index === index);

/** Height of a box number, as a fraction of the photo's width. */
const TAG_SHARE = 1 / 34;

function PhotoWithBoxes({
  inspection,
  findings,
  review,
  photo,
}: PhotoViewerProps & { readonly photo: Photo }) {
  const { width, height, annotated_url } = photo;
  const viewUrl = findStoredPhoto(review, photo)?.view_url ?? null;
  const selected = readSelectedNumber();
  // The annotated photo includes the boxes and is kept longer than the view.
  if (review !== null && viewUrl === null && annotated_url !== null)
    return <img class="stage" src={makeFileUrl(annotated_url)} alt={describePhoto(photo)} />;
  const marks = listBoxes(findings, photo).map(({ finding, box }) => ({
    key: `${finding.number} ${box.x}`,
    number: finding.number,
    box,
    classes: `${finding.severity}${isPlaceToCheckId(finding.damage_id) ? ' check' : ''}${finding.number === selected ? ' current' : ''}`,
    words: `No. ${finding.number}: ${describeDamage(finding.type, finding.subtype)}, ${describeFindingPart(finding.location)}; its row`,
  }));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-label={describePhoto(photo)}>
      <rect class="paper" width={width} height={height} />
      {viewUrl === null ? null : <image href={makeFileUrl(viewUrl)} width={width} height={height} />}
      <Marks
        marks={marks}
        tagHeight={width * TAG_SHARE}
        wrap={({ key, number, classes, words }, outline) => (
          <a
            key={key}
            class={`box ${classes}`}
            data-box={number}
            href={`#/inspections/${inspection.inspection_id}?finding=${number}`}
            aria-label={words}
            onClick={() => document.getElementById(makeRowId(number))?.focus()}
          >
            {outline}
          </a>
        )}
      />
    </svg>
  );
}

function describePhoto({ url, angle }: Photo): string {
  return `${readFileName(url)}${angle === null ? '' : `, ${angle.replaceAll('_', ' ')}`}`;
}

function Thumbnail({
  inspection: { inspection_id: id },
  findings,
  review,
  photo,
  isCurrent,
}: PhotoViewerProps & { readonly photo: Photo; readonly isCurrent: boolean }) {
  const thumbnailUrl = findStoredPhoto(review, photo)?.thumbnail_url ?? photo.annotated_url;
  const count = new Set(listBoxes(findings, photo).map(({ finding }) => finding.number)).size;
  return (
    <li>
      <a href={`#/inspections/${id}?photo=${photo.index}`} aria-current={isCurrent}>
        {thumbnailUrl ? (
          <img src={makeFileUrl(thumbnailUrl)} alt="" loading="lazy" />
        ) : (
          <span class="gone">no longer kept</span>
        )}
        <span>
          {describePhoto(photo)}
          {count === 0 ? '' : `: ${count}`}
        </span>
      </a>
    </li>
  );
}
