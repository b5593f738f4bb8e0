import type { CliContext } from './context.ts';

/** Terminals that show links (OSC 8), by the variables they set; elsewhere the name of a photo stays plain text. */
const SHOWN_BY: Readonly<Record<string, RegExp>> = {
  WT_SESSION: /./,
  KONSOLE_VERSION: /./,
  VTE_VERSION: /^[5-9]\d{3}/,
  TERM: /^(xterm-kitty|xterm-ghostty|alacritty|foot)/,
  TERM_PROGRAM: /^(iTerm\.app|WezTerm|vscode|ghostty|Hyper)$/,
};

/** Returns whether stdout is a terminal that shows links; `FORCE_HYPERLINK` (0: none) overrides what is known of it. */
export function showsLinks({ stdout, env, colour }: Pick<CliContext, 'stdout' | 'env' | 'colour'>): boolean {
  if (!stdout.isTTY || colour.stdout === 0) return false;
  if (env.FORCE_HYPERLINK) return env.FORCE_HYPERLINK !== '0';
  return Object.entries(SHOWN_BY).some(([name, pattern]) => pattern.test(env[name] ?? ''));
}
