import type { Damage } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { OUTSIDE_PARTS } from '../../domain/parts.ts';
import { isToCheck } from '../../engine/review/apply.ts';
import { escapeName } from '../../lib/display-name.ts';
import { formatMoneyRange, formatPercent, formatSize } from '../../report/figures.ts';
import { describeDamage, describePart } from '../../report/words.ts';
import { type Asker, isLeft } from '../terminal/asker.ts';

/** What was decided by questions, and whether Ctrl-C ended them. */
export interface Answers {
  readonly decisions: readonly Decision[];
  readonly interrupted: boolean;
}

/**
 * Asks for a decision on every damage, then on every place to check; `show` prints what is known of it first, with its
 * close-up. What was decided before Ctrl-C is kept.
 */
export async function askDecisions(
  damages: readonly Damage[],
  asker: Asker,
  show: (line: string) => Promise<void>,
  closeUp: (damage: Damage) => Promise<string>,
): Promise<Answers> {
  const decided = new Map<number, Decision>();
  const answers = (interrupted: boolean): Answers => ({ decisions: [...decided.values()], interrupted });
  try {
    for (let index = 0; index < damages.length; ) {
      const damage = damages[index] as Damage;
      await show(`\n${describe(damage)}\n${await closeUp(damage)}`);
      const answer = await asker.select(`Finding ${index + 1} of ${damages.length}`, [
        { value: 'accept', name: 'Accept' },
        { value: 'reject', name: 'Reject: there is no such damage' },
        { value: 'change', name: 'Change its type, severity or part' },
        { value: 'leave', name: 'Leave it undecided and go on' },
        ...(index > 0 ? [{ value: 'back', name: 'Back to the one before' } as const] : []),
        { value: 'stop', name: 'Stop here and keep the rest as found' },
      ] as const);
      if (answer === 'stop') break;
      if (answer === 'back') {
        index--;
        continue;
      }
      decided.delete(index);
      if (answer === 'change') decided.set(index, await askChange(damage, asker));
      else if (answer !== 'leave') decided.set(index, { decision: answer, damage_id: damage.damage_id });
      index++;
    }
  } catch (error) {
    if (!isLeft(error)) throw error;
    return answers(true);
  }
  return answers(false);
}

async function askChange(damage: Damage, asker: Asker): Promise<Decision> {
  const type = await asker.select('Type', [
    { value: damage.type, name: `${describeDamage(damage.type)} (as found)` },
    ...others(DAMAGE_TYPES, damage.type, describeDamage),
  ]);
  const severity = await asker.select('Severity', [
    { value: damage.severity, name: `${damage.severity} (as found)` },
    ...others(SEVERITIES, damage.severity, (word) => word),
  ]);
  const { part } = damage.location;
  const chosen = await asker.search('Part', [
    { heading: 'As found', choices: [{ value: part, name: describePart(part) }] },
    { heading: 'Others', choices: others(OUTSIDE_PARTS, part, describePart) },
  ]);
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

function others<T extends string>(values: readonly T[], found: T, words: (value: T) => string) {
  return values.filter((value) => value !== found).map((value) => ({ value, name: words(value) }));
}

function describe(damage: Damage): string {
  const { min, max, currency } = damage.estimated_repair;
  const size = formatSize(damage);
  const name = isToCheck(damage) ? `${damage.number}? to check:` : `${damage.number}`;
  return [
    `${name} ${describeDamage(damage.type, damage.subtype)}, ${damage.severity}, ${describePart(damage.location.part)}`,
    `   ${formatPercent(damage.confidence)} sure${size === undefined ? '' : `, ${size}`}, repair ${formatMoneyRange(min, max, currency)}`,
    `   ${escapeName(damage.annotated_url ?? damage.image_url)}`,
  ].join('\n');
}
