import type { Photo } from '../../contract/inspection.ts';
import {
  isCopy,
  type Match,
  matchGuided,
  matchKeyPoints,
  type Registration,
  registerView,
  swapMatches,
} from '../../domain/sight/place/registration.ts';
import type { OpenedPhoto } from './album.ts';

/** Matches keypoints of photo pairs, each pair once. */
export interface PhotoMatcher {
  match(source: OpenedPhoto, target: OpenedPhoto): readonly Match[];
  /** Matches keypoints near the position predicted by the whole view. */
  matchGuided(source: OpenedPhoto, target: OpenedPhoto): readonly Match[];
  /** Returns one transform for the whole view; null if none fits. */
  matchView(source: OpenedPhoto, target: OpenedPhoto): Registration | null;
  /** Returns true if the photo was matched with another file of the same exposure. */
  isCopied(photo: Photo): boolean;
}

export function createPhotoMatcher(): PhotoMatcher {
  const matchesByKey = new Map<string, readonly Match[]>();
  const viewsByKey = new Map<string, Registration | null>();
  const copied = new Set<string>();
  /** Matches an unordered pair once, so comparing in either direction gives the same result. */
  function matchOnce(
    method: 'all' | 'guided',
    source: OpenedPhoto,
    target: OpenedPhoto,
    match: (first: OpenedPhoto, second: OpenedPhoto) => readonly Match[],
  ): readonly Match[] {
    const [first, second] = source.photo.sha256 < target.photo.sha256 ? [source, target] : [target, source];
    const key = `${method} ${first.photo.sha256} ${second.photo.sha256}`;
    const matches = matchesByKey.get(key) ?? match(first, second);
    matchesByKey.set(key, matches);
    return first === source ? matches : swapMatches(matches);
  }
  const matchAll = (source: OpenedPhoto, target: OpenedPhoto) =>
    matchOnce('all', source, target, (first, second) => {
      const matches = matchKeyPoints(first.points, second.points);
      if (first !== second && isCopy(matches))
        for (const { photo } of [first, second]) copied.add(photo.sha256);
      return matches;
    });
  return {
    match: matchAll,
    matchGuided: (source, target) =>
      matchOnce('guided', source, target, (first, second) =>
        matchGuided(first.points, second.points, matchAll(first, second), second.grey),
      ),
    matchView(source, target) {
      const key = `${source.photo.sha256} ${target.photo.sha256}`;
      const known = viewsByKey.get(key);
      const view = known === undefined ? registerView(matchAll(source, target)) : known;
      viewsByKey.set(key, view);
      return view;
    },
    isCopied: (photo) => copied.has(photo.sha256),
  };
}
