import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { PASSWORDS_NOTE } from './shared-addresses.ts';

/** Adds `vehi serve` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('serve')
    .description(
      'Serves the REST API under /v1; its document is at /v1/openapi.json, a page to try it at /docs, a page to work with at /app.',
    )
    .flags({
      baseUrl: 'address clients reach the service at (default: where it listens)',
      data: 'data directory (VEHI_DATA_DIR)',
      now: 'the time to write into results (sandbox)',
      region: 'region where a request names none',
      currency: 'currency where a request names none',
      minConfidence: 'drop findings below this confidence, 0 to 1',
    })
    .examples(
      ['vehi serve --sandbox --ephemeral --port 0', "for a client's tests"],
      'vehi admin keys create --new-account "My shop" --plan professional --environment production',
      'vehi serve --tls-cert cert.pem --tls-key key.pem --base-url https://vehi.example.com',
    )
    .notes(
      'Prints one JSON line with the address (and, in the sandbox, a key) once it answers. SIGTERM finishes what runs, SIGHUP reads the certificate again.',
      'Outside the sandbox /metrics needs --metrics-port, or VEHI_METRICS_TOKEN as a Bearer token.',
      PASSWORDS_NOTE,
    )
    .exits({ engine: true })
    .action(async (flags: FlagsOf<'serve'>) => (await import('./serve.run.ts')).runServe(flags, ctx));
}
