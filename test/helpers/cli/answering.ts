import { expect } from 'vitest';
import type { Asker } from '../../../src/cli/terminal/asker.ts';

/**
 * Returns an asker that answers in turn. A choice must be among those offered, a text must pass its check; an empty text
 * takes the fallback.
 */
export function answering(answers: readonly (string | boolean)[]): Asker {
  const left = [...answers];
  const next = () => left.shift() ?? expect.fail('more questions than answers');
  const among = (choices: readonly { value: unknown }[]) => {
    const answer = next();
    expect(choices.map((choice) => choice.value)).toContain(answer);
    return answer as never;
  };
  return {
    search: async (_, groups) => among(groups.flatMap((group) => group.choices)),
    select: async (_, choices) => among(choices),
    input: async (_, check, fallback = '') => {
      const answer = String(next()) || fallback;
      expect((await check?.(answer)) ?? true).toBe(true);
      return answer;
    },
    password: async () => expect.fail('no secret is asked for'),
    confirm: async () => Boolean(next()),
  };
}
