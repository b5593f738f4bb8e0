import { useState } from 'preact/hooks';
import type { Photo, VisualInspection } from '../../contract/inspection.ts';
import type { Review } from '../../contract/review-answers.ts';
import { readLastSegments } from '../../lib/names.ts';
import { callApi, can, makeFileUrl } from '../shared/api.ts';
import { EXPORTS } from '../shared/exports.ts';
import { Problem, Time, Title } from './components.tsx';
import { useAction, useLoaded } from './requests.ts';
import { navigate, path } from './router.ts';

/** Renders an inspection: a note while it runs, then its report or why it failed, and the photos left out. */
export function Inspection({ id }: { readonly id: string }) {
  const { value, problem } = useLoaded(
    () => callApi<VisualInspection>('GET', `/inspections/visual/${encodeURIComponent(id)}`),
    id,
    ({ status }) => status === 'processing',
  );
  if (value === null)
    return (
      <>
        <Title>Inspection</Title>
        <Problem>{problem}</Problem>
        {problem ? null : <p>Loading…</p>}
      </>
    );
  return (
    <>
      <Title>{value.vehicle_id}</Title>
      <p class="soft">
        Made <Time iso={value.created_at} /> · {id}
      </p>
      <Problem>{problem}</Problem>
      {value.failure ? (
        <Problem>{removeUploadIds(value.failure.message)}</Problem>
      ) : value.results ? (
        <Report inspection={value} />
      ) : (
        <p role="status">The photos are being analyzed; this takes some seconds.</p>
      )}
      <RejectedPhotos {...value} />
      {can('inspections:write') && value.status !== 'processing' ? <Remove id={id} /> : null}
    </>
  );
}

/** Renders the report as last reviewed in a frame, with the review and its files above and the photos below. */
function Report({ inspection }: { readonly inspection: VisualInspection }) {
  const { inspection_id: id, images } = inspection;
  const { value: review, problem } = useLoaded(
    () => callApi<Review>('GET', `/inspections/visual/${id}/review`),
    id,
  );
  const [isReportLoaded, setReportLoaded] = useState(false);
  const makeExportUrl = (format: string) => `../v1/inspections/visual/${id}/review/export?format=${format}`;
  return (
    <>
      <Problem>{problem}</Problem>
      <p class="actions">
        {can('inspections:write') && review !== null ? (
          <a class="button main" href={`#/inspections/${id}/review`}>
            {describeReview(review).next}
          </a>
        ) : null}
        {EXPORTS.map(({ name, label, words }) => (
          <a key={name} class="button" data-export={name} href={makeExportUrl(name)} title={words} download>
            {label}
          </a>
        ))}
        <span class="review-state">{review === null ? '' : describeReview(review).state}</span>
      </p>
      {isReportLoaded ? null : <p role="status">Loading…</p>}
      {/* No origin of its own: the report can reach neither this page nor the service. */}
      <iframe
        class="report"
        title="Report"
        sandbox="allow-scripts"
        src={`${makeExportUrl('html')}&redact=false`}
        onLoad={() => setReportLoaded(true)}
      />
      <section aria-label="Photos">
        <h2>Photos</h2>
        <ul class="photos">
          {images.map((photo) => (
            <PhotoLink key={photo.index} photo={photo} review={review} />
          ))}
        </ul>
      </section>
    </>
  );
}

function describeReview({ status, revision, reviewer }: Review) {
  const by = reviewer === '' ? '' : ` by ${reviewer}`;
  if (status === 'finished') return { state: `Reviewed${by}`, next: 'Review again' };
  if (revision > 0) return { state: `Review started${by}`, next: 'Continue the review' };
  return { state: 'Not reviewed', next: 'Review' };
}

/** Renders the thumbnail of a photo, linked to its stored picture: the annotated photo, or else the view for the review. */
function PhotoLink({ photo, review }: { readonly photo: Photo; readonly review: Review | null }) {
  const { index, url, angle, annotated_url: annotated } = photo;
  const stored = review?.photos.find((one) => one.index === index);
  const picture = annotated ?? stored?.view_url;
  const thumbnail = stored?.thumbnail_url ?? annotated;
  const words = `${readLastSegments(url, 1)}${angle === null ? '' : `, ${angle.replaceAll('_', ' ')}`}`;
  return (
    <li>
      {picture ? (
        <a href={makeFileUrl(picture)} target="_blank" rel="noopener">
          {thumbnail ? <img src={makeFileUrl(thumbnail)} alt="" loading="lazy" /> : null}
          {words}
        </a>
      ) : (
        `${words}${review === null ? '' : ': no longer kept'}`
      )}
    </li>
  );
}

/** Removes the ids of uploads from a message, which leaves the names of the files. */
const removeUploadIds = (message: string): string => message.replaceAll(/\bupload:upl_\w+\//g, '');

function RejectedPhotos({ rejected_images: rejected }: Pick<VisualInspection, 'rejected_images'>) {
  if (rejected.length === 0) return null;
  return (
    <section aria-label="Photos left out">
      <h2>Left out</h2>
      <ul class="reasons">
        {rejected.map(({ url, message }) => (
          <li key={url}>{removeUploadIds(message)}</li>
        ))}
      </ul>
    </section>
  );
}

function Remove({ id }: { readonly id: string }) {
  const work = useAction();
  const remove = async () => {
    await callApi('DELETE', `/inspections/visual/${id}`);
    // The user may have gone on meanwhile.
    if (path.value === `inspections/${id}`) navigate('');
  };
  return (
    <p class="actions end">
      <Problem>{work.problem}</Problem>
      <button
        type="button"
        disabled={work.isRunning}
        onClick={() =>
          confirm('Delete this inspection permanently, with its photos, report and review?') &&
          work.run(remove)
        }
      >
        Delete…
      </button>
    </p>
  );
}
