import { extname, join } from 'node:path';
import { takeFreeName } from '../../lib/files.ts';

/**
 * Returns the path of each photo's copy with boxes in `folder`, by the photo's URL: `rear.jpg`, or with the full name (`rear.heic.jpg`) where two photos
 * differ only in their extensions. Photos of the same name in several folders get a numeric suffix.
 */
export function nameDrawnCopies(
  folder: string | undefined,
  { photos }: { readonly photos: readonly { readonly url: string }[] },
): ReadonlyMap<string, string> {
  if (folder === undefined) return new Map();
  const urls = photos.map(({ url }) => url);
  const names = new Set(urls.map(readBaseName));
  const taken = new Set<string>();
  return new Map(
    urls.map((url) => {
      const name = readBaseName(url);
      const stem = removeExtension(name);
      const meets = [...names].some((other) => other !== name && isSameName(removeExtension(other), stem));
      return [url, join(folder, takeFreeName(`${meets ? name : stem || 'photo'}.jpg`, taken))];
    }),
  );
}

const readBaseName = (url: string) => url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf('\\')) + 1);
const removeExtension = (name: string) => name.slice(0, name.length - extname(name).length);
const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
