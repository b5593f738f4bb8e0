import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Operation } from '../../domain/repair.ts';

/** Terms of an estimate in the language of its region, by their English ones. */
const WORDS = {
  de: {
    'Lines of the estimate': 'Kalkulation',
    'No.': 'Pos.',
    Part: 'Teil',
    'Labour h': 'Lohn h',
    'Paint h': 'Lack h',
    Price: 'Preis',
    'Tax on': 'Steuer',
    Amount: 'Betrag',
    Parts: 'Ersatzteile',
    Labour: 'Arbeitslohn',
    Paint: 'Lackierung',
    'Other costs': 'Nebenkosten',
    'As seen, net': 'Summe netto',
    'As seen, gross': 'Summe brutto',
    VAT: 'MwSt.',
  },
  fr: {
    'Lines of the estimate': 'Devis',
    'No.': 'N°',
    Part: 'Pièce',
    'Labour h': 'M.O. h',
    'Paint h': 'Pein. h',
    Price: 'Prix',
    'Tax on': 'Taxe',
    Amount: 'Montant',
    Parts: 'Pièces',
    Labour: "Main-d'œuvre",
    Paint: 'Peinture',
    'Other costs': 'Frais annexes',
    'As seen, net': 'Total HT',
    'As seen, gross': 'Total TTC',
    VAT: 'TVA',
  },
} as const;

/** Operations in words: English, German, French. */
const OPERATIONS: Partial<Record<Operation, readonly [en: string, de: string, fr: string]>> = {
  'R&R': ['remove and replace', 'erneuern', 'remplacer'],
  'R&I': ['remove and install', 'aus- und einbauen', 'déposer et reposer'],
  Rpr: ['repair', 'instand setzen', 'réparer'],
  Sect: ['replace a section', 'Teilersatz', 'remplacement partiel'],
  Refn: ['refinish', 'lackieren', 'peindre'],
  Clear: ['clear coat', 'Klarlack', 'vernis'],
  '3-stg': ['three-stage paint', 'Dreischichtlack', 'tricouche'],
  Blnd: ['blend', 'beilackieren', 'raccord'],
  PDR: ['push dents out', 'ausbeulen ohne Lackieren', 'débosselage sans peinture'],
  'O/H': ['overhaul', 'zerlegen und prüfen', 'réviser'],
  Algn: ['align or aim', 'einstellen', 'régler'],
  Pol: ['polish', 'polieren', 'polir'],
  Tch: ['touch up', 'ausbessern', 'retoucher'],
  Setup: ['set up and measure', 'aufspannen und messen', 'mise au marbre'],
  Pull: ['pull', 'richten', 'redresser'],
  Subl: ['sublet', 'Fremdleistung', 'sous-traitance'],
  Add: ['additional', 'zusätzlich', 'supplément'],
  Adj: ['adjustment', 'Ausgleich', 'ajustement'],
};

type Language = keyof typeof WORDS;
const LANGUAGE_OF: ReadonlyMap<string, Language> = new Map([
  ['EU_GERMANY', 'de'],
  ['EU_FRANCE', 'fr'],
]);

/** How an estimate is said where its region has words of its own: next to the English ones. */
export interface TradeWords {
  readonly language: Language | undefined;
  /** Returns an English term with the region's. */
  readonly say: (english: string) => string;
  /** Returns what the codes of these operations mean. */
  readonly explain: (operations: readonly Operation[]) => string;
}

/** Returns the words of the region that an estimate was priced in. */
export const findTradeWords = ({ meta }: Pick<AssessmentEnvelope, 'meta'>): TradeWords =>
  makeTradeWords(LANGUAGE_OF.get(meta.region));

function makeTradeWords(language: Language | undefined): TradeWords {
  const own: Readonly<Record<string, string>> = language === undefined ? {} : WORDS[language];
  return {
    language,
    say: (english) => (own[english] === undefined ? english : `${english} / ${own[english]}`),
    explain: (operations) =>
      [...new Set(operations)]
        .flatMap((code) => {
          const [en, de, fr] = OPERATIONS[code] ?? [];
          if (en === undefined) return [];
          const translated = language === undefined ? undefined : { de, fr }[language];
          return [`${code} ${translated === undefined ? en : `${en} / ${translated}`}`];
        })
        .join(', '),
  };
}

/** The words of an estimate without those of a region. */
export const ENGLISH = makeTradeWords(undefined);
