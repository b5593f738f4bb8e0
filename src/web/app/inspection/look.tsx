import type { Damage, Photo, ToCheck, VisualInspection } from '../../../contract/inspection.ts';
import type { ReviewAnswer } from '../../../contract/review-answers.ts';
import { isPlaceToCheckId } from '../../../domain/damage.ts';
import { readFileName } from '../../../report/figures.ts';
import { describeDamage, describeFindingPart } from '../../../report/words.ts';
import { Marks } from '../../shared/marks.tsx';
import { makeFileAddress } from '../api.ts';
import { path } from '../router.ts';

/** A certain finding or one to check. */
export type Finding = Damage | ToCheck;

const STAGE = 'look';
const nameRow = (number: number) => `finding-${number}`;

/** Returns the number of the finding in the URL; null if there is none. */
export function readChosenFinding(): number | null {
  const chosen = new URLSearchParams(path.value.split('?')[1]).get('finding');
  return chosen === null ? null : Number(chosen);
}

/** Renders the number of a finding in its row as a link to its box in the photo. */
export function PlaceLink({
  id,
  finding: { number, type, subtype },
}: {
  readonly id: string;
  readonly finding: Finding;
}) {
  return (
    <a
      id={nameRow(number)}
      href={`#/inspections/${id}?finding=${number}`}
      aria-label={`No. ${number}, ${describeDamage(type, subtype)}: show it in the photo`}
      aria-current={readChosenFinding() === number}
      onClick={() => document.getElementById(STAGE)?.scrollIntoView({ block: 'nearest' })}
    >
      {number}
    </a>
  );
}

interface LookProps {
  readonly inspection: VisualInspection;
  readonly findings: readonly Finding[];
  /** The stored pictures; null until loaded. */
  readonly review: ReviewAnswer | null;
}

/**
 * Renders a photo with the boxes of its findings, above the thumbnails. The photo is the one in the URL, or of the
 * selected finding, or of the first finding.
 */
export function Look({ inspection, findings, review }: LookProps) {
  const chosen = readChosenFinding();
  const photoParam = new URLSearchParams(path.value.split('?')[1]).get('photo');
  const subject = findings.find(({ number }) => number === chosen) ?? findings[0];
  const wantedIndex = photoParam === null ? subject?.evidence[0]?.image_index : Number(photoParam);
  const photo = inspection.images.find(({ index }) => index === wantedIndex) ?? inspection.images[0];
  if (!photo) return null;
  return (
    <section class="look" id={STAGE} aria-label="Photos">
      <PhotoWithBoxes inspection={inspection} findings={findings} review={review} photo={photo} />
      <ul class="photos">
        {inspection.images.map((one) => (
          <Thumbnail
            key={one.index}
            {...{ inspection, findings, review, photo: one }}
            current={one === photo}
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

const findPicture = (review: ReviewAnswer | null, { index }: Photo) =>
  review?.photos.find((one) => one.index === index);

/** Height of a box number, as a fraction of the photo's width. */
const TAG_SHARE = 1 / 34;

function PhotoWithBoxes({ inspection, findings, review, photo }: LookProps & { readonly photo: Photo }) {
  const { width, height, annotated_url } = photo;
  const view = findPicture(review, photo)?.view_url ?? null;
  const chosen = readChosenFinding();
  // The annotated photo includes the boxes and is kept longer than the view.
  if (review !== null && view === null && annotated_url !== null)
    return <img class="stage" src={makeFileAddress(annotated_url)} alt={describePhoto(photo)} />;
  const marks = listBoxes(findings, photo).map(({ finding, box }) => ({
    key: `${finding.number} ${box.x}`,
    number: finding.number,
    box,
    look: `${finding.severity}${isPlaceToCheckId(finding.damage_id) ? ' check' : ''}${finding.number === chosen ? ' current' : ''}`,
    words: `No. ${finding.number}: ${describeDamage(finding.type, finding.subtype)}, ${describeFindingPart(finding.location)}; its row`,
  }));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-label={describePhoto(photo)}>
      <rect class="paper" width={width} height={height} />
      {view === null ? null : <image href={makeFileAddress(view)} width={width} height={height} />}
      <Marks
        marks={marks}
        tag={width * TAG_SHARE}
        wrap={({ key, number, look, words }, outline) => (
          <a
            key={key}
            class={`box ${look}`}
            data-box={number}
            href={`#/inspections/${inspection.inspection_id}?finding=${number}`}
            aria-label={words}
            onClick={() => document.getElementById(nameRow(number))?.focus()}
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
  current,
}: LookProps & { readonly photo: Photo; readonly current: boolean }) {
  const small = findPicture(review, photo)?.thumbnail_url ?? photo.annotated_url;
  const count = new Set(listBoxes(findings, photo).map(({ finding }) => finding.number)).size;
  return (
    <li>
      <a href={`#/inspections/${id}?photo=${photo.index}`} aria-current={current}>
        {small ? (
          <img src={makeFileAddress(small)} alt="" loading="lazy" />
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
