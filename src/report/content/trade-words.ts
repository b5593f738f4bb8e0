import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Operation } from '../../domain/repair.ts';
import file from '../data/trade-words.json' with { type: 'json' };
import { describePart } from '../words.ts';

/** Words by their English term or code: German, French, after what else the row holds. */
type Words = Readonly<Record<string, readonly string[] | undefined>>;
const [TERMS, OPERATIONS, PARTS]: readonly [Words, Words, Words] = [file.terms, file.operations, file.parts];

/** The codes of parts by their English names, lower case. */
const PART_OF = new Map(Object.keys(PARTS).map((part) => [describePart(part).toLowerCase(), part]));
/** A mark or number before a term, the term, and the figures after it. */
const TERM = /^(✓ |\d+\. )?(.*?)([ \u00A0][€$£¥\d~].*)?$/;

/** Where each language stands in a row. */
const LANGUAGES = { de: 0, fr: 1 } as const;
type Language = keyof typeof LANGUAGES;
const LANGUAGE_OF: ReadonlyMap<string, Language> = new Map([
  ['EU_GERMANY', 'de'],
  ['EU_FRANCE', 'fr'],
]);

/** How an estimate is said where its region has words of its own: next to the English ones. */
export interface TradeWords {
  readonly language: Language | undefined;
  /** Returns an English term with the region's; figures at its end are kept, terms of a list are looked up one by one. */
  readonly say: (english: string) => string;
  /** Returns the sentences of a note in the region's words, those that it lacks in English. */
  readonly note: (english: string) => string;
  /** Returns the name of a part as the region has it, else the English one. */
  readonly name: (part: string) => string;
  /** Returns the English name of a part with the region's. */
  readonly nameBoth: (part: string) => string;
  /** Returns what the codes of these operations mean. */
  readonly explain: (operations: readonly Operation[]) => string;
}

/** Returns the words of the region that an estimate was priced in. */
export const findTradeWords = ({ meta }: Pick<AssessmentEnvelope, 'meta'>): TradeWords =>
  makeTradeWords(LANGUAGE_OF.get(meta.region));

function makeTradeWords(language: Language | undefined): TradeWords {
  const find = (words: Words, key: string, before = 0) =>
    language === undefined ? undefined : words[key]?.[before + LANGUAGES[language]];
  const both = (english: string, own: string | undefined) =>
    own && own !== english ? `${english} / ${own}` : english;
  const findTerm = (english: string) =>
    find(TERMS, english) ??
    find(TERMS, english.toLowerCase()) ??
    find(PARTS, PART_OF.get(english.toLowerCase()) ?? '');
  /** Returns what a term is followed by, and the term in the region's words. */
  const parse = (text: string) => {
    const [, before = '', term = '', after = ''] = TERM.exec(text) ?? [];
    const own = findTerm(text);
    return own ? { before: '', term: text, after: '', own } : { before, term, after, own: findTerm(term) };
  };
  const say = (text: string): string => {
    const { before, term, after, own } = parse(text);
    if (own) return `${before}${both(term, own)}${after}`;
    const pieces = text.split(', ');
    return pieces.length === 1 ? text : pieces.map(say).join(', ');
  };
  const saySentence = (text: string) => {
    const [, lead, said = ''] = /^(?:(Parts|Not chosen): )?(.*)\.$/.exec(text) ?? [];
    const whole = findTerm(said);
    const pieces = said.split(/; |, (?=with )/).map(parse);
    if (!whole && pieces.some(({ own }) => !own)) return text;
    const own = whole ?? pieces.map((one) => `${one.own}${one.after}`).join(', ');
    return `${lead === undefined ? '' : `${findTerm(lead)}: `}${own}.`;
  };
  return {
    language,
    say,
    note: (english) =>
      english
        .split(/(?<=\.) /)
        .map(saySentence)
        .join(' '),
    name: (part) => find(PARTS, part) ?? describePart(part),
    nameBoth: (part) => both(describePart(part), find(PARTS, part)),
    explain: (operations) =>
      [...new Set(operations)]
        .flatMap((code) => {
          const [english] = OPERATIONS[code] ?? [];
          return english === undefined ? [] : [`${code} ${both(english, find(OPERATIONS, code, 1))}`];
        })
        .join(', '),
  };
}

/** The words of an estimate without those of a region. */
export const ENGLISH = makeTradeWords(undefined);
