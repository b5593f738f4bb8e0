import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { ShowFlags } from './history.run.ts';

/** Adds `vehi show` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('show')
    .description('Prints a result kept by --save.')
    .argument('<id>', 'id from vehi history')
    .option('--json', 'the result as it was printed by --json')
    .examples('vehi show vis_01J8ZQ4T7M', 'vehi show vis_01J8ZQ4T7M --json')
    .exits({ usage: 'usage, or no such result' })
    .action(async (id: string, flags: ShowFlags) =>
      (await import('./history.run.ts')).runShow(id, flags, ctx),
    );
}
