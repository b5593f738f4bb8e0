import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

/** Flags of the `vehi regions` commands. */
export interface RegionsFlags {
  readonly json?: boolean;
  readonly regions?: string;
}

/** Adds `vehi regions list | show | validate` to the tree. */
export function defineRegions(root: Command, ctx: CliContext): void {
  const regions = root
    .command('regions')
    .summary('the price table: labour rates, total-loss rules, sources')
    .description('Shows the regions whose labour rates an estimate can use, and checks tables of your own.');
  regions
    .command('list')
    .summary('all regions with their rates')
    .option('--json', 'the table as JSON')
    .option('--regions <file>', 'regions of your own, added to the table')
    .action(async (flags: RegionsFlags) => {
      const { listRegions } = await import('./regions.run.ts');
      await listRegions(flags, ctx);
    });
  regions
    .command('show')
    .summary('one region: departments, rules, dates, sources')
    .argument('<code>', 'e.g. US_MIDWEST')
    .option('--json', 'the row as JSON, as a table of your own needs it')
    .option('--regions <file>', 'regions of your own, added to the table')
    .action(async (code: string, flags: RegionsFlags) => {
      const { showRegion } = await import('./regions.run.ts');
      await showRegion(code, flags, ctx);
    });
  regions
    .command('validate')
    .summary('check a table of your own')
    .argument('<file>', 'JSON with name, version, effective_date and rows')
    .addHelpText(
      'after',
      '\nExit codes: 0 the table can be used, 3 it cannot (every row and reason is listed).',
    )
    .action(async (file: string) => {
      const { validateRegions } = await import('./regions.run.ts');
      await validateRegions(file, ctx);
    });
}
