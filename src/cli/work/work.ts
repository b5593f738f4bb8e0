import { PASSWORDS_NOTE, SHARED_WORDS } from '../service/data-options.ts';
import { addEngineOptions, createLogLevelOption } from '../service/service-options.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { parseWholeBetween } from '../terminal/option-values.ts';
import type { WorkFlags } from './work.run.ts';

/** Adds `vehi work` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const work = root
    .command('work')
    .description(
      'Does the inspections of a service that several machines share; start as many as there is work for.',
    )
    .optionsGroup('What they share:')
    .option('--database <url>', SHARED_WORDS.database)
    .option('--redis <url>', SHARED_WORDS.redis)
    .option('--objects <url>', SHARED_WORDS.objects)
    .option('--base-url <url>', 'address clients reach the service at, for links in events')
    .option('--reports-url <url>', 'address of report files (default: the base address)')
    .option('--results-url <url>', 'address of annotated photos (default: the base address)')
    .option('--sandbox', 'do the work of the test environment')
    .optionsGroup('Work:')
    .option(
      '--workers <n>',
      'inspections at the same time; two keep the threads busy',
      parseWholeBetween(1, 64),
      2,
    )
    .option('--threads <n>', 'threads that run the models', parseWholeBetween(1, 256))
    .option(
      '--grace <seconds>',
      'time that running inspections get to finish after SIGTERM',
      parseWholeBetween(0, 3600),
      120,
    )
    .optionsGroup('Storage:')
    .option('--keep-days <n>', 'remove inspections after this many days', parseWholeBetween(1, 36500))
    .option('--keep-photos', 'keep the photos after the analysis')
    .option(
      '--keep-views <days>',
      'days to keep small pictures for the review; 0: none',
      parseWholeBetween(0, 36500),
      7,
    )
    .optionsGroup('Watching:')
    .option(
      '--metrics-port <number>',
      'serve /healthz, /readyz and /metrics there',
      parseWholeBetween(0, 65535),
    )
    .option('--host <address>', 'address of that port', '127.0.0.1')
    .addOption(createLogLevelOption());
  addEngineOptions(work)
    .option('--allow-private-images', 'send events to private and loopback addresses (tests only)')
    .examples(
      'vehi work --database postgres://vehi@db/vehi --redis redis://cache --objects file:///srv/vehi-files --base-url https://vehi.example.com',
    )
    .notes(
      'Prints one JSON line once it works. SIGTERM finishes what runs within --grace; what is left is started again by another process.',
      PASSWORDS_NOTE,
    )
    .exits({ engine: true })
    .action(async (flags: WorkFlags) => (await import('./work.run.ts')).runWork(flags, ctx));
}
