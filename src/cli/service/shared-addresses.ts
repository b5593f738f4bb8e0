import type { Flags } from '../../config/options.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';

/** Parsed flags of the shared resources. */
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

/** Returns the address of a resource from flag or environment. */
function findAddress(resource: Resource, flags: SharedFlags, { env }: CliContext): string | undefined {
  return (flags[resource] ?? env[RESOURCES[resource].variable]) || undefined;
}

/** @throws VehiError usage/INVALID_OPTION if the address of a resource is missing */
function requireAddress(resource: Resource, flags: SharedFlags, ctx: CliContext): string {
  const url = findAddress(resource, flags, ctx);
  if (url !== undefined) return url;
  const { variable, example } = RESOURCES[resource];
  throw makeOptionError(
    `--database and --objects belong together; --${resource} is missing.`,
    `For example --${resource} ${example} (or ${variable}).`,
  );
}

/**
 * Returns the addresses of all shared resources; undefined if the service has its own data directory.
 * @throws VehiError usage/INVALID_OPTION naming a missing address or a conflicting flag
 */
export function readSharedAddresses(flags: SharedFlags, ctx: CliContext): SharedAddresses | undefined {
  if (findAddress('database', flags, ctx) === undefined && findAddress('objects', flags, ctx) === undefined)
    return undefined;
  rejectOwnData(flags);
  return {
    database: checkDatabase(requireAddress('database', flags, ctx)),
    objects: requireAddress('objects', flags, ctx),
  };
}

function rejectOwnData({ data, ephemeral }: SharedFlags): void {
  if (data === undefined && !ephemeral) return;
  throw makeOptionError(
    `${ephemeral ? '--ephemeral' : '--data'} keeps everything in one process; --database and --objects share it.`,
    'Choose one of them (VEHI_DATABASE and VEHI_OBJECTS count too).',
  );
}

function checkDatabase(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw makeOptionError(
    '--database is not a postgres:// address.',
    `For example ${RESOURCES.database.example}`,
  );
}

/** Returns the database of an operator command; undefined if it uses a data directory. */
export function readDatabaseAddress(flags: SharedFlags, ctx: CliContext): string | undefined {
  const url = findAddress('database', flags, ctx);
  if (url === undefined) return undefined;
  rejectOwnData(flags);
  return checkDatabase(url);
}

/** Warns about a password visible to all users of the machine. */
export async function warnOfPassword(flags: SharedFlags, ctx: CliContext): Promise<void> {
  if (flags.database === undefined || !/:\/\/[^/@]*:[^/@]+@|[?&]password=./.test(flags.database)) return;
  await writeStatus(
    ctx,
    'vehi: a password in an address can be read in the list of processes. Use PGPASSWORD or ~/.pgpass.',
  );
}
