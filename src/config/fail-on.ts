import { SEVERITIES, type Severity } from '../domain/damage.ts';
import { VehiError } from '../lib/errors.ts';
import { suggestNames } from '../lib/fields.ts';

/** What makes a run fail (exit code 1). */
export interface FailConditions {
  /** This severity or a worse one. */
  readonly failOn: Severity | 'none';
  /** Highest estimated repair cost that still passes, in the result's currency. */
  readonly failOnCost?: number;
  /** Lowest condition score that still passes. */
  readonly minScore?: number;
  /** Whether any place to check fails. */
  readonly failOnUnchecked?: boolean;
  /** Damage that is new since the earlier inspection, or new or worse. */
  readonly failOnChange?: 'new' | 'worse';
  /** Damage that is not fair wear by --standard. */
  readonly failOnChargeable?: boolean;
}

/** The values of `--fail-on` that are words; completion offers them. */
export const FAIL_ON_WORDS = [...SEVERITIES, 'none', 'unchecked', 'new', 'worse', 'chargeable'] as const;

const SEVERITIES_OR_NONE = ['none', ...SEVERITIES] as const;

/** Each kind of condition: how it is written, and its reader. */
const CONDITIONS = {
  severity: {
    form: `a severity (${SEVERITIES.join(', ')}: that or worse) or none`,
    read(text: string): Partial<FailConditions> | undefined {
      const failOn = SEVERITIES_OR_NONE.find((severity) => severity === text);
      return failOn && { failOn };
    },
  },
  cost: {
    form: 'cost>AMOUNT',
    read(text: string): Partial<FailConditions> | undefined {
      const amount = /^cost\s*>\s*(\d+(?:\.\d+)?)$/.exec(text)?.[1];
      return amount === undefined ? undefined : { failOnCost: Number(amount) };
    },
  },
  score: {
    form: 'score<NUMBER (0 to 10)',
    read(text: string): Partial<FailConditions> | undefined {
      const score = Number(/^score\s*<\s*(\d+(?:\.\d+)?)$/.exec(text)?.[1] ?? Number.NaN);
      return score <= 10 ? { minScore: score } : undefined;
    },
  },
  unchecked: {
    form: 'unchecked',
    read: (text: string): Partial<FailConditions> | undefined =>
      text === 'unchecked' ? { failOnUnchecked: true } : undefined,
  },
  change: {
    form: 'new or worse (since --baseline; worse: new or worse)',
    read: (text: string): Partial<FailConditions> | undefined =>
      text === 'new' || text === 'worse' ? { failOnChange: text } : undefined,
  },
  standard: {
    form: 'chargeable (by --standard)',
    read: (text: string): Partial<FailConditions> | undefined =>
      text === 'chargeable' ? { failOnChargeable: true } : undefined,
  },
} as const;
type ConditionKind = keyof typeof CONDITIONS;

/**
 * Parses conditions with commas between: `severe,cost>5000,score<6,unchecked`.
 * @param where what names the value in a message: a flag, a variable, a file and its key
 * @param kinds the conditions that mean something there
 * @throws VehiError kind `usage` that names the condition, and what is possible
 */
export function parseFailOn(
  text: string,
  where = '--fail-on',
  kinds: readonly ConditionKind[] = Object.keys(CONDITIONS) as ConditionKind[],
): FailConditions {
  const possible = kinds.map((kind) => CONDITIONS[kind].form).join('; ');
  const found = new Map<ConditionKind, Partial<FailConditions>>();
  for (const given of text.split(',').map((one) => one.trim())) {
    const kind = kinds.find((one) => CONDITIONS[one].read(given) !== undefined);
    if (kind === undefined)
      throw makeConditionError(
        `${where}: ${JSON.stringify(given)} is no condition; possible: ${possible}.`,
        /^(cost|score)/.test(given)
          ? `In quotes, as the shell reads > and < itself: --fail-on "cost>5000"`
          : suggestNames(given, FAIL_ON_WORDS, 'Words:'),
      );
    if (found.has(kind))
      throw makeConditionError(
        `${where}: ${JSON.stringify(given)} is the second condition of its kind.`,
        `One of each kind, with commas between: ${possible}`,
      );
    found.set(kind, CONDITIONS[kind].read(given) ?? {});
  }
  return Object.assign({ failOn: 'none' }, ...found.values());
}

const makeConditionError = (message: string, hint: string) =>
  new VehiError('usage', 'CONFIG_INVALID', message, { field: 'fail_on', hint });
