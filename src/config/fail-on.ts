import { SEVERITIES, type Severity } from '../domain/damage.ts';
import { VehiError } from '../lib/errors.ts';
import { suggestNames } from '../lib/fields.ts';
import { parseDecimal } from '../lib/numbers.ts';

/** Conditions for a failed run (exit code 1). */
export interface FailConditions {
  /** Minimum severity that fails. */
  readonly failOn: Severity | 'none';
  /** Maximum estimated repair cost that passes, in the result's currency. */
  readonly failOnCost?: number;
  /** Minimum condition score that passes, 0 to 10. */
  readonly minScore?: number;
  /** True if any place to check fails: nobody has looked at it. */
  readonly failOnUnchecked?: boolean;
  /** Change in a comparison that fails: new damage, or new and changed damage. */
  readonly failOnChange?: 'new' | 'changed';
}

/** Syntax of a kind of condition: its keywords, or a pattern that captures a number of 0 to `max`. */
interface Syntax {
  readonly form: string;
  readonly words?: readonly string[];
  readonly pattern?: RegExp;
  readonly max?: number;
  readonly read: (word: string, number: number) => Partial<FailConditions>;
}

/** A kind of condition; a command accepts some of them. */
export type ConditionKind = 'severity' | 'cost' | 'score' | 'unchecked' | 'change';

const CONDITIONS: Readonly<Record<ConditionKind, Syntax>> = {
  severity: {
    form: `a severity (${SEVERITIES.join(', ')}: that or worse) or none`,
    words: [...SEVERITIES, 'none'],
    read: (word) => ({ failOn: word as Severity }),
  },
  cost: { form: 'cost>AMOUNT', pattern: /^cost\s*>(.+)$/, read: (_, failOnCost) => ({ failOnCost }) },
  score: {
    form: 'score<NUMBER (0 to 10)',
    pattern: /^score\s*<(.+)$/,
    max: 10,
    read: (_, minScore) => ({ minScore }),
  },
  unchecked: { form: 'unchecked', words: ['unchecked'], read: () => ({ failOnUnchecked: true }) },
  change: {
    form: 'new or changed (changed: new damage too)',
    words: ['new', 'changed'],
    read: (word) => ({ failOnChange: word as 'new' | 'changed' }),
  },
};

/** Condition kinds that each command accepts; a capture ends with an inspection. */
export const FAIL_ON_KINDS = {
  inspect: ['severity', 'cost', 'score', 'unchecked'],
  assess: ['severity', 'cost'],
  report: ['severity', 'unchecked'],
  compare: ['change'],
} as const satisfies Readonly<Record<string, readonly ConditionKind[]>>;

/** Lists the keywords of the given condition kinds. */
export function listFailOnWords(kinds: readonly ConditionKind[] = FAIL_ON_KINDS.inspect): readonly string[] {
  return kinds.flatMap((kind) => CONDITIONS[kind].words ?? []);
}

/**
 * Parses comma-separated conditions: `severe,cost>5000,score<6,unchecked`.
 * @param where origin of the value for messages: a flag, a variable, or a file and its key
 * @param kinds condition kinds allowed there
 * @throws VehiError kind `usage` naming the condition and the allowed ones
 */
export function parseFailOn(
  text: string,
  where = '--fail-on',
  kinds: readonly ConditionKind[] = FAIL_ON_KINDS.inspect,
): FailConditions {
  const forms = kinds.map((kind) => CONDITIONS[kind].form).join('; ');
  const conditions = new Map<ConditionKind, Partial<FailConditions>>();
  for (const given of text.split(',').map((one) => one.trim())) {
    const makeRefusal = (what: string, hint: string) => {
      const message = `${where}: ${JSON.stringify(given)} ${what}`;
      return new VehiError('usage', 'CONFIG_INVALID', message, { field: 'fail_on', hint });
    };
    const kind = kinds.find((one) => CONDITIONS[one].words?.includes(given) || readNumber(given, one) >= 0);
    if (kind === undefined)
      throw makeRefusal(`is not a condition; allowed: ${forms}.`, explainCondition(given, where, kinds));
    const rule = `One of each kind, with commas between: ${forms}`;
    if (conditions.has(kind)) throw makeRefusal('is the second condition of its kind.', rule);
    conditions.set(kind, CONDITIONS[kind].read(given, readNumber(given, kind)));
  }
  return Object.assign({ failOn: 'none' }, ...conditions.values());
}

/** Returns the number of a condition of this kind; NaN for other text, and outside the range. */
function readNumber(given: string, kind: ConditionKind): number {
  const { pattern, max = Number.POSITIVE_INFINITY } = CONDITIONS[kind];
  const number = parseDecimal(pattern?.exec(given)?.[1] ?? '');
  return number >= 0 && number <= max ? number : Number.NaN;
}

/** Explains an unusable condition: of another command, truncated by the shell, without its form, or misspelled. */
function explainCondition(given: string, where: string, kinds: readonly ConditionKind[]): string {
  if (listFailOnWords(['change']).includes(given))
    return `Compare it: vehi compare BEFORE.json AFTER.json --fail-on ${given}`;
  if (/^\d/.test(given) && kinds.includes('cost'))
    return 'An amount has no separator of thousands, for example cost>5000';
  const kind = (['cost', 'score'] as const).find((one) => given.startsWith(one));
  if (kind === undefined) return suggestNames(given, listFailOnWords(kinds), 'Words:');
  const [example, takers] = kind === 'cost' ? ['cost>5000', 'inspect and assess'] : ['score<6', 'inspect'];
  if (!kinds.includes(kind)) return `A ${kind} is a condition of vehi ${takers}.`;
  if (given !== kind || !where.startsWith('--')) return `For example ${example}`;
  return `Quote it, because the shell interprets > and <: --fail-on "${example}"`;
}
