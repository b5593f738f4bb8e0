import { resolve } from 'node:path';
import envPaths from 'env-paths';
import { loadSettings, text } from '../config/settings.ts';
import type { Store } from '../storage/ports.ts';
import type { CliContext } from './context.ts';

/** The data directory: `--data`, the setting `data_dir`, or the user's own (XDG on Linux). */
export function dataDirectory(flag: string | undefined, ctx: CliContext): string {
  const configured = text(loadSettings({ data_dir: flag }, ctx.env, ctx.cwd).data_dir);
  return configured === null ? envPaths('vehi', { suffix: '' }).data : resolve(ctx.cwd, configured);
}

/** Opens the store of the data directory for one command. */
export async function withStore<T>(
  flag: string | undefined,
  ctx: CliContext,
  work: (store: Store, directory: string) => Promise<T>,
): Promise<T> {
  const { openDirectoryStore } = await import('../storage/sqlite/store.ts');
  const directory = dataDirectory(flag, ctx);
  const store = openDirectoryStore(directory);
  try {
    return await work(store, directory);
  } finally {
    await store.close();
  }
}
