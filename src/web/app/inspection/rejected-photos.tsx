import type { VisualInspection } from '../../../contract/inspection.ts';

/** Replaces upload ids in a message with the names of the uploaded files. */
export function removeUploadIds(message: string): string {
  return message.replaceAll(/\bupload:upl_\w+\//g, '');
}

/** Renders the rejected photos, each with its reason. */
export function RejectedPhotos({
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
          <li key={url}>{removeUploadIds(message)}</li>
        ))}
      </ul>
    </section>
  );
}
