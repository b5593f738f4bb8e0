import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { AuthFlags } from './auth.run.ts';

const ADDRESS = 'address of the service (VEHI_BASE_URL)';

/** Adds `vehi auth` with its subcommands to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const auth = root
    .command('auth')
    .description('Stores key and address of a vehi service, for --remote and the webhooks commands.');
  auth.examples('vehi auth login --base-url https://vehi.example.com', 'vehi auth test');

  auth
    .command('login')
    .description(
      'Checks a key against its service and stores both (mode 0600). The key is asked for, or read from stdin.',
    )
    .flags({ baseUrl: ADDRESS, apiKeyFile: 'read the key from a file; - is stdin' })
    .examples(
      'vehi auth login --base-url https://vehi.example.com',
      'pass show vehi | vehi auth login --base-url http://127.0.0.1:8080',
    )
    .exits({ remote: true })
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthLogin(flags, ctx));
  auth
    .command('test')
    .description('Calls GET /v1/auth/test: account, plan, permissions.')
    .flags({ baseUrl: ADDRESS, json: 'the answer as JSON' })
    .examples('vehi auth test', 'vehi auth test --profile production --json')
    .exits({ remote: true })
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthTest(flags, ctx));
  auth
    .command('logout')
    .description('Deletes stored keys (all, or one profile).')
    .flags()
    .examples('vehi auth logout', 'vehi auth logout --profile sandbox')
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthLogout(flags, ctx));
  auth
    .command('status')
    .description('Shows the stored keys, masked, and their file.')
    .flags()
    .examples('vehi auth status', 'vehi auth status --json')
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthStatus(flags, ctx));
}
