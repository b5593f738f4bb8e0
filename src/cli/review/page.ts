import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { openResultPage, type ResultPage } from '../../server/result-page.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { writeStatus } from '../terminal/output.ts';

/** Parsed flags of `vehi review`; empty for `inspect --review`. */
export type ReviewFlags = Partial<FlagsOf<'review'>>;

/** Review page of a command, with the link for the user. */
export interface CommandPage extends ResultPage {
  /** Prints and opens the link once the page has content; Enter prints a fresh link. */
  invite(): Promise<void>;
}

/** Serves the page on a server of its own. */
export async function openCommandPage(
  flags: Pick<ReviewFlags, 'host' | 'port' | 'allowHost' | 'open'>,
  ctx: CliContext,
): Promise<CommandPage> {
  const page = await openResultPage({
    host: flags.host ?? '127.0.0.1',
    port: flags.port ?? 0,
    allowedHosts: flags.allowHost ?? [],
    onUsedLink: () =>
      void writeStatus(
        ctx,
        `vehi: a link that was used before was opened${ctx.interactive ? '; Enter prints a new one' : ''}`,
      ),
  });
  let stopListening: (() => void) | null = null;
  return {
    ...page,
    async invite() {
      stopListening ??= await invite(page, flags, ctx);
    },
    async close(why) {
      stopListening?.();
      await page.close(why);
    },
  };
}

/** Prints the link, opens it, and prints a fresh one on Enter. */
async function invite(
  { port, createLink }: ResultPage,
  flags: Pick<ReviewFlags, 'host' | 'open'>,
  ctx: CliContext,
): Promise<() => void> {
  const first = createLink();
  await writeStatus(ctx, `Review at ${first}`);
  if (flags.host)
    await writeStatus(
      ctx,
      `vehi: the page listens on ${flags.host}; anyone who reaches it and has the link can review`,
    );
  if (ctx.env.SSH_CONNECTION)
    await writeStatus(ctx, `On your own machine first: ssh -L ${port}:127.0.0.1:${port} ${hostname()}`);
  if (flags.open !== false) openBrowser(first, ctx.env);
  if (!ctx.interactive) return () => undefined;
  await writeStatus(ctx, 'Enter prints a new link, Ctrl-C stops and keeps the decisions.');
  const onEnter = () => void writeStatus(ctx, `Review at ${createLink()}`);
  ctx.stdin.on('data', onEnter);
  return () => {
    ctx.stdin.off('data', onEnter);
    ctx.stdin.pause();
  };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the browser command; null without a visible display: over ssh, in CI, or without a display server. */
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
