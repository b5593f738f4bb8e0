/** Returns what must be equal in two results: everything but ids, times, the models' and the service's own links. */
export function pickComparable(text: string) {
  const { data } = JSON.parse(text);
  const { results, images, missing_views, warnings, region, rejected_images } = data;
  const unlinked = <T extends object>(one: T) => ({ ...one, annotated_url: null });
  return {
    results: { ...results, damages: results.damages.map(unlinked) },
    images: images.map((image: object) => ({ ...unlinked(image), angle_source: null, url: null })),
    names: images.map(({ url }: { url: string }) => url),
    missing_views,
    warnings,
    region,
    rejected_images,
  };
}
