import { MAX_DAMAGES, MAX_EXTENT_CM } from '../../contract/assessment/request.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { findGroup, PART_GROUPS, PART_NAMES } from '../../domain/parts.ts';
import { TYPE_ALIASES } from '../../domain/type-aliases.ts';
import { UNLISTED_PARTS } from '../../domain/unlisted-parts.ts';
import { parseDecimal } from '../../lib/numbers.ts';
import { describeDamage, describePart, describePlace, humanize } from '../../report/words.ts';
import type { Asker } from '../terminal/asker.ts';

const GROUP_WORDS = {
  exterior: 'Exterior panels',
  glass_and_lights: 'Glass and lights',
  mechanical: 'Mechanical',
} as const;
const PARTS = [
  ...PART_GROUPS.map((group) => ({
    heading: GROUP_WORDS[group],
    choices: PART_NAMES.filter((part) => findGroup(part) === group).map((part) => ({
      value: part,
      name: describePart(part),
    })),
  })),
  // Their names include the kind of damage, in the syntax of `--damage`.
  {
    heading: 'Mirrors, wheels, trim',
    choices: UNLISTED_PARTS.map((one) => ({ value: `${one.part}:${one.subtype}`, name: describePlace(one) })),
  },
];
const TYPES = [
  {
    heading: 'Types',
    choices: DAMAGE_TYPES.map((type) => ({ value: type, name: describeDamage(type) })),
  },
  {
    heading: 'Finer',
    choices: Object.keys(TYPE_ALIASES).map((alias) => ({ value: alias, name: humanize(alias) })),
  },
];
const SEVERITY_WORDS = {
  minor: 'Minor: surface only',
  moderate: 'Moderate: visible, cheap to repair',
  severe: 'Severe: complex repair',
  critical: 'Critical: structure or safety',
} as const;

/** Parses a typed number, also with a decimal comma; NaN for what may have a separator of thousands, such as `15.000`. */
const parseTyped = (text: string) =>
  /[.,]\d{3}\s*$/.test(text) ? Number.NaN : parseDecimal(text.replace(',', '.'));

const checkTyped = (max: number, needed: string) => (text: string) =>
  text.trim() === '' || (parseTyped(text) > 0 && parseTyped(text) <= max) || needed;
const checkLength = checkTyped(
  MAX_EXTENT_CM,
  `A length in cm above 0 and up to ${MAX_EXTENT_CM}, or nothing.`,
);
const checkAmount = checkTyped(Number.MAX_VALUE, 'An amount above 0 such as 15000, or nothing.');

/** Prompts for the damages of a vehicle one at a time, and returns them in the syntax of `--damage`. */
export async function askForDamages(asker: Asker): Promise<readonly string[]> {
  const damages: string[] = [];
  do {
    const part = await asker.search('Which part is damaged?', PARTS);
    const place = part.includes(':') ? part : `${part}:${await asker.search('What kind of damage?', TYPES)}`;
    const severity = await asker.select('How severe?', [
      ...SEVERITIES.map((tier) => ({ value: tier, name: SEVERITY_WORDS[tier] })),
      { value: '', name: 'Not known' },
    ]);
    const size = await asker.input('Longest extent in cm (empty: not known)', checkLength);
    const pieces = [place, severity, size.trim() && String(parseTyped(size))];
    while (pieces.at(-1) === '') pieces.pop();
    damages.push(pieces.join(':'));
  } while (damages.length < MAX_DAMAGES && (await asker.confirm('Another damage?', false)));
  return damages;
}

/** Prompts for the market value, which the total-loss rule needs; undefined if the user does not know it. */
export async function askMarketValue(asker: Asker, currency: string): Promise<number | undefined> {
  const question = `Market value of the vehicle in ${currency}, for the total loss (empty: not known)`;
  const typed = await asker.input(question, checkAmount);
  return typed.trim() === '' ? undefined : parseTyped(typed);
}
