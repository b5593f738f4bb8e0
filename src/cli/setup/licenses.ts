import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';

/** Adds `vehi licenses` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('licenses')
    .description('Lists the packages vehi is installed with and the licence that each of them states.')
    .option('--json', 'as JSON')
    .examples('vehi licenses', 'vehi licenses --json')
    .action(async (flags: { json?: boolean }) =>
      (await import('./licenses.run.ts')).runLicenses(Boolean(flags.json), ctx),
    );
}
