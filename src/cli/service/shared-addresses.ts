import type { Flags } from '../../config/options.ts';
import { makeUsageError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';

export type SharedFlags = Flags<'data' | 'ephemeral' | 'database' | 'objects'>;

/** Addresses of the shared resources of a service on several machines. */
export interface SharedAddresses {
  readonly database: string;
  readonly objects: string;
}

/** Environment variable and sample address of each shared resource. */
const RESOURCES = {
  database: { variable: 'VEHI_DATABASE', example: 'postgres://vehi@db.example.com/vehi' },
  objects: { variable: 'VEHI_OBJECTS', example: 'file:///srv/vehi-files' },
} as const;
type Resource = keyof typeof RESOURCES;

/**
 * Returns the addresses of all shared resources; undefined if the service has its own data directory.
 * @throws VehiError usage naming a missing address or a conflicting flag
 */
export function readSharedAddresses(flags: SharedFlags, ctx: CliContext): SharedAddresses | undefined {
  const database = readDatabaseAddress(flags, ctx);
  const objects = readAddress('objects', flags, ctx);
  if (database !== undefined && objects !== undefined) return { database, objects };
  if (database === undefined && objects === undefined) return undefined;
  const missing = database === undefined ? 'database' : 'objects';
  const { variable, example } = RESOURCES[missing];
  throw makeUsageError(
    `--database and --objects belong together; --${missing} is missing.`,
    `For example --${missing} ${example} (or ${variable}).`,
  );
}

/**
 * Returns the address of the shared database; undefined for a data directory.
 * @throws VehiError usage for a conflicting flag, or another kind of address
 */
export function readDatabaseAddress(flags: SharedFlags, ctx: CliContext): string | undefined {
  const url = readAddress('database', flags, ctx);
  if (url === undefined || /^postgres(ql)?:\/\//.test(url)) return url;
  const message = '--database is not a postgres:// address.';
  throw makeUsageError(message, `For example ${RESOURCES.database.example}`);
}

/** Returns the address of a resource from flag or environment. @throws VehiError if combined with a single-process flag */
function readAddress(resource: Resource, flags: SharedFlags, { env }: CliContext): string | undefined {
  const url = flags[resource] ?? env[RESOURCES[resource].variable];
  if (!url) return undefined;
  if (flags.data === undefined && !flags.ephemeral) return url;
  const message = `${flags.ephemeral ? '--ephemeral' : '--data'} keeps everything in one process; --database and --objects share it.`;
  throw makeUsageError(message, 'Choose one of them (VEHI_DATABASE and VEHI_OBJECTS count too).');
}

/** Warns about a password that all users of the machine can see. */
export async function warnOfPassword(flags: SharedFlags, ctx: CliContext): Promise<void> {
  if (flags.database === undefined || !/:\/\/[^/@]*:[^/@]+@|[?&]password=./.test(flags.database)) return;
  await writeStatus(
    ctx,
    'vehi: a password in an address can be read in the list of processes. Use PGPASSWORD or ~/.pgpass.',
  );
}
