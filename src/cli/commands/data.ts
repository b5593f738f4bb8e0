import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

/** Flags of the `vehi data` commands as commander hands them over. */
export interface DataFlags {
  readonly data?: string;
  readonly olderThanDays?: string;
  readonly vehicle?: string;
  readonly inspection?: string;
  readonly account?: string;
  readonly yes?: boolean;
}

/** Adds `vehi data`: what the service on this machine keeps. */
export function defineData(root: Command, ctx: CliContext): void {
  const data = root
    .command('data')
    .summary('back up or purge what a service on this machine keeps')
    .description('Backs up or removes what the service whose data directory this is keeps.');
  const run = () => import('./data.run.ts');

  data
    .command('backup')
    .description('Writes a consistent copy of the database, also while the service runs.')
    .argument('<file>', 'file to write; must not exist')
    .option('--data <dir>', 'data directory of the service (VEHI_DATA_DIR)')
    .action(async (file: string, flags: DataFlags) => (await run()).runDataBackup(file, flags, ctx));
  data
    .command('purge')
    .description('Removes inspections and assessments with photos, reports, events and idempotency keys.')
    .option('--data <dir>', 'data directory of the service (VEHI_DATA_DIR)')
    .option('--older-than-days <n>', 'made before so many days')
    .option('--vehicle <id>', 'of this vehicle')
    .option('--inspection <id>', 'this one (vis_… or asmt_…)')
    .option('--account <id>', 'of this account')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      '\nConditions are combined; at least one is needed.\n\nExample:\n  vehi data purge --vehicle veh_123 --yes',
    )
    .action(async (flags: DataFlags) => (await run()).runDataPurge(flags, ctx));
}
