import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VehiError } from '../../lib/errors.ts';
import { makeFolderSync } from '../../lib/make-folder.ts';
import { toReason } from '../../lib/reason.ts';
import { lockForService } from '../../storage/sqlite/service-lock.ts';
import type { SystemUser } from './child.ts';

/** The folder of one cluster, held until `release`. */
export interface ClusterFolder {
  readonly path: string;
  readonly postgres: string;
  readonly redis: string;
  /** Sockets. */
  readonly run: string;
  readonly files: string;
  /** The user that PostgreSQL runs as, where this process is root. */
  readonly user: SystemUser | undefined;
  locateLog(name: string): string;
  /** The key made at the first start; undefined where it was removed. */
  readKey(): string | undefined;
  keepKey(key: string): void;
  release(): void;
}

const MARK = 'cluster.json';
const KEY = 'api-key';
/** A path of a socket holds 107 bytes. */
const SOCKET_MAX_BYTES = 107;
const LONGEST_SOCKET = '.s.PGSQL.5432.lock';

const makeRefusal = (code: string, message: string, hint: string, cause?: unknown) =>
  new VehiError('usage', code, message, { hint, cause });

/** PostgreSQL refuses to run as root. */
function findUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { name, uid: id('-u'), gid: id('-g') };
    } catch {
      // The next one.
    }
  }
  throw makeRefusal(
    'CLUSTER_USER_MISSING',
    'PostgreSQL does not run as root, and there is no user postgres or nobody.',
    'Run vehi cluster as a user that is not root.',
  );
}

function checkReachable(path: string, user: SystemUser): void {
  try {
    execFileSync('test', ['-x', path], { uid: user.uid, gid: user.gid, cwd: '/', stdio: 'ignore' });
  } catch (cause) {
    throw makeRefusal(
      'CLUSTER_FOLDER_CLOSED',
      `${path}: PostgreSQL does not run as root but as ${user.name}, who cannot reach this folder.`,
      'Name a folder that is open to it, such as /var/tmp/try, or run vehi cluster as a user that is not root.',
      cause,
    );
  }
}

/** Takes the lock that `vehi serve` takes for a data directory too. */
function lock(path: string): () => void {
  try {
    return lockForService(path).release;
  } catch (cause) {
    if (!(cause instanceof VehiError)) throw cause;
    throw makeRefusal(
      'DATA_DIRECTORY_IN_USE',
      `${path}: another vehi cluster is running in this folder.`,
      'Stop it first, or name another folder with --data.',
      cause,
    );
  }
}

/**
 * Makes the folder, or takes the one of an earlier run.
 * @throws VehiError usage/… where it is in use, holds something else, cannot be written, or its path is too long for sockets.
 */
export function takeFolder(path: string): ClusterFolder {
  const run = join(path, 'run');
  const longest = Buffer.byteLength(join(run, LONGEST_SOCKET));
  if (longest > SOCKET_MAX_BYTES) {
    throw makeRefusal(
      'CLUSTER_FOLDER_TOO_LONG',
      `${path}: the path is ${longest - SOCKET_MAX_BYTES} characters too long for the sockets in it.`,
      'Name a folder with a shorter path.',
    );
  }
  const user = findUser();
  let made: string | undefined;
  try {
    made = makeFolderSync(path, 0o700);
  } catch (cause) {
    throw makeRefusal(
      'CLUSTER_FOLDER_UNUSABLE',
      `${path}: cannot be made (${toReason(cause)}).`,
      'Name a folder that can be written.',
      cause,
    );
  }
  const held = readdirSync(path);
  if (held.length > 0 && !held.includes(MARK)) {
    throw makeRefusal(
      'CLUSTER_FOLDER_NOT_OURS',
      `${path}: holds something else (${held.slice(0, 3).join(', ')}).`,
      'Name a new or empty folder, or that of an earlier vehi cluster.',
    );
  }
  const release = lock(path);
  try {
    writeFileSync(join(path, MARK), '{ "version": 1 }\n', { mode: 0o600 });
    // Others may pass through to the sub-folder that is theirs, and read nothing.
    if (user) chmodSync(path, 0o711);
    for (const name of ['postgres', 'redis', 'run', 'files', 'logs']) makeFolderSync(join(path, name), 0o700);
    if (user) {
      for (const name of ['postgres', 'run']) chownSync(join(path, name), user.uid, user.gid);
      checkReachable(path, user);
    }
  } catch (error) {
    release();
    if (made !== undefined) rmSync(made, { recursive: true });
    throw error;
  }
  const key = join(path, KEY);
  return {
    path,
    postgres: join(path, 'postgres'),
    redis: join(path, 'redis'),
    run,
    files: join(path, 'files'),
    user,
    locateLog: (name) => join(path, 'logs', `${name.toLowerCase().replaceAll(' ', '-')}.log`),
    readKey: () => (existsSync(key) ? readFileSync(key, 'utf8').trim() : undefined),
    keepKey(text) {
      rmSync(key, { force: true });
      writeFileSync(key, `${text}\n`, { mode: 0o600 });
    },
    release,
  };
}
