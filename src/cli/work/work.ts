import { PASSWORDS_NOTE } from '../service/shared-addresses.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi work` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('work')
    .description(
      'Does the inspections of a service that several machines share; start as many as there is work for.',
    )
    .flags({
      baseUrl: 'address clients reach the service at, for links in events',
      sandbox: 'do the work of the test environment',
      metricsPort: 'serve /healthz, /readyz and /metrics there',
      host: 'address of that port',
      region: 'region where a request names none',
      currency: 'currency where a request names none',
      minConfidence: 'drop findings below this confidence, 0 to 1',
      allowPrivateImages: 'send events to private and loopback addresses (tests only)',
    })
    .examples(
      'vehi work --database postgres://vehi@db/vehi --redis redis://cache --objects file:///srv/vehi-files --base-url https://vehi.example.com',
    )
    .notes(
      'Prints one JSON line when it is ready. SIGTERM finishes running jobs within --grace; another process restarts the rest.',
      PASSWORDS_NOTE,
    )
    .exits({ engine: true })
    .action(async (flags: FlagsOf<'work'>) => (await import('./work.run.ts')).runWork(flags, ctx));
}
