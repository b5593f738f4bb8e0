import type { Result } from '../../contract/result.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { Operation } from '../../domain/repair.ts';
import { defined } from '../../lib/defined.ts';
import file from '../data/translations.json' with { type: 'json' };
import { english, type Say } from '../say.ts';
import { describePart, describePartInText, OPERATION_WORDS } from '../words.ts';

/** Position of each language in a row of the table. */
const COLUMN = { de: 0, fr: 1 } as const;
const LANGUAGE_OF: ReadonlyMap<string, keyof typeof COLUMN> = new Map([
  ['EU_GERMANY', 'de'],
  ['EU_FRANCE', 'fr'],
]);

/** Sets the language of a printed report, if one is requested. */
export const withLanguage = (result: Result, language: LanguageCode | undefined): Result => ({
  ...result,
  ...defined({ language }),
});

/** Returns the requested language, or that of the price region: German, French, otherwise English. */
export function chooseLanguage({ inspection, assessment, language }: Result): Say {
  const code = language ?? LANGUAGE_OF.get((assessment ?? inspection)?.data.region?.code ?? '') ?? 'en';
  return code === 'en' ? english : makeLanguage(code);
}

const NBSP = '\u00A0';
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
const MONEY = `[−+]?(?:CN¥|[€$£¥]|[A-Z]{3} )${NUMBER}(?:–${NUMBER})?`;
const DATE = String.raw`\d{4}-\d\d-\d\d(?: \d\d:\d\d UTC)?`;
/** Regular expression of each placeholder. */
const SLOTS: Readonly<Record<string, string>> = {
  '{}': '.+?',
  '{=}': '.+?',
  '{l}': '.+?',
  '{n}': NUMBER,
  '{m}': MONEY,
  '{d}': DATE,
  '{v}': String.raw`\d[\d.]*`,
};
const SLOT = /\{[=lnmdv]?\}/g;
/** Separators of a text outside of brackets, in the order in which it is split. */
const SEPARATORS = [': ', '; ', ' · ', ', '] as const;
const splitBy = (separator: string, text: string) => text.split(new RegExp(`${separator}(?![^(]*\\))`));
/** A name before an aside in brackets, after its number, or before its figures. */
const AFFIXES = [/^()(.+)( \(.+\))$/, /^((?:✓|→|\d+[.?]?) )(.+)()$/, /^()(.+)( [~±+−]?[€$£¥\d].*)$/] as const;
/** Text without words: figures, punctuation, units. */
const FIGURES = /^(?:[^\p{L}]|\b(?:cm|mm|m|km|h|UTC|[A-Z]{3}(?= \d)|(?<=\d )[A-Z]{3})\b)*$/u;

interface Pattern {
  /** English text; a slot crosses a separator only if the text has one. */
  readonly english: string;
  readonly match: RegExp;
  readonly slots: readonly string[];
  readonly translation: string;
}

/** Compiles the rows with placeholders, most literal text first. */
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
      return { english, match: new RegExp(`^${source}$`), slots, translation };
    });
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Texts of one language, keyed by English text, and patterns with placeholders. */
interface Catalogue {
  readonly code: keyof typeof COLUMN;
  readonly exact: ReadonlyMap<string, string>;
  readonly patterns: readonly Pattern[];
  readonly stored: readonly Pattern[];
}

function readCatalogue(code: keyof typeof COLUMN): Catalogue {
  const pick = (row: readonly string[]) => row[COLUMN[code]] ?? '';
  const terms = Object.entries(file.terms).map(([english, row]) => [english, pick(row)] as const);
  const stored = Object.entries(file.stored).map(([english, row]) => [english, pick(row)] as const);
  const parts = Object.entries(file.parts).flatMap(([part, row]) =>
    listNameForms(part).map((english) => [english, pick(row)] as const),
  );
  const operations = Object.entries(file.operations).map(
    ([operation, row]) =>
      [`${operation} ${OPERATION_WORDS[operation as Operation]}`, `${operation} ${pick(row)}`] as const,
  );
  return {
    code,
    exact: new Map([...parts, ...operations, ...terms]),
    patterns: compilePatterns([...terms, ...stored].filter(([english]) => /\{.?\}/.test(english))),
    stored: compilePatterns(stored),
  };
}

/** Writes the punctuation of a translation: French has a no-break space before double signs and within quotes. */
const punctuate = (code: keyof typeof COLUMN, text: string) =>
  code === 'fr'
    ? text.replace(/(?<=\S) ?([:;!]|(?<!\d)\?)(?=\s|$)/g, `${NBSP}$1`).replace(/ (?=[:»%])|(?<=«) /g, NBSP)
    : text;

function makeLanguage(code: keyof typeof COLUMN): Say {
  const catalogue = readCatalogue(code);
  const pick = (row: readonly string[] | undefined) => row?.[COLUMN[code]];
  const templates = new Map(
    [
      ...catalogue.exact,
      ...Object.entries(file.texts).map(([key, row]) => [key, pick(row) ?? key] as const),
    ].map(([key, text]) => [key.replace(SLOT, '{}'), punctuate(code, text)] as const),
  );
  const figure = (text: string) => formatFigures(text, code);
  const write = (strings: TemplateStringsArray, ...values: readonly (string | number)[]) => {
    const key = strings.join('{}').replaceAll(NBSP, ' ');
    const own = templates.get(key);
    // A row without the full stop serves a sentence and a title alike.
    const text = own ?? addStop(templates.get(key.replace(/\.$/, ''))) ?? numberSlots(key);
    return text.replace(/\{(\d)\}/g, (_, position: string) => {
      const value = values[Number(position) - 1] ?? '';
      return typeof value === 'number' ? figure(String(value)) : value;
    });
  };
  return Object.assign(write, {
    code,
    word: (english: string) =>
      templates.get(english) ?? punctuate(code, findExact(catalogue, english) ?? english),
    part: (part: string) => pick((file.parts as Readonly<Record<string, readonly string[]>>)[part]),
    operation: (operation: string) =>
      pick((file.operations as Readonly<Record<string, readonly string[]>>)[operation]),
    figure,
    stored: (english: string) => findStored(catalogue, english) ?? english,
    parse: (english: string) => punctuate(code, translate(catalogue, english.replaceAll(NBSP, ' '))),
    inText: (words: string) => (code === 'de' ? words : lowerFirst(words)),
  });
}

/** Separators of finished texts, each piece of which must have a row: sentences, and remarks. */
const BETWEEN = [
  { split: /(?<=[.?!]) (?=\p{Lu})/u, joined: ' ' },
  { split: /; /, joined: '; ' },
] as const;

/** Translates a finished sentence by the row that fits all of it, or piece by piece; undefined without rows. */
function findStored(catalogue: Catalogue, text: string): string | undefined {
  const { code, stored } = catalogue;
  const whole = findExact(catalogue, text);
  if (whole !== undefined) return punctuate(code, whole);
  for (const { match, slots, translation } of stored) {
    const found = match.exec(text);
    if (!found) continue;
    return punctuate(code, translation).replace(/\{(\d)\}/g, (_, position: string) => {
      const value = found[Number(position)] ?? '';
      const slot = slots[Number(position) - 1];
      if (slot === '{=}') return value;
      return slot === '{}' ? (findStored(catalogue, value) ?? value) : formatFigures(value, code);
    });
  }
  if (text.endsWith('.')) {
    const bare = findStored(catalogue, text.slice(0, -1));
    if (bare !== undefined) return `${bare}.`;
  }
  for (const { split, joined } of BETWEEN) {
    const pieces = text.split(split);
    const translated = pieces.length > 1 ? pieces.map((one) => findStored(catalogue, one)) : [undefined];
    if (translated.every((one) => one !== undefined)) return translated.join(joined);
  }
  return undefined;
}

const addStop = (text: string | undefined) => (text === undefined ? undefined : `${text}.`);

function numberSlots(key: string): string {
  let slot = 0;
  return key.replaceAll('{}', () => `{${++slot}}`);
}

const isCapital = (text: string) => /^\p{Lu}/u.test(text);

/** Translates a text that is a row of its own, with the case of its first letter. */
function findExact({ exact, code }: Catalogue, text: string): string | undefined {
  const own = exact.get(text) ?? exact.get(upperFirst(text));
  if (own !== undefined) return isCapital(text) || code === 'de' ? own : lowerFirst(own);
  const lower = exact.get(lowerFirst(text)) ?? exact.get(text.toLowerCase());
  return lower === undefined ? undefined : upperFirst(lower);
}

/** Translates a text by the row with placeholders that fits it; only `{l}`, a list, spans a separator of the whole text. */
function findPattern(catalogue: Catalogue, text: string): string | undefined {
  const separators = SEPARATORS.filter((one) => splitBy(one, text).length > 1);
  for (const { english, match, slots, translation } of catalogue.patterns) {
    const found = match.exec(text) ?? match.exec(lowerFirst(text)) ?? match.exec(upperFirst(text));
    if (!found) continue;
    const lists = found.filter((_, at) => slots[at - 1] === '{l}').join();
    if (separators.some((one) => !english.includes(one) && !lists.includes(one))) continue;
    const filled = translation.replace(/\{(\d)\}/g, (_, position: string) => {
      const slot = slots[Number(position) - 1];
      const value = found[Number(position)] ?? '';
      return slot === '{=}' || slot === '{v}' ? value : translate(catalogue, value);
    });
    return isCapital(text) ? upperFirst(filled) : filled;
  }
  return undefined;
}

/** Translates a list, preferring the longest names that contain the separator. */
function translateList(catalogue: Catalogue, pieces: readonly string[], separator: string): string {
  const translated: string[] = [];
  for (let from = 0; from < pieces.length; ) {
    let to = pieces.length;
    const find = () => findExact(catalogue, pieces.slice(from, to).join(separator));
    let name = find();
    while (name === undefined && to > from + 1) {
      to--;
      name = find();
    }
    translated.push(name ?? translate(catalogue, pieces[from] ?? ''));
    from = to;
  }
  return translated.join(separator);
}

/** Translates a text with an affix if `find` translates its name. */
function translateAffixed(
  catalogue: Catalogue,
  text: string,
  find: (catalogue: Catalogue, name: string) => string | undefined,
): string | undefined {
  for (const affix of AFFIXES) {
    const [, before = '', name = '', after = ''] = affix.exec(text) ?? [];
    const found = name === '' ? undefined : find(catalogue, name);
    if (found === undefined) continue;
    const aside = /^ \((.+)\)$/.exec(after)?.[1];
    const figures = after === '' ? '' : ` ${translate(catalogue, after.slice(1))}`;
    return `${before}${found}${aside === undefined ? figures : ` (${translate(catalogue, aside)})`}`;
  }
  return undefined;
}

/** Translates a text: whole, by sentence, by pattern, then by its separators. */
function translate(catalogue: Catalogue, text: string): string {
  const whole = findExact(catalogue, text);
  if (whole !== undefined || text === '') return whole ?? text;
  if (FIGURES.test(text)) return formatFigures(text, catalogue.code);
  const sentences = text.split(/(?<=[.?!]) (?=[\p{Lu}"€$£*])/u);
  if (sentences.length > 1) return sentences.map((one) => translate(catalogue, one)).join(' ');
  if (text.endsWith('.')) return `${translate(catalogue, text.slice(0, -1))}.`;
  const direct = translateAffixed(catalogue, text, findExact) ?? findPattern(catalogue, text);
  if (direct !== undefined) return direct;
  for (const separator of SEPARATORS) {
    const pieces = splitBy(separator, text);
    const [first = '', ...others] = pieces;
    if (others.length === 0) continue;
    if (separator !== ': ') return translateList(catalogue, pieces, separator);
    return `${translate(catalogue, first)}: ${translate(catalogue, others.join(separator))}`;
  }
  const affixed = translateAffixed(catalogue, text, translate);
  if (affixed !== undefined) return affixed;
  const joined = text.split(' and ').map((one) => findExact(catalogue, one) ?? findPattern(catalogue, one));
  return joined.length > 1 && joined.every((piece) => piece !== undefined)
    ? joined.join(catalogue.code === 'de' ? ' und ' : ' et ')
    : text;
}

/** Lists the English forms of a part's name: in tables, in sentences, and as the words of its code. */
function listNameForms(part: string): readonly string[] {
  const [, name = part, side] = /^(.+)_(left|right)$/.exec(part) ?? [];
  const words = name.replaceAll('_', ' ');
  return [describePart(part), describePartInText(part), side === undefined ? words : `${side} ${words}`];
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
