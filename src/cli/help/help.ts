import type { LoadTree, VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';

/** Adds `vehi help` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext, wholeTree: LoadTree): void {
  root
    .command('help')
    .description('Shows the help of a command or a topic; without either, lists what is available.')
    .argument('[words...]', 'a command or a topic')
    .examples(
      ['vehi help', 'commands and topics'],
      ['vehi help exit-codes', 'also formats, prices, config'],
      ['vehi help models eval', 'the same as vehi models eval --help'],
    )
    .action(async (words: string[]) => (await import('./help.run.ts')).runHelp(words, ctx, wholeTree));
}
