import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { DataFlags } from './data.run.ts';
import { SHARED_WORDS } from './data-options.ts';

/** Adds `vehi data`: what the service on this machine keeps. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const data = root
    .command('data')
    .description('Backs up or removes what the service whose data directory this is keeps.');
  data.examples('vehi data backup backup.sqlite', 'vehi data purge --vehicle veh_123 --yes');
  const run = () => import('./data.run.ts');

  data
    .command('backup')
    .description('Writes a consistent copy of the database, also while the service runs.')
    .argument('<file>', 'file to write; must not exist')
    .option('--data <dir>', 'data directory of the service (VEHI_DATA_DIR)')
    .examples('vehi data backup vehi-backup.sqlite', 'vehi data backup backup.sqlite --data /var/lib/vehi')
    .action(async (file: string, flags: DataFlags) => (await run()).runDataBackup(file, flags, ctx));
  data
    .command('purge')
    .description('Removes inspections and assessments with photos, reports, events and idempotency keys.')
    .optionsGroup('What to remove:')
    .option('--older-than-days <n>', 'made before so many days')
    .option('--vehicle <id>', 'of this vehicle')
    .option('--inspection <id>', 'this one (vis_… or asmt_…)')
    .option('--account <id>', 'of this account')
    .optionsGroup('Options:')
    .option('--data <dir>', 'data directory of the service (VEHI_DATA_DIR)')
    .option('--database <url>', SHARED_WORDS.database)
    .option('--objects <url>', SHARED_WORDS.objects)
    .option('-y, --yes', 'do not ask')
    .examples('vehi data purge --vehicle veh_123 --yes', 'vehi data purge --older-than-days 365')
    .notes('Conditions are combined; at least one is needed.')
    .action(async (flags: DataFlags) => (await run()).runDataPurge(flags, ctx));
}
