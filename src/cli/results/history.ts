import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi history` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('history')
    .description('Lists saved results, newest first, or shows one of them.')
    .argument('[id]', 'the result to show')
    .flags({
      vehicleId: 'only those of one vehicle',
      json: 'as JSON; a result as it was printed by --json',
    })
    .examples('vehi history', 'vehi history --vehicle-id veh_4711 --limit 5', 'vehi history vis_01J8ZQ4T7M')
    .notes('Results are stored in VEHI_DATA_DIR, by default in the data folder of the platform.')
    .exits({ usage: 'usage, or no such result' })
    .action(async (id: string | undefined, flags: FlagsOf<'history'>) =>
      (await import('./history.run.ts')).runHistory(id, flags, ctx),
    );
}
