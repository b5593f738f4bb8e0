import { Option } from 'commander';
import { ENVIRONMENTS } from '../../domain/choices.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { AuthFlags } from './auth.run.ts';

/** Adds `vehi auth` with its sub-commands to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const auth = root
    .command('auth')
    .description('Keeps the key and address of a vehi service, for --remote and the webhooks commands.');
  auth.examples('vehi auth login --base-url https://vehi.example.com', 'vehi auth test');
  const profile = () => new Option('--profile <name>', 'which stored key').choices(ENVIRONMENTS);

  auth
    .command('login')
    .description(
      'Checks a key against its service and stores both (mode 0600). The key is asked for, or read from stdin.',
    )
    .option('--base-url <url>', 'address of the service (VEHI_BASE_URL)')
    .option('--api-key-file <file>', 'read the key from a file; - is stdin')
    .examples(
      'vehi auth login --base-url https://vehi.example.com',
      'pass show vehi | vehi auth login --base-url http://127.0.0.1:8080',
    )
    .exits({ remote: true })
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthLogin(flags, ctx));
  auth
    .command('test')
    .description('Calls GET /v1/auth/test: account, plan, permissions.')
    .option('--base-url <url>', 'address of the service (VEHI_BASE_URL)')
    .option('--api-key-file <file>', 'read the key from a file')
    .addOption(profile())
    .option('--json', 'the answer as JSON')
    .examples('vehi auth test', 'vehi auth test --profile production --json')
    .exits({ remote: true })
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthTest(flags, ctx));
  auth
    .command('logout')
    .description('Forgets stored keys (all, or one profile).')
    .addOption(profile())
    .examples('vehi auth logout', 'vehi auth logout --profile sandbox')
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthLogout(flags, ctx));
  auth
    .command('status')
    .description('Shows what is stored, masked, and where.')
    .option('--json', 'as JSON')
    .examples('vehi auth status', 'vehi auth status --json')
    .action(async (flags: AuthFlags) => (await import('./auth.run.ts')).runAuthStatus(flags, ctx));
}
