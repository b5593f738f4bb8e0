import type { Result } from '../../contract/result.ts';
import { describeNextPhotos } from '../next-photos.ts';
import { capitalize, english, type Translator } from '../translator.ts';
import { describePartInText, describeSubject } from '../words.ts';
import { makeParagraph, type Section } from './blocks.ts';

/** Maximum number of names listed; of more unseen parts, the incomplete sides are named instead. */
const MAX_NAMES = 3;

/** Formats the coverage, `22 of 23 parts seen (not the roof)`; if many parts are unseen, names the incomplete sides. */
export function describeCoverage({ inspection }: Result, t = english): string {
  const results = inspection?.data.results;
  if (!results) return '';
  const { seen, of, parts } = results.coverage;
  const sides = results.grade_basis.sides_missing.map((side) => t.word(describeSubject(side).toLowerCase()));
  const unseen = parts
    .filter(({ status }) => status !== 'seen')
    .map(({ part }) => describePartInText(part, t));
  const names = unseen.length <= MAX_NAMES || sides.length === 0 ? unseen : sides;
  const shown = names.slice(0, MAX_NAMES);
  const omitted = names.length - shown.length;
  const list = [...shown.map((one) => t`the ${one}`), ...(omitted > 0 ? [t`${omitted} more`] : [])];
  return list.length === 0
    ? t`${seen} of ${of} parts seen`
    : t`${seen} of ${of} parts seen (not ${joinWords(list, t)})`;
}

/** Builds the section on photos that would close gaps; null if none are missing. */
export function writeNextPhotos({ inspection }: Result, t: Translator): Section | null {
  const next = describeNextPhotos(inspection?.data.results?.next_photos ?? [], undefined, t);
  if (next === null) return null;
  return { id: 'next-photos', title: t`What to photograph next`, blocks: [makeParagraph(capitalize(next))] };
}

const joinWords = (words: readonly string[], t: Translator): string =>
  words.length < 2 ? words.join('') : t`${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
