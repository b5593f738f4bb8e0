import type { PhotoPlaces } from '../../contract/result.ts';
import type { PhotoInput } from '../../engine/request.ts';

/**
 * Returns the locations of a run's photos.
 * @param cwd base folder of relative addresses
 */
export function locatePhotos(photos: readonly PhotoInput[], cwd: string): PhotoPlaces {
  const paths = photos.flatMap(({ url, source }) =>
    source.kind === 'file' ? [[url, source.path] as const] : [],
  );
  return { folders: [cwd], paths: Object.fromEntries(paths) };
}
