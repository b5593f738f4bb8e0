import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { type OneResult, openResultPage, type ResultPage } from '../../server/result-page.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';

export type ReviewFlags = Partial<FlagsOf<'review'>>;

/** Serves the page, prints its link and opens it; on a terminal, Enter prints a new link. */
export async function openCommandPage(
  result: OneResult,
  flags: Pick<ReviewFlags, 'port' | 'open'>,
  ctx: CliContext,
): Promise<ResultPage> {
  const page = await openResultPage(result, {
    port: flags.port ?? 0,
    onUsedLink: () =>
      void writeStatus(
        ctx,
        `vehi: a link that was used before was opened${ctx.interactive ? '; Enter prints a new one' : ''}`,
      ),
  });
  const { port, createLink } = page;
  const first = createLink();
  await writeStatus(ctx, `Review at ${first}`);
  if (ctx.env.SSH_CONNECTION)
    await writeStatus(ctx, `On your own machine first: ssh -L ${port}:127.0.0.1:${port} ${hostname()}`);
  if (flags.open !== false) openBrowser(first, ctx.env);
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

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the browser command; null if no display is visible: over ssh, in CI, or without a display server. */
export function findBrowserCommand(env: Env, platform: string): readonly string[] | null {
  if (env.SSH_CONNECTION || env.CI) return null;
  if (env.BROWSER) return [env.BROWSER];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}

/** Opens the address in a detached process; failure is ignored, because the link is printed. */
function openBrowser(address: string, env: Env): void {
  const [program, ...words] = findBrowserCommand(env, process.platform) ?? [];
  if (program === undefined) return;
  const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore', env: { ...env } });
  child.on('error', () => undefined);
  child.unref();
}
