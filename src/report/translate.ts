import { capitalize, english, lowerFirst, type Translator } from './translator.ts';

/** Index of each language in a row of the translation tables. */
export const COLUMN = { de: 0, fr: 1 } as const;
export type Translated = keyof typeof COLUMN;
export type Rows = Readonly<Record<string, readonly string[]>>;
/** Texts of one language, keyed by English text. */
export type Texts = ReadonlyMap<string, string>;

const NBSP = '\u00A0';
/** Regular expression for a number in English notation. */
export const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;

/** Reads the texts of one language. */
export const readTexts = (rows: Rows, code: Translated): Texts =>
  new Map(Object.entries(rows).map(([key, row]) => [key, punctuate(code, row[COLUMN[code]] ?? key)]));

/** Adds no-break spaces: between a value and its unit, in French also before two-part marks and inside quotes. */
function punctuate(code: Translated, text: string): string {
  const joined = text.replace(/(?<=\}) (?=%|(?:cm|m|h|[A-Z]{3})(?!\p{L}))/gu, NBSP);
  return code === 'fr'
    ? joined.replace(/(?<=\S) ?([:;!]|(?<!\d)\?)(?=\s|$)/g, `${NBSP}$1`).replace(/ (?=[:»%])|(?<=«) /g, NBSP)
    : joined;
}

/** Creates a writer from the texts of a language; names of parts and operations, and finished sentences, stay English. */
export function createTranslator(texts: Texts, code: Translated): Translator {
  const figure = (text: string) => formatFigures(text, code);
  const write = (strings: TemplateStringsArray, ...values: readonly (string | number)[]) => {
    const key = strings.join('{}').replaceAll(NBSP, ' ');
    // A row without its full stop serves as both sentence and title.
    const text = texts.get(key) ?? addStop(texts.get(key.replace(/\.$/, ''))) ?? numberSlots(key);
    const plural = values.some((one) => Number(one) > 1) ? 's' : '';
    return text.replaceAll('(s)', plural).replace(/\{(\d)\}/g, (_, position: string) => {
      const value = values[Number(position) - 1] ?? '';
      return typeof value === 'number' ? figure(String(value)) : value;
    });
  };
  return Object.assign(write, {
    ...english,
    code,
    figure,
    word: (text: string) => findText(texts, text, code) ?? text,
    inText: (words: string) => (code === 'de' ? words : lowerFirst(words)),
  });
}

const addStop = (text: string | undefined) => (text === undefined ? undefined : `${text}.`);

function numberSlots(key: string): string {
  let slot = 0;
  return key.replaceAll('{}', () => `{${++slot}}`);
}

const isCapital = (text: string) => /^\p{Lu}/u.test(text);

/** Translates a text that has its own row, adjusting the case of its first letter; undefined without a row. */
export function findText(texts: Texts, text: string, code: Translated): string | undefined {
  const own = texts.get(text) ?? texts.get(capitalize(text));
  if (own !== undefined) return isCapital(text) || code === 'de' ? own : lowerFirst(own);
  const lower = texts.get(lowerFirst(text)) ?? texts.get(text.toLowerCase());
  return lower === undefined ? undefined : capitalize(lower);
}

/** Formats figures by the language's conventions: `1.234,56 €`, `01.06.2026`; a version with two points is kept. */
export function formatFigures(text: string, code: Translated): string {
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
