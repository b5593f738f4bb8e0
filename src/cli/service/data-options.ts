import type { VehiCommand } from '../terminal/command.ts';

/** Plans of an account, smallest first. */
export const PLAN_NAMES = ['free', 'starter', 'professional', 'enterprise'];

/** What the flags of a service on several machines say in help. */
export const SHARED_WORDS = {
  database: 'PostgreSQL that several machines share: postgres://… (VEHI_DATABASE)',
  redis: 'Redis or Valkey that hands out their work: redis://… (VEHI_REDIS)',
  objects: 'their files: s3://… or file:///… (VEHI_OBJECTS)',
} as const;

/** Where passwords of what several machines share belong: not into the list of processes. */
export const PASSWORDS_NOTE =
  'Passwords: PGPASSWORD or ~/.pgpass; VEHI_REDIS_PASSWORD and VEHI_SENTINEL_PASSWORD, or with _FILE at the end the file that holds one. Sentinels: --redis "redis://s1,s2?sentinel=NAME".';

/** Adds the flags that keys and accounts share: whose data directory or database, and JSON. */
export function addDataOptions(command: VehiCommand): VehiCommand {
  return command
    .option('--data <dir>', 'data directory of the service (VEHI_DATA_DIR)')
    .option('--database <url>', SHARED_WORDS.database)
    .option('--json', 'as JSON');
}
