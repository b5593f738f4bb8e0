import type { Angle } from '../../domain/damage.ts';
import wordsFile from '../data/angle-words.json' with { type: 'json' };

interface WordsFile {
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly compounds: Readonly<Record<string, readonly string[]>>;
  readonly codes: Readonly<Record<string, readonly string[]>>;
}

/** What each word of a file name says about the view. */
export interface AngleWords {
  /** Word to the notions it stands for, e.g. `leftfront` to front and left. */
  readonly notions: ReadonlyMap<string, readonly string[]>;
  /** Two-letter codes, which count only where a name says nothing else. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
}

/** Reads the shipped words (`data/angle-words.json`). */
export function loadAngleWords(): AngleWords {
  const file: WordsFile = wordsFile;
  const notions = new Map<string, readonly string[]>(Object.entries(file.compounds));
  for (const [notion, words] of Object.entries(file.words)) {
    for (const word of words) notions.set(word, [notion]);
  }
  return { notions, codes: new Map(Object.entries(file.codes)) };
}

/**
 * Returns the angle that a file's name states, e.g. `IMG_02_rear.HEIC` or `leftSide-3.jpg`; undefined when it states
 * none or contradicts itself. Only whole words count: `frontier.jpg` says nothing. Left and right are the vehicle's
 * own.
 */
export function readAngleFromName(path: string, words: AngleWords): Angle | undefined {
  const spoken = splitWords(path);
  const said = new Set(spoken.flatMap((word) => words.notions.get(word) ?? []));
  const telling = spoken.filter((word) => words.notions.get(word)?.[0] !== 'camera');
  const [only] = telling;
  if (telling.length === 1 && only !== undefined) {
    for (const notion of words.codes.get(only) ?? []) said.add(notion);
  }
  return findInsideView(said) ?? findOutsideView(said, spoken);
}

/**
 * Splits the letters of the base name into words: at anything else, between small and capital letters and at digits.
 */
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

function findInsideView(said: ReadonlySet<string>): Angle | undefined {
  if (said.has('dashboard')) return 'dashboard';
  if (said.has('engine')) return 'engine';
  // "Under the hood" is the engine, "under" alone the floor.
  if (said.has('undercarriage')) return said.has('frontish') ? 'engine' : 'undercarriage';
  if (said.has('trunk')) return said.has('rearish') ? 'rear' : 'trunk';
  return said.has('interior') ? 'interior' : undefined;
}

function findOutsideView(said: ReadonlySet<string>, spoken: readonly string[]): Angle | undefined {
  const end =
    chooseOne(said, 'front', 'rear') ?? chooseOne(said, 'frontish', 'rearish')?.slice(0, -'ish'.length);
  const side = chooseOne(said, 'left', 'right');
  const contradicts = (said.has('front') && said.has('rear')) || (said.has('left') && said.has('right'));
  if (contradicts) return undefined;
  if (said.has('top')) return end === undefined && side === undefined ? 'top' : undefined;
  if (side === undefined) return said.has('panel') || end === undefined ? undefined : (end as Angle);
  // A door or a wheel of the left front is photographed from the left; so is "left side", whatever else is said.
  const threeQuarter = spoken.includes('quarter') && !said.has('panel');
  const flank = said.has('panel') || (said.has('side') && !said.has('front') && !said.has('rear'));
  if (end === undefined || (flank && !threeQuarter)) return `${side}_side` as Angle;
  return `${end}_${side}` as Angle;
}

/** Returns the one of two notions that is stated; undefined when neither or both are. */
function chooseOne(said: ReadonlySet<string>, a: string, b: string): string | undefined {
  if (said.has(a) === said.has(b)) return undefined;
  return said.has(a) ? a : b;
}
