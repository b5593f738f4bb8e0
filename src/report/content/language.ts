import type { Result } from '../../contract/result.ts';
import type { LanguageCode } from '../../domain/language.ts';
import { nameLineItem } from '../../domain/repair.ts';
import file from '../data/translations.json' with { type: 'json' };
import { english, type Say } from '../say.ts';

/** Position of each language in a row of the table. */
const COLUMN = { de: 0, fr: 1 } as const;
const LANGUAGE_OF: ReadonlyMap<string, keyof typeof COLUMN> = new Map([
  ['EU_GERMANY', 'de'],
  ['EU_GERMANY_CLAIMS', 'de'],
  ['EU_FRANCE', 'fr'],
]);

/** Returns the writer of a language. */
export const writeIn = (code: LanguageCode): Say => (code === 'en' ? english : makeLanguage(code));

/** Returns the requested language, or that of the price region: German, French, otherwise English. */
export const chooseLanguage = ({ inspection, assessment }: Result, requested?: LanguageCode): Say =>
  writeIn(requested ?? LANGUAGE_OF.get((assessment ?? inspection)?.data.region?.code ?? '') ?? 'en');

const NBSP = '\u00A0';
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
/** Regular expression of each placeholder of a finished sentence. */
const SLOTS: Readonly<Record<string, string>> = { '{}': '.+?', '{=}': '.+?', '{n}': NUMBER };
const SLOT = /\{[=n]?\}/g;

/** A finished sentence with its placeholders. */
interface Pattern {
  readonly match: RegExp;
  readonly slots: readonly string[];
  readonly translation: string;
}

/** Compiles the rows of finished sentences, most literal text first. */
function compilePatterns(
  rows: readonly (readonly [english: string, translation: string])[],
): readonly Pattern[] {
  const literal = (english: string) => english.replace(SLOT, '').length;
  const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return rows
    .toSorted(([a], [b]) => literal(b) - literal(a))
    .map(([english, translation]) => {
      const slots = english.match(SLOT) ?? [];
      const source = english
        .split(SLOT)
        .map((text, index) => `${quote(text)}${index < slots.length ? `(${SLOTS[slots[index] ?? '']})` : ''}`)
        .join('');
      return { match: new RegExp(`^${source}$`), slots, translation };
    });
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const isCapital = (text: string) => /^\p{Lu}/u.test(text);

/** Texts of one language, keyed by English text. */
interface Catalog {
  readonly code: keyof typeof COLUMN;
  readonly texts: ReadonlyMap<string, string>;
  /** Parts by the words of their codes, as they stand in finished sentences. */
  readonly parts: ReadonlyMap<string, string>;
  readonly stored: readonly Pattern[];
}

type Rows = Readonly<Record<string, readonly string[]>>;

function readCatalog(code: keyof typeof COLUMN): Catalog {
  const pick = (rows: Rows) =>
    Object.entries(rows).map(([key, row]) => [key, punctuate(code, row[COLUMN[code]] ?? key)] as const);
  const parts = pick(file.parts).flatMap(([part, name]) =>
    listNameForms(part).map((english) => [english, name] as const),
  );
  return {
    code,
    texts: new Map(pick(file.texts)),
    parts: new Map(parts),
    stored: compilePatterns(pick(file.stored)),
  };
}

/** Writes the punctuation of a translation: French has a no-break space before double signs and within quotes. */
const punctuate = (code: keyof typeof COLUMN, text: string) =>
  code === 'fr'
    ? text.replace(/(?<=\S) ?([:;!]|(?<!\d)\?)(?=\s|$)/g, `${NBSP}$1`).replace(/ (?=[:»%])|(?<=«) /g, NBSP)
    : text;

function makeLanguage(code: keyof typeof COLUMN): Say {
  const catalog = readCatalog(code);
  const { texts } = catalog;
  const figure = (text: string) => formatFigures(text, code);
  const write = (strings: TemplateStringsArray, ...values: readonly (string | number)[]) => {
    const key = strings.join('{}').replaceAll(NBSP, ' ');
    // A row without the full stop serves a sentence and a title alike.
    const text = texts.get(key) ?? addStop(texts.get(key.replace(/\.$/, ''))) ?? numberSlots(key);
    return text.replace(/\{(\d)\}/g, (_, position: string) => {
      const value = values[Number(position) - 1] ?? '';
      return typeof value === 'number' ? figure(String(value)) : value;
    });
  };
  return Object.assign(write, {
    code,
    word: (english: string) => findExact(catalog, english) ?? english,
    part: (part: string) => (file.parts as Rows)[part]?.[COLUMN[code]],
    operation: (operation: string) => (file.operations as Rows)[operation]?.[COLUMN[code]],
    figure,
    stored: (english: string) => findStored(catalog, english) ?? english,
    inText: (words: string) => (code === 'de' ? words : lowerFirst(words)),
  });
}

const addStop = (text: string | undefined) => (text === undefined ? undefined : `${text}.`);

function numberSlots(key: string): string {
  let slot = 0;
  return key.replaceAll('{}', () => `{${++slot}}`);
}

/** Separators of finished texts, each piece of which must have a row: sentences, and remarks. */
const BETWEEN = [
  { split: /(?<=[.?!]) (?=\p{Lu})/u, joined: ' ' },
  { split: /; /, joined: '; ' },
] as const;

/** Translates a finished sentence by the row that fits all of it, or piece by piece; undefined without rows. */
function findStored(catalog: Catalog, text: string): string | undefined {
  const whole = findExact(catalog, text) ?? catalog.parts.get(text);
  if (whole !== undefined) return whole;
  for (const { match, slots, translation } of catalog.stored) {
    const found = match.exec(text);
    if (!found) continue;
    return translation.replace(/\{(\d)\}/g, (_, position: string) => {
      const value = found[Number(position)] ?? '';
      const slot = slots[Number(position) - 1];
      if (slot === '{=}') return value;
      return slot === '{}' ? (findStored(catalog, value) ?? value) : formatFigures(value, catalog.code);
    });
  }
  if (text.endsWith('.')) {
    const bare = findStored(catalog, text.slice(0, -1));
    if (bare !== undefined) return `${bare}.`;
  }
  for (const { split, joined } of BETWEEN) {
    const pieces = text.split(split);
    const translated = pieces.length > 1 ? pieces.map((one) => findStored(catalog, one)) : [undefined];
    if (translated.every((one) => one !== undefined)) return translated.join(joined);
  }
  return undefined;
}

/** Translates a text that is a row of its own, with the case of its first letter. */
function findExact({ texts, code }: Catalog, text: string): string | undefined {
  const own = texts.get(text) ?? texts.get(upperFirst(text));
  if (own !== undefined) return isCapital(text) || code === 'de' ? own : lowerFirst(own);
  const lower = texts.get(lowerFirst(text)) ?? texts.get(text.toLowerCase());
  return lower === undefined ? undefined : upperFirst(lower);
}

/** Lists the English forms of a part's name in finished sentences: `left front door`, `handle and moldings`. */
function listNameForms(part: string): readonly string[] {
  const [, name = part, side] = /^(.+)_(left|right)$/.exec(part) ?? [];
  const words = nameLineItem(name);
  return [words, ...(side === undefined ? [] : [`${side} ${words}`])];
}

/** Formats figures by the language's conventions: `1.234,56 €`, `01.06.2026`; a version with two points stays. */
function formatFigures(text: string, code: keyof typeof COLUMN): string {
  const localise = (digits: string) =>
    digits.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : code === 'de' ? '.' : NBSP));
  return text
    .replace(/(\d{4})-(\d\d)-(\d\d)/g, (_, year, month, day) =>
      code === 'de' ? `${day}.${month}.${year}` : `${day}/${month}/${year}`,
    )
    .replace(new RegExp(`(?<![\\d.,])${NUMBER}(?![\\d.,])`, 'g'), localise)
    .replace(
      /(CN¥|[€$£¥]|[A-Z]{3} (?=\d))([\d.,\u00A0]+(?:–[\d.,\u00A0]+)?)/g,
      (_, currency: string, amount: string) => `${amount}${NBSP}${currency.trim()}`,
    )
    .replace(/(?<=\d) (?=(?:cm|mm|m|km|h|%)(?!\p{L}))/gu, NBSP)
    .replace(/(?<=[^\p{L}]) to (?=[−\d])/gu, code === 'de' ? ' bis ' : ' à ');
}
