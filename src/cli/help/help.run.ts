import { VehiError } from '../../lib/errors.ts';
import { findNearest } from '../../lib/nearest.ts';
import { listChildren, type VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import { writeTopicText } from './help-text.ts';
import { TOPICS } from './help-topics.ts';

/** Runs `vehi help`. @throws VehiError usage for an unknown command or topic, with the nearest match */
export async function runHelp(
  words: readonly string[],
  _flags: object,
  ctx: CliContext,
  root: VehiCommand,
): Promise<void> {
  const topic = TOPICS.find(({ name }) => words.length === 1 && name === words[0]);
  if (topic) return write(ctx.stdout, writeTopicText(topic.name, ctx.stdout.columns ?? 100));
  let command: VehiCommand = root;
  for (const [index, word] of words.entries()) {
    const children = listChildren(command);
    const child = children.find((one) => one.name() === word);
    if (!child) {
      const topics = index === 0 ? TOPICS.map(({ name }) => name) : [];
      throw makeUnknownTopicError(words.slice(0, index + 1), [
        ...topics,
        ...children.map((one) => one.name()),
      ]);
    }
    command = child;
  }
  return write(ctx.stdout, command.helpInformation());
}

function makeUnknownTopicError(words: readonly string[], known: readonly string[]): VehiError {
  const word = words.at(-1) ?? '';
  const near = findNearest(word, known);
  const before = words.slice(0, -1).join(' ');
  const hint =
    near !== undefined
      ? `Did you mean vehi help ${[...words.slice(0, -1), near].join(' ')}?`
      : known.length > 0
        ? `There is help on ${[...new Set(known)].join(', ')}.`
        : `vehi help ${before} lists what is available.`;
  return new VehiError('usage', 'INVALID_REQUEST', `there is no help on "${words.join(' ')}".`, { hint });
}
