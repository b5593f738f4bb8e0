import type { Damage } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { isToCheck } from '../../engine/review/apply.ts';
import { displayName } from '../../lib/display-name.ts';
import { damageWords, partWords } from '../../report/words.ts';
import type { Asker } from '../terminal/asker.ts';

/** Asks for a decision on every damage, then on every place to check; `show` prints what is known of it first, with its close-up. */
export async function askDecisions(
  damages: readonly Damage[],
  asker: Asker,
  show: (line: string) => Promise<void>,
  closeUp: (damage: Damage) => Promise<string>,
): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  for (const [index, damage] of damages.entries()) {
    await show(`\n${describe(damage)}\n${await closeUp(damage)}`);
    const answer = await asker.select(`Finding ${index + 1} of ${damages.length}`, [
      { value: 'accept', name: 'Accept' },
      { value: 'reject', name: 'Reject: there is no such damage' },
      { value: 'change', name: 'Change its type, severity or part' },
      { value: 'stop', name: 'Stop here and keep the rest as found' },
    ] as const);
    if (answer === 'stop') break;
    decisions.push(
      answer === 'change'
        ? await askChange(damage, asker)
        : { decision: answer, damage_id: damage.damage_id },
    );
  }
  return decisions;
}

async function askChange(damage: Damage, asker: Asker): Promise<Decision> {
  const type = await asker.select('Type', [
    { value: damage.type, name: `${damageWords(damage.type)} (as found)` },
    ...others(DAMAGE_TYPES, damage.type, damageWords),
  ]);
  const severity = await asker.select('Severity', [
    { value: damage.severity, name: `${damage.severity} (as found)` },
    ...others(SEVERITIES, damage.severity, (word) => word),
  ]);
  const { part } = damage.location;
  const chosen = await asker.search('Part', [
    { heading: 'As found', choices: [{ value: part, name: partWords(part) }] },
    { heading: 'Others', choices: others(PART_NAMES, part, partWords) },
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
  const { x, y, width, height } = damage.location.coordinates;
  return [
    `${isToCheck(damage) ? 'To check:' : `#${damage.number}`} ${damageWords(damage.type, damage.subtype)}, ${damage.severity}, ${partWords(damage.location.part)}`,
    `   confidence ${Math.round(damage.confidence * 100)} %, repair ${min}–${max} ${currency}`,
    `   ${displayName(damage.annotated_url ?? damage.image_url)}, ${width}x${height} pixels at ${x},${y}`,
  ].join('\n');
}
