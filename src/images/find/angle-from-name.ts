import type { Angle } from '../../domain/photo.ts';
import wordsFile from '../data/angle-words.json' with { type: 'json' };

/** Concepts per word, such as front and left for `leftfront`. */
const CONCEPTS: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(wordsFile.compounds),
  ...Object.entries(wordsFile.words).flatMap(([concept, words]) =>
    words.map((word) => [word, [concept]] as [string, string[]]),
  ),
]);
/** Two-letter codes, used only if the name has no other word. */
const CODES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(wordsFile.codes));

/**
 * Infers the angle from a file name, such as `IMG_02_rear.HEIC` or `leftSide-3.jpg`; undefined if absent or
 * contradictory. Only whole words match, so `frontier.jpg` has none. Left and right are the vehicle's; `driver` is neither.
 */
export function readAngleFromName(path: string): Angle | undefined {
  const nameWords = splitWords(path);
  const seen = new Set(nameWords.flatMap((word) => CONCEPTS.get(word) ?? []));
  const relevant = nameWords.filter((word) => CONCEPTS.get(word)?.[0] !== 'camera');
  const [only] = relevant;
  if (relevant.length === 1 && only !== undefined) {
    for (const concept of CODES.get(only) ?? []) seen.add(concept);
  }
  return findInsideView(seen) ?? findOutsideView(seen, nameWords);
}

/** Splits the letters of the base name into words: at non-letters and between lower-case and capital letters. */
function splitWords(path: string): string[] {
  const base = path.split(/[\\/]/).at(-1) ?? '';
  return base
    .replace(/\.[^.]*$/, '')
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

function findInsideView(seen: ReadonlySet<string>): Angle | undefined {
  if (seen.has('dashboard')) return 'dashboard';
  if (seen.has('engine')) return 'engine';
  // "Under the hood" is the engine, "under" alone the undercarriage.
  if (seen.has('undercarriage')) return seen.has('frontish') ? 'engine' : 'undercarriage';
  if (seen.has('trunk')) return seen.has('rearish') ? 'rear' : 'trunk';
  return seen.has('interior') ? 'interior' : undefined;
}

function findOutsideView(seen: ReadonlySet<string>, nameWords: readonly string[]): Angle | undefined {
  const end =
    chooseOne(seen, 'front', 'rear') ?? chooseOne(seen, 'frontish', 'rearish')?.slice(0, -'ish'.length);
  const side = chooseOne(seen, 'left', 'right');
  const isContradictory = (seen.has('front') && seen.has('rear')) || (seen.has('left') && seen.has('right'));
  if (isContradictory) return undefined;
  if (seen.has('top')) return end === undefined && side === undefined ? 'top' : undefined;
  const isAside = seen.has('panel') || seen.has('swapping');
  if (side === undefined) return isAside || end === undefined ? undefined : (end as Angle);
  // A left front door or wheel is photographed from the left; "left side" without front or rear is a side view too.
  const threeQuarter = nameWords.includes('quarter') && !seen.has('panel');
  const flank = seen.has('panel') || (seen.has('side') && !seen.has('front') && !seen.has('rear'));
  if (end === undefined || (flank && !threeQuarter)) return `${side}_side` as Angle;
  return `${end}_${side}` as Angle;
}

/** Returns whichever of two concepts is present; undefined if neither or both are. */
function chooseOne(seen: ReadonlySet<string>, a: string, b: string): string | undefined {
  if (seen.has(a) === seen.has(b)) return undefined;
  return seen.has(a) ? a : b;
}
