import { expect } from 'vitest';
import type { Asker } from '../../../src/cli/terminal/asker.ts';

/** Returns an asker that chooses these values in turn, which must be among those offered. */
export function answering(answers: readonly string[]): Asker {
  const left = [...answers];
  const among = (choices: readonly { value: unknown }[]) => {
    const answer = left.shift();
    expect(choices.map((choice) => choice.value)).toContain(answer);
    return answer as never;
  };
  return {
    search: async (_, groups) => among(groups.flatMap((group) => group.choices)),
    select: async (_, choices) => among(choices),
    input: async () => expect.fail('no text is asked for'),
    password: async () => expect.fail('no secret is asked for'),
    confirm: async () => expect.fail('nothing is to be confirmed'),
  };
}
