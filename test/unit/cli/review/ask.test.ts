import { expect, test } from 'vitest';
import { askDecisions } from '../../../../src/cli/review/ask.ts';
import type { Asker } from '../../../../src/cli/terminal/asker.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { answering } from '../../../helpers/cli/answering.ts';
import { finding } from '../../../helpers/results/reviewed-result.ts';

const [ONE, TWO] = ['dmg_front_door_left_001', 'dmg_front_door_left_002'];
const findings = [finding(ONE, 1), finding(TWO, 2)];

/** Runs the questions; `keep` may refuse. */
async function ask(
  answers: readonly string[],
  before: readonly Decision[] = [],
  keep: (decisions: readonly Decision[]) => void = () => undefined,
) {
  const offered: unknown[][] = [];
  const shown: string[] = [];
  const asker = answering(answers);
  const select: Asker['select'] = (message, choices) => {
    offered.push([message, ...choices.map(({ value }) => value)]);
    return asker.select(message, choices);
  };
  const { decisions } = await askDecisions(
    findings,
    before,
    { ...asker, select },
    {
      show: async (line) => void shown.push(line),
      closeUp: async () => '',
      keep: async (given) => keep(given),
    },
  );
  return { decisions, offered, shown };
}

test('a part is offered only damage that it can have', async () => {
  const { decisions, offered } = await ask(['change', 'windshield', 'glass_damage', 'severe', 'stop']);
  expect(offered[1]).toEqual(['Type', 'scratch', 'crack', 'glass_damage']);
  expect(decisions).toEqual([
    { decision: 'change', damage_id: ONE, type: 'glass_damage', severity: 'severe', part: 'windshield' },
  ]);
});

test('what is decided is kept after each answer', async () => {
  const kept: (readonly Decision[])[] = [];
  const ticked: Decision = { decision: 'nothing_more', image_index: 0 };
  await ask(['accept', 'reject'], [ticked], (decisions) => void kept.push(decisions));
  const first: Decision = { decision: 'accept', damage_id: ONE };
  expect(kept).toEqual([
    [ticked, first],
    [ticked, first, { decision: 'reject', damage_id: TWO }],
  ]);
});

test('a decision that cannot be is said, and the finding asked for again', async () => {
  const refuse = ([one]: readonly Decision[]) => {
    if (one?.decision === 'reject') throw new VehiError('input', 'INVALID_DECISIONS', 'another needs it');
  };
  const { decisions, shown } = await ask(['reject', 'accept', 'stop'], [], refuse);
  expect(decisions).toEqual([{ decision: 'accept', damage_id: ONE }]);
  expect(shown).toContain('Not possible: another needs it');
});
