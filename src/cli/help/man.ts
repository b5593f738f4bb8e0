import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';

/** Flags of `vehi man` as commander hands them over. */
export interface ManFlags {
  readonly now?: string;
}

/** Adds `vehi man` to the tree. */
export function defineMan(root: VehiCommand, ctx: CliContext): void {
  root
    .command('man')
    .description('Prints the manual page of vehi, or of one command, in roff.')
    .argument('[command...]', 'a command (default: all of them)')
    .option('--now <time>', 'the time whose day stands in the page')
    .examples(
      ['vehi man | man -l -', 'read it'],
      ['vehi man > ~/.local/share/man/man1/vehi.1', 'keep it for man vehi'],
      'vehi man inspect | man -l -',
    )
    .action(async (words: string[], flags: ManFlags) =>
      (await import('./man.run.ts')).runMan(words, flags, ctx),
    );
}
