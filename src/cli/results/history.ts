import { Option } from 'commander';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { whole } from '../terminal/option-values.ts';

/** Flags of `vehi history` as commander hands them over. */
export interface HistoryFlags {
  readonly vehicleId?: string;
  readonly kind?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** Flags of `vehi show`. */
export interface ShowFlags {
  readonly json?: boolean;
}

/** Adds `vehi history` to the tree. */
export function defineHistory(root: VehiCommand, ctx: CliContext): void {
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
    .option('--limit <n>', 'at most so many', whole(1), 20)
    .option('--json', 'as JSON')
    .examples('vehi history', 'vehi history --vehicle-id veh_4711 --limit 5', 'vehi history --json')
    .notes('Results are kept in VEHI_DATA_DIR, else in the data folder of the platform.')
    .action(async (flags: HistoryFlags) => {
      const { runHistory } = await import('./history.run.ts');
      await runHistory(flags, ctx);
    });
}

/** Adds `vehi show` to the tree. */
export function defineShow(root: VehiCommand, ctx: CliContext): void {
  root
    .command('show')
    .description('Prints a result kept by --save.')
    .argument('<id>', 'id from vehi history')
    .option('--json', 'the result as it was printed by --json')
    .examples('vehi show vis_01J8ZQ4T7M', 'vehi show vis_01J8ZQ4T7M --json')
    .exits({ usage: 'usage, or no such result' })
    .action(async (id: string, flags: ShowFlags) => {
      const { runShow } = await import('./history.run.ts');
      await runShow(id, flags, ctx);
    });
}
