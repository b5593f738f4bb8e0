import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { parseWholeBetween } from '../terminal/option-values.ts';
import type { ClusterFlags } from './cluster.run.ts';

/** Adds `vehi cluster` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('cluster')
    .description(
      'Tries the service of several machines on this one: a PostgreSQL and a Redis of its own, one API and several workers, in one folder.',
    )
    .requiredOption('--data <dir>', 'folder of everything it keeps; created if absent')
    .option('--work <n>', 'processes that do inspections', parseWholeBetween(1, 16), 2)
    .option(
      '--port <number>',
      'port of the API on 127.0.0.1; 0 takes a free one',
      parseWholeBetween(0, 65535),
      8080,
    )
    .option(
      '--grace <seconds>',
      'time that running inspections get to finish at the end',
      parseWholeBetween(0, 3600),
      20,
    )
    .option('--json', 'as one line of JSON')
    .examples('vehi cluster --data ./try', 'vehi cluster --data ./try --work 4 --port 0 --json')
    .notes(
      'Needs PostgreSQL 15 and Redis 6.2 (or Valkey 7.2), or later. Debian: sudo apt-get install -y postgresql redis-server',
      'Ctrl-C stops all of it; the same command continues with the same data. It is the sandbox: for trying, not for production.',
    )
    .exits({ engine: 'a part of it does not run' })
    .action(async (flags: ClusterFlags) => (await import('./cluster.run.ts')).runCluster(flags, ctx));
}
