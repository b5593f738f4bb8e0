import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Operation } from '../../domain/repair.ts';
import file from '../data/trade-words.json' with { type: 'json' };
import { describePart } from '../words.ts';

/** German and French terms, keyed by English term or code; a row may have other values before them. */
type Words = Readonly<Record<string, readonly string[] | undefined>>;
const [TERMS, OPERATIONS, PARTS]: readonly [Words, Words, Words] = [file.terms, file.operations, file.parts];

/** Part codes, keyed by lower-case English name. */
const PART_OF = new Map(Object.keys(PARTS).map((part) => [describePart(part).toLowerCase(), part]));
/** Optional mark or number, term, and trailing figures. */
const TERM = /^(✓ |\d+\. )?(.*?)([ \u00A0][€$£¥\d~].*)?$/;

/** Position of each language in a row. */
const LANGUAGES = { de: 0, fr: 1 } as const;
type Language = keyof typeof LANGUAGES;
const LANGUAGE_OF: ReadonlyMap<string, Language> = new Map([
  ['EU_GERMANY', 'de'],
  ['EU_FRANCE', 'fr'],
]);

/** Bilingual terms of an estimate: the region's own next to the English ones. */
export interface TradeWords {
  readonly language: Language | undefined;
  /** Appends the translation to an English term; trailing figures are kept, list items are translated one by one. */
  readonly bilingual: (english: string) => string;
  /** Translates the sentences of a note; those without a translation remain English. */
  readonly note: (english: string) => string;
  /** Returns the part name in the region's language, or in English if untranslated. */
  readonly name: (part: string) => string;
  /** Returns the English part name with the region's translation. */
  readonly nameBoth: (part: string) => string;
  /** Returns the legend of the given operation codes. */
  readonly explain: (operations: readonly Operation[]) => string;
}

/** Returns the trade terms of the estimate's region. */
export const findTradeWords = ({ meta }: Pick<AssessmentEnvelope, 'meta'>): TradeWords =>
  makeTradeWords(LANGUAGE_OF.get(meta.region));

function makeTradeWords(language: Language | undefined): TradeWords {
  const lookUp = (words: Words, key: string, before = 0) =>
    language === undefined ? undefined : words[key]?.[before + LANGUAGES[language]];
  const joinTerms = (english: string, translation: string | undefined) =>
    translation && translation !== english ? `${english} / ${translation}` : english;
  const findTerm = (english: string) =>
    lookUp(TERMS, english) ??
    lookUp(TERMS, english.toLowerCase()) ??
    lookUp(PARTS, PART_OF.get(english.toLowerCase()) ?? '');
  /** Splits text into prefix, term and suffix, with the term's translation. */
  const parse = (text: string) => {
    const [, before = '', term = '', after = ''] = TERM.exec(text) ?? [];
    const translation = findTerm(text);
    return translation
      ? { before: '', term: text, after: '', translation }
      : { before, term, after, translation: findTerm(term) };
  };
  const bilingual = (text: string): string => {
    const { before, term, after, translation } = parse(text);
    if (translation) return `${before}${joinTerms(term, translation)}${after}`;
    const pieces = text.split(', ');
    return pieces.length === 1 ? text : pieces.map(bilingual).join(', ');
  };
  const translateSentence = (text: string) => {
    const [, lead, phrase = ''] = /^(?:(Parts|Not chosen): )?(.*)\.$/.exec(text) ?? [];
    const whole = findTerm(phrase);
    const pieces = phrase.split(/; |, (?=with )/).map(parse);
    if (!whole && pieces.some(({ translation }) => !translation)) return text;
    const translation = whole ?? pieces.map((one) => `${one.translation}${one.after}`).join(', ');
    return `${lead === undefined ? '' : `${findTerm(lead)}: `}${translation}.`;
  };
  return {
    language,
    bilingual,
    note: (english) =>
      english
        .split(/(?<=\.) /)
        .map(translateSentence)
        .join(' '),
    name: (part) => lookUp(PARTS, part) ?? describePart(part),
    nameBoth: (part) => joinTerms(describePart(part), lookUp(PARTS, part)),
    explain: (operations) =>
      [...new Set(operations)]
        .flatMap((code) => {
          const [english] = OPERATIONS[code] ?? [];
          return english === undefined ? [] : [`${code} ${joinTerms(english, lookUp(OPERATIONS, code, 1))}`];
        })
        .join(', '),
  };
}

/** English terms without a translation. */
export const ENGLISH = makeTradeWords(undefined);
