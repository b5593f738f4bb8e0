import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import type { Env } from '../../config/settings.ts';
import { compact } from '../../lib/lists.ts';
import { type OneResult, openResultPage } from '../../server/result-page.ts';
import { reportUsedLink, writeStatus } from '../terminal/output.ts';
import type { Reviewing } from './reviewing.ts';

/** Serves the page, prints its link and opens it; on a terminal, Enter prints a new link. */
export async function openReviewPage(result: OneResult, { flags, ctx }: Pick<Reviewing, 'flags' | 'ctx'>) {
  const page = await openResultPage(result, {
    port: flags.port ?? 0,
    onUsedLink: () => void reportUsedLink(ctx),
  });
  const { port, createLink } = page;
  const first = createLink();
  await writeStatus(ctx, `Review at ${first}`);
  if (ctx.env.SSH_CONNECTION)
    await writeStatus(ctx, `On your own machine first: ssh -L ${port}:127.0.0.1:${port} ${hostname()}`);
  if (flags.open !== false) openBrowser(listBrowserCommands(ctx.env, process.platform, first), ctx.env);
  if (!ctx.interactive) return page;
  await writeStatus(ctx, 'Enter prints a new link, Ctrl-C stops and keeps the decisions.');
  const onEnter = () => void writeStatus(ctx, `Review at ${createLink()}`);
  ctx.stdin.on('data', onEnter);
  return {
    ...page,
    async close() {
      ctx.stdin.off('data', onEnter);
      ctx.stdin.pause();
      await page.close();
    },
  };
}

/**
 * Lists the commands that open an address, the preferred one first: those of BROWSER, separated by colons, with the
 * address for `%s` or at the end, then the system's. Empty if no display is visible: over ssh, in CI, or without a display
 * server.
 */
export function listBrowserCommands(env: Env, platform: string, address: string): readonly string[][] {
  if (env.SSH_CONNECTION || env.CI) return [];
  const given = (env.BROWSER ?? '').split(platform === 'win32' ? ';' : ':').map((one) => one.trim());
  const own = compact(given).map((command) => command.split(/\s+/));
  const hasDisplay = own.length > 0 || env.DISPLAY || env.WAYLAND_DISPLAY;
  const system = SYSTEM_BROWSERS[platform] ?? (hasDisplay ? ['xdg-open'] : []);
  return [...own, system]
    .filter(({ length }) => length > 0)
    .map((words) => (words.join().includes('%s') ? words : [...words, '%s']))
    .map((words) => words.map((word) => word.replaceAll('%s', address)));
}

const SYSTEM_BROWSERS: Readonly<Record<string, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Runs the first command whose program exists, detached; failure is ignored, because the link is printed. */
function openBrowser([command, ...others]: readonly string[][], env: Env): void {
  const [program, ...words] = command ?? [];
  if (program === undefined) return;
  const child = spawn(program, words, { detached: true, stdio: 'ignore', env: { ...env } });
  child.on('error', () => openBrowser(others, env));
  child.unref();
}
