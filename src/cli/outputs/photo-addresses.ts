import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NO_PLACES, type PhotoPlaces } from '../../contract/result.ts';
import type { PhotoInput } from '../../engine/request.ts';
import { findFolderWith } from '../../lib/find-folder.ts';

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

/**
 * Creates a function that returns photo addresses as CI systems resolve them: relative to the root of the working
 * directory's repository if the photo is inside it, otherwise as `file:` URL. Web addresses are unchanged. Only `file:`
 * URLs are percent-encoded.
 */
export function createPhotoAddresses(photos: PhotoPlaces | undefined, cwd: string): (url: string) => string {
  const root = findFolderWith('.git', cwd);
  return (url) => {
    if (isWebAddress(url)) return url;
    const path = findPhoto(url, photos, cwd);
    const relativePath = root === null ? '..' : relative(root, path);
    const isOutside =
      relativePath === '..' || relativePath.startsWith(`..${sep}`) || resolve(relativePath) === relativePath;
    return isOutside ? pathToFileURL(path).href : relativePath.split(sep).join('/');
  };
}

/** Creates a function that returns the hyperlink of a photo for terminals. */
export function createPhotoLinks(photos: PhotoPlaces | undefined, cwd: string): (url: string) => string {
  return (url) => (isWebAddress(url) ? url : pathToFileURL(findPhoto(url, photos, cwd)).href);
}

const isWebAddress = (url: string) => /^[a-z][a-z0-9+.-]+:\/\//i.test(url);

function findPhoto(url: string, { paths, folders } = NO_PLACES, cwd: string): string {
  const candidates = [...folders, cwd].map((folder) => resolve(cwd, folder, url));
  return resolve(cwd, paths[url] ?? candidates.find((place) => existsSync(place)) ?? resolve(cwd, url));
}
