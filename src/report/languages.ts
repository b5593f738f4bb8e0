import type { Result } from '../contract/result.ts';
import type { LanguageCode } from '../domain/language.ts';
import { namePartInText, splitSide } from '../domain/parts.ts';
import { nameLineItem } from '../domain/repair.ts';
import captureFile from './data/capture-translations.json' with { type: 'json' };
import file from './data/translations.json' with { type: 'json' };
import {
  COLUMN,
  createTranslator,
  findText,
  formatFigures,
  NUMBER,
  type Rows,
  readTexts,
  type Texts,
  type Translated,
} from './translate.ts';
import { english, type Translator } from './translator.ts';

const LANGUAGE_OF: ReadonlyMap<string, Translated> = new Map([
  ['EU_GERMANY', 'de'],
  ['EU_GERMANY_CLAIMS', 'de'],
  ['EU_FRANCE', 'fr'],
]);

export const writeIn = (code: LanguageCode): Translator => (code === 'en' ? english : makeLanguage(code));

/** Returns the language of a price region: German, French, otherwise English. */
export const findLanguage = (region = ''): LanguageCode => LANGUAGE_OF.get(region) ?? 'en';

/** Returns the requested language, or that of the price region. */
export const chooseLanguage = ({ inspection, assessment }: Result, requested?: LanguageCode): Translator =>
  writeIn(requested ?? findLanguage((assessment ?? inspection)?.data.region?.code));

function makeLanguage(code: Translated): Translator {
  const catalog = readCatalog(code);
  const find = (rows: Rows, name: string) => rows[name]?.[COLUMN[code]];
  return Object.assign(createTranslator(catalog.texts, code), {
    part: (part: string) => find(file.parts, part),
    operation: (operation: string) => find(file.operations, operation),
    stored: (text: string) => findStored(catalog, text) ?? text,
  });
}

/** Translations of the finished sentences of one language. */
interface Catalog {
  readonly code: Translated;
  readonly texts: Texts;
  /** Names of parts as used in finished sentences, keyed by the words of their codes. */
  readonly parts: Texts;
  readonly stored: readonly Pattern[];
}

function readCatalog(code: Translated): Catalog {
  const parts = [...readTexts(file.parts, code)].flatMap(([part, name]) =>
    listNameForms(part).map((words) => [words, name] as const),
  );
  return {
    code,
    texts: new Map([...readTexts(captureFile.texts, code), ...readTexts(file.texts, code)]),
    parts: new Map(parts),
    stored: compilePatterns([...readTexts(file.stored, code)]),
  };
}

/** Lists the English names of a part in finished sentences, without and with its position: `front door`, `left front door`. */
const listNameForms = (part: string): readonly string[] => [
  nameLineItem(splitSide(part).base),
  namePartInText(part),
];

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

/** Separators at which finished texts are split into pieces that have their own rows: sentences, and remarks. */
const BETWEEN = [
  { split: /(?<=[.?!]) (?=\p{Lu})/u, joined: { de: ' ', fr: ' ' } },
  { split: /; /, joined: { de: '; ', fr: '\u00A0; ' } },
] as const;

/** Translates a finished sentence by the row that matches it whole, or piece by piece; undefined without a match. */
function findStored(catalog: Catalog, text: string): string | undefined {
  const whole = findText(catalog.texts, text, catalog.code) ?? catalog.parts.get(text);
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
    if (translated.every((one) => one !== undefined)) return translated.join(joined[catalog.code]);
  }
  return undefined;
}
