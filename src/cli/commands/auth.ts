import { type Command, Option } from 'commander';
import type { CliContext } from '../context.ts';

/** Flags of the `vehi auth` commands as commander hands them over. */
export interface AuthFlags {
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly profile?: 'sandbox' | 'production';
  readonly json?: boolean;
}

/** Adds `vehi auth` with its sub-commands to the tree. */
export function defineAuth(root: Command, ctx: CliContext): void {
  const auth = root
    .command('auth')
    .summary('keys for a vehi service: log in, test, log out')
    .description('Keeps the key and address of a vehi service, for --remote and the webhooks commands.');
  const profile = () => new Option('--profile <name>', 'which stored key').choices(['sandbox', 'production']);

  auth
    .command('login')
    .description(
      'Checks a key against its service and stores both (mode 0600). The key is asked for, or read from stdin.',
    )
    .option('--base-url <url>', 'address of the service (VEHI_BASE_URL)')
    .option('--api-key-file <file>', 'read the key from a file; - is stdin')
    .addHelpText(
      'after',
      '\nExamples:\n  vehi auth login --base-url https://vehi.example.com\n  pass show vehi | vehi auth login --base-url http://127.0.0.1:8080',
    )
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthLogin(flags, ctx));
  auth
    .command('test')
    .description(
      'Calls GET /v1/auth/test: account, plan, permissions. Exit 5, with what to do, when the key or the service is no good.',
    )
    .option('--base-url <url>', 'address of the service (VEHI_BASE_URL)')
    .option('--api-key-file <file>', 'read the key from a file')
    .addOption(profile())
    .option('--json', 'the answer as JSON')
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthTest(flags, ctx));
  auth
    .command('logout')
    .description('Forgets stored keys (all, or one profile).')
    .addOption(profile())
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthLogout(flags, ctx));
  auth
    .command('status')
    .description('Shows what is stored, masked, and where.')
    .option('--json', 'as JSON')
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthStatus(flags, ctx));
}
