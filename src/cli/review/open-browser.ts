import { spawn } from 'node:child_process';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the program that opens an address; null where nobody would see the page: over ssh, in CI, without a display.
 */
export function findBrowserCommand(env: Env, platform: string): readonly string[] | null {
  if (env.SSH_CONNECTION || env.CI) return null;
  if (env.BROWSER) return [env.BROWSER];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}

/** Opens the address, detached; that it cannot be opened is no error, for the link is printed. */
export function openBrowser(address: string, env: Env, platform: string): void {
  const [program, ...words] = findBrowserCommand(env, platform) ?? [];
  if (program === undefined) return;
  const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore', env: { ...env } });
  child.on('error', () => undefined);
  child.unref();
}
