import type { Photo, PhotoIssue } from '../contract/inspection.ts';
import { summarizeNames } from '../lib/format-count.ts';
import { groupBy } from '../lib/lists.ts';
import { escapeName } from '../lib/names.ts';
import { formatNumber, namePhoto } from './figures.ts';
import { endSentence } from './words.ts';

/** A photo issue with all affected photos. */
interface GroupedIssue {
  readonly photos: readonly Photo[];
  /** Message including the figures if they are the same for all photos. */
  readonly message: string;
  /** Message without the figures. */
  readonly summary: string;
  /** Measured value or range. */
  readonly measured: string;
  /** Limit or range of limits, because different models may judge one photo. */
  readonly limit: string;
}

/** Groups issues that differ only in their figures, without `low_resolution`, which changes no finding. */
export function groupIssues(images: readonly Photo[]): readonly GroupedIssue[] {
  const all = images
    .flatMap((photo) => photo.issues.map((issue) => ({ photo, ...issue })))
    .filter(({ code }) => code !== 'low_resolution');
  const groups = groupBy(all, (issue) => JSON.stringify([issue.code, summarize(issue)]));
  return [...groups.values()].map((issues) => {
    const [first] = issues;
    const summary = summarize(first);
    const [values, limits] = [issues.map(({ value }) => value), issues.map(({ limit }) => limit)];
    return {
      photos: issues.map(({ photo }) => photo),
      message: issues.every(({ message }) => message === first.message) ? first.message : summary,
      summary,
      measured: describeSpan(first.code, values),
      limit: describeSpan(first.code, limits),
    };
  });
}

const summarize = ({ summary, message }: PhotoIssue) => summary ?? message;

/** Maximum number of photos to retake listed by name; the others are counted. */
const MAX_NAMES = 5;

/** Formats one sentence per kind of photo issue, with the affected photos. */
export function describePhotoRemarks(images: readonly Photo[]): readonly string[] {
  return groupIssues(images).map(({ photos, summary }) => {
    const names = photos.map(({ url }) => escapeName(namePhoto(url, images)));
    return endSentence(`${summarizeNames(names, MAX_NAMES)}: ${summary}`);
  });
}

function describeSpan(code: string, values: readonly number[]): string {
  const [low, high] = [formatFigure(code, Math.min(...values)), formatFigure(code, Math.max(...values))];
  return low === high ? low : `${low}–${high}`;
}

/** Issues measured as a fraction of the photo. */
const SHARES = new Set(['glare', 'bright']);

/** Formats a measured value, fractions as percentages. */
function formatFigure(code: string, value: number): string {
  return SHARES.has(code) ? `${formatNumber(value * 100)} %` : formatNumber(value, 2);
}
