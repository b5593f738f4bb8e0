import { SEVERITIES, type Severity } from '../domain/damage.ts';
import { VehiError } from '../lib/errors.ts';
import { findNearest } from '../lib/names.ts';
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

export type FailingCommand = 'inspect' | 'capture' | 'assess' | 'report' | 'compare';

type ConditionKind = 'severity' | 'cost' | 'score' | 'unchecked' | 'change';

/** Syntax of a kind of condition: its keywords, or a pattern that captures a number of 0 to `max`. */
interface Syntax {
  readonly commands: readonly FailingCommand[];
  readonly form: string;
  readonly words?: readonly string[];
  readonly pattern?: RegExp;
  readonly max?: number;
  readonly read: (word: string, number: number) => Partial<FailConditions>;
}

const CONDITIONS: Readonly<Record<ConditionKind, Syntax>> = {
  severity: {
    commands: ['inspect', 'capture', 'assess', 'report'],
    form: `a severity (${SEVERITIES.join(', ')}: that or worse) or none`,
    words: [...SEVERITIES, 'none'],
    read: (word) => ({ failOn: word as Severity }),
  },
  cost: {
    commands: ['inspect', 'capture', 'assess'],
    form: 'cost>5000 (without separators of thousands)',
    pattern: /^cost\s*>(.+)$/,
    read: (_, failOnCost) => ({ failOnCost }),
  },
  score: {
    commands: ['inspect', 'capture'],
    form: 'score<6 (0 to 10)',
    pattern: /^score\s*<(.+)$/,
    max: 10,
    read: (_, minScore) => ({ minScore }),
  },
  unchecked: {
    commands: ['inspect', 'capture', 'report'],
    form: 'unchecked',
    words: ['unchecked'],
    read: () => ({ failOnUnchecked: true }),
  },
  change: {
    commands: ['compare'],
    form: 'new or changed (changed: new damage too)',
    words: ['new', 'changed'],
    read: (word) => ({ failOnChange: word as 'new' | 'changed' }),
  },
};

const KINDS = Object.keys(CONDITIONS) as readonly ConditionKind[];
const accepts = (command: FailingCommand) => (kind: ConditionKind) =>
  CONDITIONS[kind].commands.includes(command);

/** Lists the keywords of the conditions that a command accepts. */
export function listFailOnWords(command: FailingCommand): readonly string[] {
  return KINDS.filter(accepts(command)).flatMap((kind) => CONDITIONS[kind].words ?? []);
}

/**
 * Parses comma-separated conditions: `severe,cost>5000,score<6,unchecked`.
 * @param where origin of the value for messages: a flag, a variable, or a file and its key
 * @param command decides which kinds of conditions are accepted
 * @throws VehiError kind `usage` naming the condition and the allowed ones
 */
export function parseFailOn(
  text: string,
  where = '--fail-on',
  command: FailingCommand = 'inspect',
): FailConditions {
  const kinds = KINDS.filter(accepts(command));
  const forms = kinds.map((kind) => CONDITIONS[kind].form).join('; ');
  const conditions = new Map<ConditionKind, Partial<FailConditions>>();
  // A comma within a number does not separate.
  for (const given of text.split(/,(?!\d)/).map((one) => one.trim())) {
    const makeRefusal = (what: string, hint: string | undefined) => {
      const message = `${where}: ${JSON.stringify(given)} ${what}`;
      return new VehiError('usage', 'CONFIG_INVALID', message, { field: 'fail_on', hint });
    };
    const kind = kinds.find((one) => CONDITIONS[one].words?.includes(given) || readNumber(given, one) >= 0);
    if (kind === undefined)
      throw makeRefusal(`is not a condition; allowed: ${forms}.`, explainCondition(given, where, command));
    if (conditions.has(kind)) throw makeRefusal(`is a second condition of ${kind}.`, 'Give one of them.');
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

/** Explains an unusable condition: of other commands, truncated by the shell, or misspelled. */
function explainCondition(given: string, where: string, command: FailingCommand): string | undefined {
  const kind = KINDS.find((one) => CONDITIONS[one].words?.includes(given) || given.startsWith(one));
  if (kind && !accepts(command)(kind))
    return `It is a condition of vehi ${CONDITIONS[kind].commands.join(', ')}.`;
  if (kind && given === kind && CONDITIONS[kind].pattern && where.startsWith('--'))
    return 'Quote it, because the shell interprets > and <.';
  const nearest = findNearest(given, listFailOnWords(command));
  return nearest && `Did you mean ${nearest}?`;
}
