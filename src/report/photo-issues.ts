import type { Photo, PhotoIssue, VisualInspection } from '../contract/inspection.ts';
import type { NotAssessed } from '../contract/inspection-grounds.ts';
import { listSome } from '../lib/counted.ts';
import { escapeName } from '../lib/display-name.ts';
import { formatNumber, readFileName } from './figures.ts';
import { isMixed } from './words.ts';

/** A remark on photos, with all photos that it holds for. */
interface GroupedIssue {
  readonly photos: readonly Photo[];
  readonly code: string;
  /** With the figures, where those of all photos are the same. */
  readonly message: string;
  /** Without the figures. */
  readonly summary: string;
  /** The figures found, as one or as a span. */
  readonly found: string;
  /** What they were held against, as one or as a span: a photo may be judged by more than one model. */
  readonly limit: string;
}

/** Returns issues that differ in nothing but their figures as one, in the order of the photos. */
export function groupIssues(images: readonly Photo[]): readonly GroupedIssue[] {
  const groups = new Map<string, { photos: Photo[]; issues: PhotoIssue[] }>();
  for (const photo of images) {
    for (const issue of photo.issues) {
      const key = JSON.stringify([issue.code, summarise(issue)]);
      const group = groups.get(key) ?? { photos: [], issues: [] };
      group.photos.push(photo);
      group.issues.push(issue);
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap(({ photos, issues }) => {
    const [first] = issues;
    if (!first) return [];
    const { code } = first;
    const summary = summarise(first);
    return [
      {
        photos,
        code,
        message: issues.every(({ message }) => message === first.message) ? first.message : summary,
        summary,
        found: describeSpan(
          code,
          issues.map(({ value }) => value),
        ),
        limit: describeSpan(
          code,
          issues.map(({ limit }) => limit),
        ),
      },
    ];
  });
}

const summarise = ({ summary, message }: PhotoIssue) => summary ?? message;

/** Photos named in one line at most: those to retake are to be known. */
const MOST_NAMES = 5;

/** Returns a sentence for each kind of remark on photos: which photos, and what of them. */
export function describePhotoRemarks(images: readonly Photo[]): readonly string[] {
  return groupIssues(images).map(({ code, photos, summary }) => {
    if (code === 'low_resolution' && photos.length * 2 > images.length) return describeSmall(photos);
    const names = photos.map(({ url }) => namePhoto(url, images));
    return `${listSome(names, MOST_NAMES)}: ${summary}.`;
  });
}

function describeSmall(photos: readonly Photo[]): string {
  const sizes = [...new Set(photos.map(({ width, height }) => `${width}x${height}`))];
  return `Small photos${sizes.length === 1 ? ` (${sizes[0]})` : ''} may miss small damage.`;
}

/** Returns the name of a photo without its folder, where no photo of another folder has it too. */
function namePhoto(url: string, images: readonly Photo[]): string {
  const name = readFileName(url);
  const alike = images.some((other) => other.url !== url && readFileName(other.url) === name);
  return escapeName(alike ? url : name);
}

function describeSpan(code: string, values: readonly number[]): string {
  const [low, high] = [formatFigure(code, Math.min(...values)), formatFigure(code, Math.max(...values))];
  return low === high ? low : `${low}–${high}`;
}

/** Issues judged by a share of the photo. */
const SHARES = new Set(['glare', 'bright']);

/** Returns a figure as a photo was judged by it: shares in per cent. */
function formatFigure(code: string, value: number): string {
  return SHARES.has(code) ? `${formatNumber(value * 100)} %` : formatNumber(value, 2);
}

/**
 * Returns what was not assessed, without what is said elsewhere: by the remarks on photos that no vehicle is recognised
 * in them, by the first page, where it prices one vehicle, that mechanical parts are not judged.
 */
export function listOtherNotAssessed({
  results,
  images,
}: Pick<VisualInspection, 'results' | 'images'>): readonly NotAssessed[] {
  const remarked = images.filter(({ issues }) => issues.some(({ code }) => code === 'no_vehicle'));
  const isSaid = ({ code, what }: NotAssessed) =>
    (what === 'mechanical' && !(results && isMixed(results))) ||
    (code === 'no_vehicle' && remarked.some(({ url }) => url === what));
  return (results?.not_assessed ?? []).filter((one) => !isSaid(one));
}
