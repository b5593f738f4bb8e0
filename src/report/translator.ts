import type { LanguageCode } from '../domain/language.ts';

/**
 * Writes a report's texts in its language. A template is the key of its translation, and its values are inserted
 * unchanged, because user input must not be translated.
 */
export interface Translator {
  (strings: TemplateStringsArray, ...values: readonly (string | number)[]): string;
  /** ISO 639-1 code. */
  readonly code: LanguageCode;
  /** Translates the English words of a code. */
  word(english: string): string;
  /** Returns the name of a part or of a line of an estimate; undefined in English and for an unknown code. */
  part(code: string): string | undefined;
  /** Returns the name of an operation of an estimate; undefined in English. */
  operation(code: string): string | undefined;
  /** Formats an English figure with its unit by the conventions of the language: `1.234,56 €`, `01.06.2026`. */
  figure(english: string): string;
  /** Translates a finished sentence of a result; unknown sentences stay English. */
  stored(english: string): string;
  /** Formats words for the middle of a sentence: with a lower-case first letter, except German and abbreviations. */
  inText(words: string): string;
}

const same = (text: string) => text;

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a text with its first letter in lower case, unless it begins with an abbreviation: `PDR and paint`. */
export const lowerFirst = (text: string): string =>
  /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/** Writes the texts of a report in English, the language of the templates. */
export const english: Translator = Object.assign(
  (strings: TemplateStringsArray, ...values: readonly (string | number)[]) =>
    String.raw({ raw: strings }, ...values),
  {
    code: 'en' as const,
    word: same,
    part: () => undefined,
    operation: () => undefined,
    figure: same,
    stored: same,
    inText: lowerFirst,
  },
);

/** Joins the items of a list by semicolons; empty without any. */
export const joinItems = (items: readonly string[], t: Translator): string =>
  items.slice(1).reduce((list, one) => t`${list}; ${one}`, items[0] ?? '');

/** Lists the first names and the number of others: `a, b and 3 more`. */
export function listNames(names: readonly string[], limit: number, t: Translator): string {
  const omitted = names.length - limit;
  const list = names.slice(0, limit).join(', ');
  return omitted > 0 ? t`${list} and ${omitted} more` : list;
}
