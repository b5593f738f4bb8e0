import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { makeOwnFolder } from '../temporary-folder.ts';

/** A PostgreSQL server of a test, on a socket in a folder of its own. */
export interface PostgresServer {
  /** The address of a new, empty database. */
  createDatabase(): string;
  /** Ends it as a power cut does, and starts it again on the same data. */
  restart(): void;
  stop(): void;
}

const DEBIAN = '/usr/lib/postgresql';

/** The folder of Debian's newest server programs, or undefined where there are none. */
function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** Why tests of PostgreSQL are skipped here, or undefined where they are not. */
export const postgresMissing =
  findPrograms() === undefined ? 'needs PostgreSQL (Debian: postgresql)' : undefined;

let databases = 0;

/** Starts a server that is gone, with its data, when it is stopped. */
export function startPostgres(): PostgresServer {
  const bin = findPrograms();
  if (bin === undefined) throw new Error(postgresMissing);
  // Short: the path of a socket holds 107 characters.
  const folder = makeOwnFolder('pg');
  const isRoot = userInfo().uid === 0;
  // The server refuses to run as root.
  const user = isRoot ? 'postgres' : userInfo().username;
  const id = (flag: string) => Number(execFileSync('id', [flag, user]).toString());
  const who = isRoot ? { uid: id('-u'), gid: id('-g') } : {};
  if (isRoot) chownSync(folder, id('-u'), id('-g'));
  const data = join(folder, 'data');
  const run = (program: string, args: string[]) => {
    const { status, stderr, error } = spawnSync(join(bin, program), args, {
      ...who,
      cwd: folder,
      // What stays open to the server would keep whoever reads it waiting.
      stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
    });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${error?.message ?? stderr ?? ''}`);
  };
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off -c max_connections=100`;
  const start = () =>
    run('pg_ctl', ['start', '-w', '-t', '60', '-D', data, '-l', join(folder, 'log'), '-o', options]);
  // An empty server is made once in the temporary folder of a run (vitest.config.ts); others are copies of it.
  const empty = join(tmpdir(), 'pg-empty');
  if (!existsSync(empty)) {
    run('initdb', ['--no-sync', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-D', data]);
    try {
      renameSync(data, empty);
    } catch {
      // Another file of tests was first.
      rmSync(data, { recursive: true });
    }
  }
  execFileSync('cp', ['-a', empty, data]);
  start();
  return {
    createDatabase() {
      const name = `vehi_test_${process.pid}_${++databases}`;
      run('createdb', ['-h', folder, '-U', 'postgres', name]);
      return `postgres://postgres@/${name}?host=${folder}`;
    },
    restart() {
      run('pg_ctl', ['stop', '-w', '-m', 'immediate', '-D', data]);
      start();
    },
    stop() {
      run('pg_ctl', ['stop', '-w', '-m', 'immediate', '-D', data]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes all rows of a database whose tables are made. */
export async function clearDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema'",
  );
  await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')} CASCADE`);
  await client.end();
}
