import { SEVERITIES, type Severity } from '../domain/damage.ts';
import { VehiError } from '../lib/errors.ts';
import { suggestNames } from '../lib/fields.ts';

/** Conditions for a failed run (exit code 1). */
export interface FailConditions {
  /** Minimum severity that fails. */
  readonly failOn: Severity | 'none';
  /** Maximum estimated repair cost that passes, in the result's currency. */
  readonly failOnCost?: number;
  /** Minimum condition score that passes, 0 to 10. */
  readonly minScore?: number;
  /** True if any place to check fails. */
  readonly failOnToCheck?: boolean;
  /** Damage of a comparison that fails: new, or new or worse. */
  readonly failOnChange?: 'new' | 'worse';
}

const SEVERITIES_OR_NONE = ['none', ...SEVERITIES] as const;

/** Syntax, keywords and parser of each condition kind. */
const CONDITIONS = {
  severity: {
    form: `a severity (${SEVERITIES.join(', ')}: that or worse) or none`,
    words: [...SEVERITIES, 'none'],
    read(text: string): Partial<FailConditions> | undefined {
      const failOn = SEVERITIES_OR_NONE.find((severity) => severity === text);
      return failOn && { failOn };
    },
  },
  cost: {
    form: 'cost>AMOUNT',
    words: [],
    read(text: string): Partial<FailConditions> | undefined {
      const amount = /^cost\s*>\s*(\d+(?:\.\d+)?)$/.exec(text)?.[1];
      return amount === undefined ? undefined : { failOnCost: Number(amount) };
    },
  },
  score: {
    form: 'score<NUMBER (0 to 10)',
    words: [],
    read(text: string): Partial<FailConditions> | undefined {
      const score = Number(/^score\s*<\s*(\d+(?:\.\d+)?)$/.exec(text)?.[1] ?? Number.NaN);
      return score <= 10 ? { minScore: score } : undefined;
    },
  },
  unchecked: {
    form: 'unchecked',
    words: ['unchecked'],
    read: (text: string): Partial<FailConditions> | undefined =>
      text === 'unchecked' ? { failOnToCheck: true } : undefined,
  },
  change: {
    form: 'new or worse (worse: new or worse)',
    words: ['new', 'worse'],
    read: (text: string): Partial<FailConditions> | undefined =>
      text === 'new' || text === 'worse' ? { failOnChange: text } : undefined,
  },
} as const;
type ConditionKind = keyof typeof CONDITIONS;

/** Condition kinds of the commands that accept only some. */
export const FAIL_ON_KINDS = {
  assess: ['severity', 'cost'],
  report: ['severity', 'unchecked'],
  compare: ['change'],
} as const satisfies Readonly<Record<string, readonly ConditionKind[]>>;

/** Condition kinds of an inspection, which has nothing to compare with. */
const INSPECTION_KINDS: readonly ConditionKind[] = ['severity', 'cost', 'score', 'unchecked'];

/** Lists the keywords of the given condition kinds. */
export function listFailOnWords(kinds: readonly ConditionKind[] = INSPECTION_KINDS): readonly string[] {
  return kinds.flatMap((kind): readonly string[] => CONDITIONS[kind].words);
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
  kinds: readonly ConditionKind[] = INSPECTION_KINDS,
): FailConditions {
  const forms = kinds.map((kind) => CONDITIONS[kind].form).join('; ');
  const conditions = new Map<ConditionKind, Partial<FailConditions>>();
  for (const given of text.split(',').map((one) => one.trim())) {
    const kind = kinds.find((one) => CONDITIONS[one].read(given) !== undefined);
    if (kind === undefined)
      throw makeConditionError(
        `${where}: ${JSON.stringify(given)} is no condition; possible: ${forms}.`,
        explainCondition(given, kinds),
      );
    if (conditions.has(kind))
      throw makeConditionError(
        `${where}: ${JSON.stringify(given)} is the second condition of its kind.`,
        `One of each kind, with commas between: ${forms}`,
      );
    conditions.set(kind, CONDITIONS[kind].read(given) ?? {});
  }
  return Object.assign({ failOn: 'none' }, ...conditions.values());
}

/** Explains an unusable condition: one that only a comparison has, one that the shell cut, or a misspelt word. */
function explainCondition(given: string, kinds: readonly ConditionKind[]): string {
  if (CONDITIONS.change.read(given))
    return `Compare it: vehi compare BEFORE.json AFTER.json --fail-on ${given}`;
  return /^(cost|score)/.test(given)
    ? `In quotes, as the shell reads > and < itself: --fail-on "cost>5000"`
    : suggestNames(given, listFailOnWords(kinds), 'Words:');
}

const makeConditionError = (message: string, hint: string) =>
  new VehiError('usage', 'CONFIG_INVALID', message, { field: 'fail_on', hint });
