import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { VehiError } from '../../lib/errors.ts';

/** The server programs of one PostgreSQL. */
export interface PostgresPrograms {
  /** Folder of initdb, postgres, pg_ctl, pg_isready and createdb. */
  readonly folder: string;
  readonly major: number;
}

/** The programs that a cluster on one machine is made of. */
export interface Programs {
  /** Best first: newest on the path, then newest installed. */
  readonly postgres: readonly PostgresPrograms[];
  /** redis-server or valkey-server. */
  readonly redis: string;
}

/** The oldest PostgreSQL that works. */
const POSTGRES_MIN = 15;
const NEEDED = ['initdb', 'postgres', 'pg_ctl', 'pg_isready', 'createdb'];
/** Where packages of Debian and of Red Hat put the programs, which are not on the path. */
const DEBIAN = '/usr/lib/postgresql';
const RED_HAT = '/usr';
const INSTALL =
  'Debian: sudo apt-get install -y postgresql redis-server. macOS: brew install postgresql@17 redis.';

function onPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

function listFolders(parent: string, pattern: RegExp): string[] {
  const names = existsSync(parent) ? readdirSync(parent) : [];
  return names.filter((name) => pattern.test(name)).map((name) => join(parent, name, 'bin'));
}

function readMajor(folder: string): number {
  try {
    const said = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
    return Number(/(\d+)/.exec(said)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Returns all usable PostgreSQL servers of this machine, that on the path first, then the newest. */
function findPostgres(path: string): PostgresPrograms[] {
  const named = onPath('initdb', path);
  const installed = [...listFolders(DEBIAN, /^\d+$/), ...listFolders(RED_HAT, /^pgsql-\d+$/)]
    .filter((folder) => NEEDED.every((name) => existsSync(join(folder, name))))
    .map((folder) => ({ folder, major: readMajor(folder) }))
    .sort((a, b) => b.major - a.major);
  const first = named === undefined ? [] : [dirname(realpathSync(named))];
  return [
    ...first
      .filter((folder) => NEEDED.every((name) => existsSync(join(folder, name))))
      .map((folder) => ({ folder, major: readMajor(folder) })),
    ...installed,
  ].filter(({ major }) => major >= POSTGRES_MIN);
}

/** Finds PostgreSQL and Redis or Valkey. @throws VehiError usage/PROGRAM_MISSING naming what to install. */
export function findPrograms(env: Readonly<Record<string, string | undefined>>): Programs {
  const path = env.PATH ?? '';
  const postgres = findPostgres(path);
  const redis = onPath('redis-server', path) ?? onPath('valkey-server', path);
  if (postgres.length > 0 && redis !== undefined) return { postgres, redis };
  const missing = [
    ...(postgres.length > 0 ? [] : [`PostgreSQL ${POSTGRES_MIN} or later (initdb, postgres)`]),
    ...(redis === undefined ? ['Redis or Valkey (redis-server, valkey-server)'] : []),
  ];
  throw new VehiError(
    'usage',
    'PROGRAM_MISSING',
    `vehi cluster starts programs that are not installed here: ${missing.join(' and ')}.`,
    { hint: INSTALL },
  );
}

/**
 * Returns the PostgreSQL for a folder: the one its data was made with, else the first.
 * @throws VehiError usage/PROGRAM_MISSING
 */
export function choosePostgres(
  found: readonly PostgresPrograms[],
  dataMajor: number | undefined,
): PostgresPrograms {
  const chosen = dataMajor === undefined ? found[0] : found.find(({ major }) => major === dataMajor);
  if (chosen) return chosen;
  throw new VehiError(
    'usage',
    'PROGRAM_MISSING',
    `the data of this folder is of PostgreSQL ${dataMajor}, which is not installed here (found: ${found.map(({ major }) => major).join(', ')}).`,
    { hint: `Debian: sudo apt-get install -y postgresql-${dataMajor}. Or name another folder with --data.` },
  );
}
