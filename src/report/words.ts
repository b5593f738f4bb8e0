import type { Damage } from '../contract/inspection.ts';
import type { FindingDecision } from '../contract/review.ts';
import { DAMAGE_SUBTYPES, DAMAGE_TYPES, type PartUncertainty, type Severity } from '../domain/damage.ts';
import { findWords, nameState } from '../domain/damage-words.ts';
import { isPartName, namePartInText, type PartName, splitPosition, splitSide } from '../domain/parts.ts';
import { nameLineItem, type Operation } from '../domain/repair.ts';
import { isUnlisted, type UnlistedSubtype } from '../domain/unlisted-parts.ts';
import { compact } from '../lib/lists.ts';
import { capitalize, english, type Translator } from './translator.ts';

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  pdr: 'PDR',
  oem: 'OEM',
  adas: 'ADAS',
};

/** Names of repair types that do not follow from their code. */
const REPAIR_WORDS: Readonly<Record<string, string>> = {
  cosmetic: 'Cosmetic repair',
  pdr: 'Paintless dent repair',
  structural: 'Structural repair',
};

const OPERATION_WORDS: Readonly<Record<Operation, string>> = {
  'R&R': 'remove and replace',
  'R&I': 'remove and install',
  Rpr: 'repair',
  Sect: 'replace a section',
  Refn: 'refinish',
  Clear: 'clear coat',
  '3-stg': 'three-stage paint',
  Blnd: 'blend',
  PDR: 'push dents out',
  'O/H': 'overhaul',
  Algn: 'align or aim',
  Pol: 'polish',
  Tch: 'touch up',
  Setup: 'set up and measure',
  Pull: 'pull',
  Subl: 'sublet',
  Add: 'additional',
  Adj: 'adjustment',
};

/** Past participle of each review decision. */
export const DECISION_WORDS = {
  accept: 'accepted',
  reject: 'rejected',
  change: 'changed',
  add: 'added',
  merge: 'merged',
} as const satisfies Record<FindingDecision['decision'], string>;

/** Returns the name of a contract repair type: `pdr` → `Paintless dent repair`. */
export function describeRepair(type: string, t = english): string {
  return t.word(REPAIR_WORDS[type] ?? humanize(type));
}

/** Returns the name of an operation of an estimate: `R&I` → `remove and install`. */
export const describeOperation = (operation: Operation, t = english): string =>
  t.operation(operation) ?? OPERATION_WORDS[operation];

/** Returns the name of a repair option; that of several light repairs joins their names. */
export function nameOption(option: string, t = english): string {
  const name = t.word(humanize(option));
  const methods = option.split('_and_');
  if (t.code === 'en' || name !== humanize(option) || methods.length === 1) return name;
  return methods.map((method) => t.word(humanize(method))).join(' + ');
}

/** Converts a code to words: `pdr_and_paint` → `PDR and paint`. */
export function humanize(code: string): string {
  const words = code.split('_').filter(Boolean);
  const text = words
    .map((word) => (Object.hasOwn(ABBREVIATIONS, word) ? ABBREVIATIONS[word] : word))
    .join(' ');
  return capitalize(text);
}

/** Ends a text with a full stop, unless it already ends a sentence. */
export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Returns the name of a part, `Front door, left`; unlisted codes are converted to words. */
export function describePart(part: string, t = english): string {
  const translated = t.part(part);
  if (translated !== undefined) return translated;
  if (!isPartName(part)) return humanize(nameLineItem(part));
  const { name, position } = splitPosition(part);
  return capitalize(compact([name, position]).join(', '));
}

export const describeDepartment = (department: string, t = english): string =>
  t.word(department === 'materials' ? 'Paint materials' : humanize(department));

/** Returns the name of a part for use in a sentence: `right headlight`. */
export function describePartInText(part: string, t = english): string {
  return t.code === 'en' ? namePartInText(part) : t.inText(describePart(part, t));
}

/** Ambiguities of the part in a close-up. */
const OPEN_WORDS = {
  part: 'or the next part?',
  side: 'left or right?',
} as const satisfies Record<PartUncertainty, string>;

/** Returns the part of a finding with its ambiguity: `Quarter panel (left or right?)`. */
export function describeFindingPart(
  { part, uncertain }: { readonly part: PartName; readonly uncertain?: PartUncertainty | undefined },
  t = english,
): string {
  if (uncertain === undefined) return describePart(part, t);
  const open = uncertain === 'part' ? part : splitSide(part).base;
  return `${describePart(open, t)} (${t.word(OPEN_WORDS[uncertain])})`;
}

/** Names of components next to a listed part, by subtype. */
const COMPONENT_WORDS = {
  mirror_damage: 'Mirror',
  grille_damage: 'Grille',
  wheel_damage: 'Wheel',
  tyre_damage: 'Tire',
  liner_damage: 'Wheel liner',
  rocker_damage: 'Sill or rocker',
  trim_damage: 'Molding or trim',
} as const satisfies Record<UnlistedSubtype, string>;

/** Returns the name of the repaired item: a part, or the component next to it, `Mirror (front door, left)`. */
export function describePlace(
  { part, subtype }: { readonly part: string; readonly subtype?: string | undefined },
  t = english,
): string {
  return describeRepairedPlace(part, [{ subtype }], t);
}

/** Returns the name of a repair row: `Front fender, left + wheel`, of components alone `Mirror (front door, left)`. */
export function describeRepairedPlace(
  part: string,
  damages: readonly { readonly subtype?: string | undefined }[],
  t = english,
): string {
  const subtypes = [...new Set(damages.map(({ subtype }) => subtype))];
  const components = subtypes.filter(isUnlisted).map((one) => t.inText(t.word(COMPONENT_WORDS[one])));
  const name = describePart(part, t);
  const isAlone = components.length > 0 && subtypes.every(isUnlisted);
  return isAlone
    ? `${capitalize(components.join(' + '))} (${t.inText(name)})`
    : [name, ...components].join(' + ');
}

/** Returns the name of a damage, or of its subtype: `Rocker scratch`; broken glass of a lamp is a broken lamp. */
export function describeDamage(type: string, subtype?: string, part = '', t = english): string {
  return capitalize(describeDamageInText(type, subtype, part, t));
}

/** Returns the name of a damage within a sentence: `rocker scratch`. */
export function describeDamageInText(type: string, subtype?: string, part = '', t = english): string {
  const kind = readKind(type, subtype, part);
  return kind ? sayDamage(kind, t) : t.inText(t.word(humanize(subtype ?? type)));
}

type DamageKind = Parameters<typeof findWords>[0];

/** Returns a damage with its known type and subtype; undefined if either is unknown. */
function readKind(type: string, subtype: string | undefined, part: string): DamageKind | undefined {
  const known = DAMAGE_TYPES.find((one) => one === type);
  const finer = DAMAGE_SUBTYPES.find((one) => one === subtype);
  const isKnown = subtype === undefined || subtype === type || finer !== undefined;
  return known && isKnown ? { type: known, subtype: finer, part } : undefined;
}

/** Writes the everyday word for a damage, `rocker scratch`, or its plural. */
export function sayDamage(kind: DamageKind, t: Translator, isPlural = false): string {
  const { component, words } = findWords(kind, isPlural);
  switch (component) {
    case 'rocker':
      return t`rocker ${t.word(words)}`;
    case 'wheel':
      return t`wheel ${t.word(words)}`;
    case 'mirror':
      return t`mirror ${t.word(words)}`;
    default:
      return t.word(words);
  }
}

/** Returns whether the name of a finding includes its severity: a missing part has none. */
export const hasDegree = (subtype: string | undefined): boolean => subtype !== 'missing_part';

const toAdverb = (severity: Severity) => (severity === 'minor' ? 'slightly' : `${severity}ly`);

interface GradedDamage {
  readonly type: string;
  readonly subtype?: string | undefined;
  readonly severity: Severity;
  readonly part: string;
}

/** Describes a damage with its severity, if it has one: `severe dent`, `severely bent or torn`. */
export function describeSevereDamage({ type, subtype, severity, part }: GradedDamage, t = english): string {
  const damage = describeDamageInText(type, subtype, part, t);
  if (!hasDegree(subtype)) return damage;
  const kind = readKind(type, subtype, part);
  // Other languages add the severity at the end.
  const state = t.code === 'en' && kind && nameState(kind, toAdverb(severity));
  if (state) return state;
  switch (severity) {
    case 'minor':
      return t`minor ${damage}`;
    case 'moderate':
      return t`moderate ${damage}`;
    case 'severe':
      return t`severe ${damage}`;
    case 'critical':
      return t`critical ${damage}`;
  }
}

/** Names a finding in full: `severe dent, Hood`; shorter forms are `severe dent` and `Dent`. */
export function nameFinding(
  finding: GradedDamage & Parameters<typeof describeFindingPart>[0],
  t = english,
): string {
  return `${describeSevereDamage(finding, t)}, ${describeFindingPart(finding, t)}`;
}

/** Names a finding of a result at the start of a text: `Severe dent, Hood`. */
export const describeFinding = (finding: Damage, t = english): string =>
  capitalize(nameFinding({ ...finding, ...finding.location }, t));

/** Describes the subject of a `not_assessed` entry: a side of the vehicle, a photo's file name, or `mechanical`. */
export function describeSubject(what: string, t = english): string {
  if (what === 'left' || what === 'right') return t.word(`${humanize(what)} side`);
  return /^[a-z_]+$/.test(what) ? t.word(humanize(what)) : what;
}

type LineWords = Readonly<
  Record<'part', string> & Partial<Record<'because_of' | 'operation' | 'department', string>>
>;

/** Describes a line item's part and the panel that causes it; a repair by the paint department is a spot repair. */
export function describeLine(
  { part, because_of: because, operation, department }: LineWords,
  t = english,
): string {
  const spot = operation === 'Rpr' && department === 'refinish';
  const own = spot ? `${describePart(part, t)}, ${t`spot repair`}` : describePart(part, t);
  return because === undefined || because === part ? own : `${own} (${describePart(because, t)})`;
}
