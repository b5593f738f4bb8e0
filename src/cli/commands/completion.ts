import { Argument, type Command } from 'commander';
import type { CliContext } from '../context.ts';

/** Adds `vehi completion` to the tree. */
export function defineCompletion(root: Command, ctx: CliContext): void {
  root
    .command('completion')
    .summary('print the completion script of a shell')
    .description('Prints a script that completes commands, options, region codes and file names in a shell.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  eval "$(vehi completion bash)"                                  for this shell; put it into ~/.bashrc to keep it
  vehi completion zsh > "\${fpath[1]}/_vehi"
  vehi completion fish > ~/.config/fish/completions/vehi.fish`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { runCompletion } = await import('./completion.run.ts');
      await runCompletion(shell, root, ctx);
    });
}
