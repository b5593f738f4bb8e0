import { Argument } from 'commander';
import type { LoadTree, VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { SHELLS, type Shell } from './completion.ts';

/** Adds `vehi completion` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext, wholeTree: LoadTree): void {
  root
    .command('completion')
    .description('Prints a script that completes commands, options, region codes and file names in a shell.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .examples(
      ['eval "$(vehi completion bash)"', 'for this shell; put it into ~/.bashrc to keep it'],
      ['vehi completion zsh > ~/.zfunc/_vehi', 'a folder of fpath'],
      'vehi completion fish > ~/.config/fish/completions/vehi.fish',
    )
    .action(async (shell: Shell) =>
      (await import('./completion.run.ts')).runCompletion(shell, ctx, wholeTree),
    );
}
