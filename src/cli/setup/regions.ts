import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import type { RegionsFlags } from './regions.run.ts';

/** Adds `vehi regions list | show | new | fit | validate` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const regions = root
    .command('regions')
    .description('Shows the regions of the price table, and makes and checks your own.');
  regions.examples('vehi regions list', 'vehi regions show EU_GERMANY', 'vehi regions validate mine.json');
  regions
    .command('list')
    .description('Lists all regions with their rates.')
    .flags({ json: 'the table as JSON' })
    .examples('vehi regions list', 'vehi regions list --regions mine.json', 'vehi regions list --json')
    .action(async (flags: RegionsFlags) => (await import('./regions.run.ts')).listRegions(flags, ctx));
  regions
    .command('show')
    .description('Shows one region: departments, rules, dates, sources.')
    .argument('<code>', 'e.g. US_MIDWEST')
    .flags({ json: 'the row as JSON' })
    .examples('vehi regions show US_MIDWEST', 'vehi regions show US_MIDWEST --json')
    .action(async (code: string, flags: RegionsFlags) =>
      (await import('./regions.run.ts')).showRegion(code, flags, ctx),
    );
  regions
    .command('new')
    .description('Prints a template for your own region, with every field explained.')
    .flags()
    .examples('vehi regions new > mine.json', 'vehi regions new --from EU_GERMANY > mine.json')
    .action(async (flags: FlagsOf<'regions new'>) =>
      (await import('./regions.run.ts')).printNewRegions(flags, ctx),
    );
  regions
    .command('fit')
    .description('Prints your own region, fitted to closed jobs and their bills.')
    .argument('<file>', 'a CSV with a job a line: damages, bill without tax, vehicle')
    .flags()
    .examples(
      'vehi regions fit jobs.csv > mine.json',
      'vehi regions fit jobs.csv --from EU_GERMANY > mine.json',
    )
    .exits({ inputRejected: 'the file is wrong, or has fewer than 20 jobs' })
    .action(async (file: string, flags: FlagsOf<'regions fit'>) =>
      (await import('./regions-fit.run.ts')).fitRegion(file, flags, ctx),
    );
  regions
    .command('validate')
    .description('Checks a regions file.')
    .argument('<file>', 'a table as `vehi regions new` prints it')
    .flags({ json: 'the verdict and every fault as JSON' })
    .examples('vehi regions validate mine.json', 'vehi regions validate mine.json --json')
    .exits({ done: 'the table can be used', inputRejected: 'it cannot (every row and reason is listed)' })
    .action(async (file: string, flags: RegionsFlags) =>
      (await import('./regions.run.ts')).validateRegions(file, flags, ctx),
    );
}
