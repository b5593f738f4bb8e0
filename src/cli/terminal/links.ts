import type { CliContext } from './context.ts';

/** Terminals with hyperlink support (OSC 8), identified by environment variable; others show plain photo names. */
const SHOWN_BY: Readonly<Record<string, RegExp>> = {
  WT_SESSION: /./,
  KONSOLE_VERSION: /./,
  VTE_VERSION: /^[5-9]\d{3}/,
  TERM: /^(xterm-kitty|xterm-ghostty|alacritty|foot)/,
  TERM_PROGRAM: /^(iTerm\.app|WezTerm|vscode|ghostty|Hyper)$/,
};

/** Returns true if stdout is a terminal with hyperlink support; `FORCE_HYPERLINK` (0: none) overrides detection. */
export function showsLinks({ stdout, env, colour }: Pick<CliContext, 'stdout' | 'env' | 'colour'>): boolean {
  if (!stdout.isTTY || colour.stdout === 0) return false;
  if (env.FORCE_HYPERLINK) return env.FORCE_HYPERLINK !== '0';
  return Object.entries(SHOWN_BY).some(([name, pattern]) => pattern.test(env[name] ?? ''));
}
