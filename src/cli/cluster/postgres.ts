import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VehiError } from '../../lib/errors.ts';
import { type Child, startChild, waitUntilReady } from './child.ts';
import type { PostgresPrograms } from './find-programs.ts';
import type { ClusterFolder } from './folder.ts';

const run = promisify(execFile);

/** Role and database of the service. */
const NAME = 'vehi';
const ASK_MS = 100;

/** A PostgreSQL server in the folder of a cluster. */
interface LocalPostgres {
  readonly url: string;
  /** Makes the data where there is none, and ends a server that an earlier run left. */
  prepare(): Promise<void>;
  /** Starts it; resolves when it answers and the database is there. */
  start(onSpawn: (child: Child) => void): Promise<void>;
}

/** Returns the major version that the data of a folder was made with, or undefined where there is none. */
export function readDataMajor(folder: ClusterFolder): number | undefined {
  const file = join(folder.postgres, 'data', 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}

/**
 * Returns a PostgreSQL server of these programs that is not started yet, on a socket that only its user and root can
 * use.
 */
export function createLocalPostgres(
  { folder: bin }: PostgresPrograms,
  folder: ClusterFolder,
  env: Readonly<Record<string, string | undefined>>,
): LocalPostgres {
  const data = join(folder.postgres, 'data');
  const settings = {
    cwd: folder.postgres,
    env: { PATH: env.PATH, LC_ALL: 'C' } as NodeJS.ProcessEnv,
    ...(folder.user ? { uid: folder.user.uid, gid: folder.user.gid } : {}),
  };
  const ask = async (program: string, args: readonly string[]) => {
    try {
      await run(join(bin, program), args, settings);
    } catch (cause) {
      const { stderr = '', message } = cause as { stderr?: string; message: string };
      throw new VehiError('engine', 'CLUSTER_PART_FAILED', `${program} failed: ${stderr.trim() || message}`, {
        hint: `Its folder is ${folder.postgres}.`,
        cause,
      });
    }
  };
  const isThere = (program: string, args: readonly string[]) =>
    ask(program, args).then(
      () => true,
      () => false,
    );

  return {
    url: `postgres://${NAME}@/${NAME}?host=${encodeURIComponent(folder.run)}`,
    async prepare() {
      if (readDataMajor(folder) === undefined) {
        // Under another name until it is whole; one that was cut off is made again.
        const half = `${data}.new`;
        await run('rm', ['-rf', half], settings);
        await ask('initdb', ['-A', 'trust', '-U', NAME, '-E', 'UTF8', '--locale=C', '-D', half]);
        renameSync(half, data);
      }
      // Fails where none runs.
      if (existsSync(join(data, 'postmaster.pid')))
        await isThere('pg_ctl', ['stop', '-w', '-m', 'fast', '-D', data]);
    },
    async start(onSpawn) {
      const child = startChild({
        name: 'PostgreSQL',
        command: join(bin, 'postgres'),
        args: [
          ...['-D', data, '-c', 'listen_addresses=', '-c', 'unix_socket_permissions=0700'],
          ...['-c', `unix_socket_directories="${folder.run.replaceAll('"', '""')}"`],
        ],
        env: settings.env,
        cwd: folder.postgres,
        log: folder.locateLog('PostgreSQL'),
        user: folder.user,
      });
      onSpawn(child);
      await waitUntilReady(child, () => isThere('pg_isready', ['-q', '-h', folder.run, '-d', NAME]), ASK_MS);
      // Refused where it is there.
      await isThere('createdb', ['-h', folder.run, '-U', NAME, NAME]);
    },
  };
}
