import type { VisualInspection } from '../../../contract/inspection.ts';
import type { ReviewAnswer } from '../../../contract/review-answers.ts';
import { readFileName } from '../../../report/figures.ts';
import { makeFileAddress } from '../api.ts';

/** Renders the photos that were inspected, as far as pictures of them are kept. */
export function Photos({
  inspection,
  review,
}: {
  readonly inspection: VisualInspection;
  readonly review: ReviewAnswer | null;
}) {
  return (
    <section aria-label="Photos">
      <h2>{inspection.images.length} photos</h2>
      <ul class="photos">
        {inspection.images.map(({ index, url, angle, annotated_url }) => {
          const kept = review?.photos.find((one) => one.index === index);
          const large = annotated_url ?? kept?.view_url ?? null;
          const small = kept?.thumbnail_url ?? annotated_url;
          const name = readFileName(url);
          const words = `${name}${angle === null ? '' : `, ${angle.replace('_', ' ')}`}`;
          return (
            <li key={index}>
              {small && large ? (
                <a href={makeFileAddress(large)} target="_blank" rel="noreferrer">
                  <img src={makeFileAddress(small)} alt={words} loading="lazy" />
                </a>
              ) : (
                <span class="gone">no longer kept</span>
              )}
              <span>{words}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Returns a message that names uploaded photos by their files, without the ids of the uploads. */
export function withNames(message: string): string {
  return message.replaceAll(/\bupload:upl_\w+\//g, '');
}

/** Renders the photos that were left out, and why. */
export function Rejected({
  inspection: { rejected_images: rejected },
}: {
  readonly inspection: VisualInspection;
}) {
  if (rejected.length === 0) return null;
  return (
    <section aria-label="Photos left out">
      <h2>Left out</h2>
      <ul class="reasons">
        {rejected.map(({ url, message }) => (
          <li key={url}>{withNames(message)}</li>
        ))}
      </ul>
    </section>
  );
}
