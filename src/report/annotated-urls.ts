import type { Damage, VisualInspection } from '../contract/inspection.ts';

/**
 * Returns the inspection with the address of its annotated photo on every image and on every find, certain or to check:
 * that of the photo that shows the find best. `findUrl` takes the index of a photo, and gives null where none was drawn.
 */
export function withAnnotatedUrls(
  inspection: VisualInspection,
  findUrl: (imageIndex: number) => string | null,
): VisualInspection {
  const link = <D extends Damage>(finds: readonly D[]) =>
    finds.map((find) => {
      const best = find.evidence[0]?.image_index;
      return { ...find, annotated_url: best === undefined ? null : findUrl(best) };
    });
  const { images, results } = inspection;
  return {
    ...inspection,
    images: images.map((image) => ({ ...image, annotated_url: findUrl(image.index) })),
    // A result that a service stored before places to check were kept has no list of them.
    results: results && {
      ...results,
      damages: link(results.damages),
      to_check: link(results.to_check ?? []),
    },
  };
}
