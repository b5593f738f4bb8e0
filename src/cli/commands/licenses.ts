import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

/** Adds `vehi licenses` to the tree. */
export function defineLicenses(root: Command, ctx: CliContext): void {
  root
    .command('licenses')
    .summary('licences of the packages vehi is installed with')
    .description('Lists the packages vehi is installed with and the licence that each of them states.')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  vehi licenses\n  vehi licenses --json\n\nExit codes: 0 done.')
    .action(async (flags: { json?: boolean }) =>
      (await import('./licenses.run.ts')).runLicenses(Boolean(flags.json), ctx),
    );
}
