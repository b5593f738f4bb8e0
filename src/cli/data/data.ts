import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { DataFlags } from './data.run.ts';
import type { ImportFlags } from './move.run.ts';

/** Adds `vehi admin data`, the commands for stored data of a service. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const data = root.command('data').description('Backs up, purges or migrates the data of a service.');
  data.examples('vehi admin data backup backup.sqlite', 'vehi admin data purge --vehicle veh_123 --yes');
  const run = () => import('./data.run.ts');
  const move = () => import('./move.run.ts');

  data
    .command('backup')
    .description('Writes a consistent copy of the database, also while the service runs.')
    .argument('<file>', 'file to write; must not exist')
    .flags()
    .examples(
      'vehi admin data backup vehi-backup.sqlite',
      'vehi admin data backup backup.sqlite --data /var/lib/vehi',
    )
    .action(async (file: string, flags: DataFlags) => (await run()).runDataBackup(file, flags, ctx));
  data
    .command('purge')
    .description('Removes inspections and assessments with photos, reports, events and idempotency keys.')
    .flags({ account: 'of this account' })
    .examples('vehi admin data purge --vehicle veh_123 --yes', 'vehi admin data purge --older-than-days 365')
    .notes('Conditions are combined; at least one is needed.')
    .action(async (flags: DataFlags) => (await run()).runDataPurge(flags, ctx));
  data
    .command('migrate')
    .description('Creates or migrates the tables of a shared database.')
    .flags()
    .examples('vehi admin data migrate --database postgres://vehi@db.example.com/vehi')
    .notes(
      'The first process that starts does the same. Processes of the previous release keep running meanwhile.',
    )
    .action(async (flags: DataFlags) => (await move()).runDataMigrate(flags, ctx));
  data
    .command('import')
    .description('Copies a data directory to a shared database and files.')
    .flags()
    .examples(
      'vehi admin data import --from ./vehi-data --database postgres://vehi@db/vehi --objects file:///srv/vehi-files',
    )
    .notes(
      'Existing data is left unchanged, so an interrupted run can be repeated. Redis is not needed: unfinished jobs are found automatically.',
      'The directory stays as it is. Start no service on it again, or events are sent twice.',
    )
    .action(async (flags: ImportFlags) => (await move()).runDataImport(flags, ctx));
}
