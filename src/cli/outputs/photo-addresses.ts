import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NO_PLACES, type PhotoPlaces } from '../../contract/result.ts';
import type { PhotoInput } from '../../engine/request.ts';

/**
 * Returns where the photos of a run are.
 * @param cwd folder that their relative addresses are relative to
 */
export function locatePhotos(photos: readonly PhotoInput[], cwd: string): PhotoPlaces {
  const paths = photos.flatMap(({ url, source }) =>
    source.kind === 'file' ? [[url, source.path] as const] : [],
  );
  return { folders: [cwd], paths: Object.fromEntries(paths) };
}

/**
 * Returns a function that gives the addresses of photos as CI systems resolve them: relative to the root of the
 * repository that a photo lies in, where that is the repository of the working directory, else as `file:` URL. Web
 * addresses stay. Not percent-encoded yet, apart from `file:` URLs.
 */
export function createPhotoAddresses(photos: PhotoPlaces | undefined, cwd: string): (url: string) => string {
  const root = findRepositoryRoot(cwd);
  return (url) => {
    if (isWebAddress(url)) return url;
    const path = findPhoto(url, photos, cwd);
    const inRoot = root === null ? '..' : relative(root, path);
    const outside = inRoot === '..' || inRoot.startsWith(`..${sep}`) || resolve(inRoot) === inRoot;
    return outside ? pathToFileURL(path).href : inRoot.split(sep).join('/');
  };
}

/** Returns a function that gives the address at which a photo opens from a terminal. */
export function createPhotoLinks(photos: PhotoPlaces | undefined, cwd: string): (url: string) => string {
  return (url) => (isWebAddress(url) ? url : pathToFileURL(findPhoto(url, photos, cwd)).href);
}

const isWebAddress = (url: string) => /^[a-z][a-z0-9+.-]+:\/\//i.test(url);

function findPhoto(url: string, { paths, folders } = NO_PLACES, cwd: string): string {
  const places = [...folders, cwd].map((folder) => resolve(cwd, folder, url));
  return resolve(cwd, paths[url] ?? places.find((place) => existsSync(place)) ?? resolve(cwd, url));
}

/** Returns the folder at or above `cwd` that holds `.git`; null where there is none. */
function findRepositoryRoot(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return null;
  }
}
