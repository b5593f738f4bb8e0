import { fileURLToPath } from 'node:url';
import { type Child, readLine, startChild } from './child.ts';
import type { ClusterFolder } from './folder.ts';

const BIN = fileURLToPath(new URL('../../../bin/vehi.js', import.meta.url));
const END_WITH_PARENT = new URL('../../../dist/cli/cluster/end-with-parent.js', import.meta.url).href;

/** Settings of the parts and of other services, which must not reach the processes of this one. */
const NOT_INHERITED =
  /^(PG|VEHI_(DATABASE|REDIS|OBJECTS|DATA_DIR|HEALTH_URL)$|VEHI_(REDIS|SENTINEL)_PASSWORD(_FILE)?$)/;

/** Starts one vehi process of a cluster. Returns the line that it prints once it is ready. */
export async function startVehi(
  name: string,
  words: readonly string[],
  {
    folder,
    env,
    cwd,
    shared,
    graceMs,
  }: {
    folder: ClusterFolder;
    env: Readonly<Record<string, string | undefined>>;
    cwd: string;
    shared: Readonly<Record<string, string>>;
    /** Time that it has to end once this process is gone; then it kills itself. */
    graceMs: number;
  },
  onSpawn: (child: Child) => void,
): Promise<string> {
  const inherited = Object.entries(env).filter(([key]) => !NOT_INHERITED.test(key));
  const child = startChild({
    name,
    command: process.execPath,
    args: ['--import', `${END_WITH_PARENT}?grace-ms=${graceMs}`, BIN, ...words],
    env: { ...Object.fromEntries(inherited), ...shared },
    cwd,
    log: folder.locateLog(name),
    isNode: true,
  });
  onSpawn(child);
  return readLine(child);
}
