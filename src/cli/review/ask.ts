import type { Damage } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import { OUTSIDE_PARTS } from '../../domain/parts.ts';
import { listFittingTypes, listPossibleTypes } from '../../domain/possible.ts';
import { isToCheck } from '../../engine/review/apply.ts';
import { escapeName } from '../../lib/display-name.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatMoneyRange, formatPercent, formatSize } from '../../report/figures.ts';
import { DECISION_WORDS, describeDamage, describeFindPart, describePart } from '../../report/words.ts';
import { type Asker, isLeft } from '../terminal/asker.ts';

/** What was decided by questions, and whether Ctrl-C ended them. */
export interface Answers {
  readonly decisions: readonly Decision[];
  readonly interrupted: boolean;
}

/** How a finding is shown, and where what is decided goes. */
interface Desk {
  /** Prints what is known of a finding. */
  show(line: string): Promise<void>;
  /** Returns the close-up of a finding, or where it is. */
  closeUp(damage: Damage): Promise<string>;
  /** Keeps all that is decided so far; called after each answer. @throws VehiError input where it cannot be so */
  keep(decisions: readonly Decision[]): Promise<void>;
}

/**
 * Asks for a decision on every damage, then on every place to check, from the first on that nobody decided before.
 * What was decided before Ctrl-C is kept, and so is what a page decided that no question is about.
 */
export async function askDecisions(
  damages: readonly Damage[],
  before: readonly Decision[],
  asker: Asker,
  desk: Desk,
): Promise<Answers> {
  let decisions = before;
  const decisionOn = ({ damage_id }: Damage) =>
    decisions.find((one): one is OnFinding => 'damage_id' in one && one.damage_id === damage_id);
  const decide = async (damage: Damage, decided: Decision | undefined) => {
    const earlier = decisionOn(damage);
    const next = [...decisions.filter((one) => one !== earlier), ...(decided ? [decided] : [])];
    await desk.keep(next);
    decisions = next;
  };
  const open = damages.findIndex((damage) => decisionOn(damage) === undefined);
  try {
    for (let index = Math.max(0, open); index < damages.length; ) {
      const damage = damages[index] as Damage;
      const decided = decisionOn(damage);
      await desk.show(`\n${describe(damage)}\n${await desk.closeUp(damage)}`);
      const answer = await asker.select(
        `Finding ${index + 1} of ${damages.length}${decided ? `, ${describeDecision(decided)} so far` : ''}`,
        [
          ...(decided ? [{ value: 'keep', name: `Keep it ${describeDecision(decided)}` } as const] : []),
          ...VERDICTS.filter(({ value }) => value !== decided?.decision),
          { value: 'change', name: 'Change its part, type or severity' },
          { value: 'leave', name: 'Leave it undecided and go on' },
          ...(index > 0 ? [{ value: 'back', name: 'Back to the one before' } as const] : []),
          { value: 'stop', name: 'Stop here and keep the rest as found' },
        ] as const,
      );
      if (answer === 'stop') break;
      if (answer === 'back') {
        index--;
        continue;
      }
      const { damage_id } = damage;
      try {
        if (answer === 'change') await decide(damage, await askChange(damage, asker));
        else if (answer === 'leave') await decide(damage, undefined);
        else if (answer !== 'keep') await decide(damage, { decision: answer, damage_id });
        index++;
      } catch (error) {
        if (!(error instanceof VehiError) || error.kind !== 'input') throw error;
        await desk.show(`Not possible: ${error.message}`);
      }
    }
  } catch (error) {
    if (!isLeft(error)) throw error;
    return { decisions, interrupted: true };
  }
  return { decisions, interrupted: false };
}

const VERDICTS = [
  { value: 'accept', name: 'Accept' },
  { value: 'reject', name: 'Reject: there is no such damage' },
] as const;

type OnFinding = Extract<Decision, { readonly damage_id: string }>;

function describeDecision({ decision }: OnFinding): string {
  return DECISION_WORDS[decision];
}

async function askChange(damage: Damage, asker: Asker): Promise<Decision> {
  const { part } = damage.location;
  const chosen = await asker.search('Part', [
    { heading: 'As found', choices: [{ value: part, name: describePart(part) }] },
    { heading: 'Others', choices: listOthers(OUTSIDE_PARTS, part, describePart) },
  ]);
  const possible = chosen === part ? listFittingTypes(part, damage.type) : listPossibleTypes(chosen);
  const type = await asker.select('Type', asFoundFirst(possible, damage.type, describeDamage));
  const severity = await asker.select(
    'Severity',
    asFoundFirst(SEVERITIES, damage.severity, (word) => word),
  );
  const changes = {
    ...(type === damage.type ? {} : { type }),
    // Said even where it stays: another type alone would be graded by its own rules.
    ...(severity === damage.severity && type === damage.type ? {} : { severity }),
    ...(chosen === part ? {} : { part: chosen }),
  };
  const { damage_id } = damage;
  return Object.keys(changes).length > 0
    ? { decision: 'change', damage_id, ...changes }
    : { decision: 'accept', damage_id };
}

/** Returns the choices of a question, the value as found first where it is one of them. */
function asFoundFirst<T extends string>(values: readonly T[], found: T, words: (value: T) => string) {
  const asFound = { value: found, name: `${words(found)} (as found)` };
  return [...(values.includes(found) ? [asFound] : []), ...listOthers(values, found, words)];
}

function listOthers<T extends string>(values: readonly T[], found: T, words: (value: T) => string) {
  return values.filter((value) => value !== found).map((value) => ({ value, name: words(value) }));
}

function describe(damage: Damage): string {
  const { min, max, currency } = damage.estimated_repair;
  const size = formatSize(damage);
  const name = isToCheck(damage) ? `${damage.number}? to check:` : `${damage.number}`;
  return [
    `${name} ${describeDamage(damage.type, damage.subtype)}, ${damage.severity}, ${describeFindPart(damage.location)}`,
    `   ${formatPercent(damage.confidence)} sure${size === undefined ? '' : `, ${size}`}, repair ${formatMoneyRange(min, max, currency)}`,
    `   ${escapeName(damage.annotated_url ?? damage.image_url)}`,
  ].join('\n');
}
