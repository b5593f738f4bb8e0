import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { collect, parseWholeBetween } from '../terminal/option-values.ts';
import { PASSWORDS_NOTE, SHARED_WORDS } from './data-options.ts';
import type { ServeFlags } from './serve-settings.ts';
import { addEngineOptions, createLogLevelOption } from './service-options.ts';

/** Adds `vehi serve` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const serve = root
    .command('serve')
    .description(
      'Serves the REST API under /v1; its document is at /v1/openapi.json, a page to try it at /docs, a page to work with at /app.',
    )
    .optionsGroup('Address:')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port; 0 takes a free one', parseWholeBetween(0, 65535), 8080)
    .option('--tls-cert <file>', 'certificate (PEM)')
    .option('--tls-key <file>', 'private key (PEM)')
    .option('--base-url <url>', 'address clients reach the service at (default: where it listens)')
    .option('--reports-url <url>', 'address of report files (default: the base address)')
    .option('--results-url <url>', 'address of annotated photos (default: the base address)')
    .option(
      '--trust-proxy <addresses>',
      'trust X-Forwarded-For of the proxies at these addresses, separated by commas',
    )
    .option('--metrics-port <number>', 'serve /metrics at a port of its own', parseWholeBetween(0, 65535))
    .option('--cors-origin <origin>', 'let pages of this origin call; repeatable', collect)
    .option('--no-app', 'leave the page at /app out')
    .optionsGroup('Storage:')
    .option('--data <dir>', 'data directory (VEHI_DATA_DIR)')
    .option('--ephemeral', 'keep everything in memory, forget it at the end')
    .option('--database <url>', SHARED_WORDS.database)
    .option('--redis <url>', SHARED_WORDS.redis)
    .option('--objects <url>', SHARED_WORDS.objects)
    .option('--keep-days <n>', 'remove inspections after this many days', parseWholeBetween(1, 36500))
    .option('--keep-photos', 'keep the photos after the analysis')
    .option(
      '--keep-views <days>',
      'days to keep small pictures for the review; 0: none',
      parseWholeBetween(0, 36500),
      7,
    )
    .optionsGroup('Work:')
    .option('--workers <n>', 'inspections at the same time', parseWholeBetween(1, 64), 1)
    .option('--no-work', 'leave the work to vehi work, with --database, --redis and --objects')
    .option('--no-webhooks', 'leave the sending of events to vehi work too')
    .option(
      '--queue <n>',
      'inspections that may run or wait; more get 503',
      parseWholeBetween(1, 100_000),
      250,
    )
    .option(
      '--inline-images <n>',
      'more photos than this are answered with 202',
      parseWholeBetween(0, 50),
      12,
    )
    .option('--inline-seconds <n>', 'longer inspections are answered with 202', parseWholeBetween(0, 600), 30)
    .optionsGroup('Photos:')
    .option('--allow-http-images', 'fetch photos from http addresses too')
    .option('--allow-private-images', 'fetch photos from private and loopback addresses (tests only)')
    .option('--allow-files <dir>', 'read file: addresses below this directory')
    .optionsGroup('Testing:')
    .option('--sandbox', 'test environment: dev_ keys, X-Vehi-Simulate, demo photos')
    .option('--seed <n>', 'repeatable ids (sandbox)', parseWholeBetween(0, 2 ** 32 - 1))
    .option('--now <time>', 'the time to write into results (sandbox)');
  addEngineOptions(serve)
    .option('--threads <n>', 'threads that run the models', parseWholeBetween(1, 256))
    .addOption(createLogLevelOption())
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
    .action(async (flags: ServeFlags) => (await import('./serve.run.ts')).runServe(flags, ctx));
}
