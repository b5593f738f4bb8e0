import type { VisualInspection } from '../../../contract/inspection.ts';

/** Returns a message that names uploaded photos by their file names, without upload ids. */
export function withNames(message: string): string {
  return message.replaceAll(/\bupload:upl_\w+\//g, '');
}

/** Renders the photos left out, each with its reason. */
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
