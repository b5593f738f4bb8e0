import type { VehiCommand, WholeTree } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { ManFlags } from './man.run.ts';

/** Adds `vehi man` to the tree. */
export function define(root: VehiCommand, ctx: CliContext, wholeTree: WholeTree): void {
  root
    .command('man')
    .description('Prints the manual page of vehi, or of one command, in roff.')
    .argument('[command...]', 'a command (default: all of them)')
    .option('--now <time>', 'the time whose day is printed in the page')
    .examples(
      ['vehi man | man -l -', 'read it'],
      ['vehi man > ~/.local/share/man/man1/vehi.1', 'keep it for man vehi'],
      'vehi man inspect | man -l -',
    )
    .action(async (words: string[], flags: ManFlags) =>
      (await import('./man.run.ts')).runMan(words, flags, ctx, wholeTree),
    );
}
