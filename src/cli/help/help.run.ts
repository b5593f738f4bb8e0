import { Help } from 'commander';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import { findNearest } from '../../lib/names.ts';
import { EXIT_CODES_TOPIC } from '../commands.ts';
import { findDropped } from '../dropped.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT, EXIT_WORDS, type ExitName } from '../terminal/exit-codes.ts';
import { countHelpColumns, write } from '../terminal/output.ts';
import { listChildren, type VehiCommand } from '../vehi-command.ts';

/** Shows the help of a command, or the exit codes. @throws VehiError usage for any other word, with the nearest match */
export async function runHelp(words: readonly string[], _flags: object, ctx: CliContext, root: VehiCommand) {
  if (words[0] === EXIT_CODES_TOPIC) {
    if (words.length > 1) throw makeUnknownError(words.slice(0, 2), []);
    return write(ctx.stdout, listExitCodes(countHelpColumns(ctx)));
  }
  let command = root;
  for (const [index, word] of words.entries()) {
    const children = listChildren(command);
    const child = children.find((one) => one.name() === word);
    const topics = index === 0 ? [EXIT_CODES_TOPIC] : [];
    if (!child)
      throw makeUnknownError(words.slice(0, index + 1), [...topics, ...children.map((one) => one.name())]);
    command = child;
  }
  return write(ctx.stdout, command.helpInformation());
}

function listExitCodes(width: number): string {
  const help = Object.assign(new Help(), { helpWidth: width });
  const rows = (Object.keys(EXIT) as ExitName[]).map((name) =>
    help.formatItem(String(EXIT[name]), 3, EXIT_WORDS[name], help),
  );
  const note =
    'vehi COMMAND --help lists the codes of a command. With --many, the worst of all vehicles applies. A second Ctrl-C ends immediately.';
  const head = 'Every command ends with one of these exit codes:';
  return `${head}\n\n${rows.join('\n')}\n\n${help.boxWrap(note, width)}\n`;
}

function makeUnknownError(words: readonly string[], known: readonly string[]): VehiError {
  const dropped = findDropped('help', words.join(' '));
  if (dropped) return new VehiError('usage', 'INVALID_REQUEST', dropped);
  const near = findNearest(words.at(-1) ?? '', known);
  const before = ['vehi help', ...words.slice(0, -1)].join(' ');
  const hint =
    near !== undefined
      ? `Did you mean ${before} ${near}?`
      : known.length > 0
        ? `There is help on ${[...new Set(known)].join(', ')}.`
        : `Leave the last word out: ${before}`;
  return makeUsageError(`there is no help on "${words.join(' ')}".`, hint);
}
