import { Option } from 'commander';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { parseWholeBetween } from '../terminal/option-values.ts';
import type { HistoryFlags } from './history.run.ts';

/** Adds `vehi history` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('history')
    .description('Lists the results kept by --save, newest first.')
    .option('--vehicle-id <id>', 'only those of one vehicle')
    .addOption(
      new Option('--kind <kind>', 'only inspections or only assessments').choices([
        'inspection',
        'assessment',
      ]),
    )
    .option('--limit <n>', 'at most this many', parseWholeBetween(1), 20)
    .option('--json', 'as JSON')
    .examples('vehi history', 'vehi history --vehicle-id veh_4711 --limit 5', 'vehi history --json')
    .notes('Results are kept in VEHI_DATA_DIR, else in the data folder of the platform.')
    .action(async (flags: HistoryFlags) => (await import('./history.run.ts')).runHistory(flags, ctx));
}
