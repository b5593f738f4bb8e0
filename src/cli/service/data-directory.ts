import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { loadSettings, text } from '../../config/settings.ts';
import { VehiError } from '../../lib/errors.ts';
import type { Store } from '../../storage/ports.ts';
import type { CliContext } from '../terminal/context.ts';

/** The data directory: `--data`, the setting `data_dir`, or the user's own (XDG on Linux). */
export function dataDirectory(flag: string | undefined, ctx: CliContext): string {
  const configured = text(loadSettings({ data_dir: flag }, ctx.env, ctx.cwd).data_dir);
  return configured === null ? envPaths('vehi', { suffix: '' }).data : resolve(ctx.cwd, configured);
}

/** As `withStore`, for commands that have nothing to do where no service has kept anything. @throws VehiError kind `usage` */
export async function withExistingStore<T>(
  flag: string | undefined,
  ctx: CliContext,
  work: (store: Store, directory: string) => Promise<T>,
): Promise<T> {
  const { DATABASE_FILE } = await import('../../storage/sqlite/store.ts');
  const directory = dataDirectory(flag, ctx);
  if (existsSync(join(directory, DATABASE_FILE))) return withStore(flag, ctx, work);
  throw new VehiError('usage', 'NO_DATA', `${directory}: no service has kept anything here.`, {
    hint: 'Name the data directory of the service: --data DIR, or VEHI_DATA_DIR.',
  });
}

/** Opens the store of the data directory for one command. */
export async function withStore<T>(
  flag: string | undefined,
  ctx: CliContext,
  work: (store: Store, directory: string) => Promise<T>,
): Promise<T> {
  const { openDirectoryStore } = await import('../../storage/sqlite/store.ts');
  const directory = dataDirectory(flag, ctx);
  const store = openDirectoryStore(directory);
  try {
    return await work(store, directory);
  } finally {
    await store.close();
  }
}
