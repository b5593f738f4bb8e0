import type { ColorSupportLevel } from 'chalk';
/**
 * Returns the colour level of one stream. Order: --no-color, --color, NO_COLOR, FORCE_COLOR, then what the terminal
 * states (chalk itself does not know NO_COLOR, so the level is decided here and passed to it).
 */
export function chooseColourLevel(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): ColorSupportLevel {
  if (flags.includes('--no-color')) return 0;
  const rich = env.COLORTERM === 'truecolor' ? 3 : env.TERM?.includes('256') ? 2 : 1;
  if (flags.includes('--color')) return rich;
  if (env.NO_COLOR) return 0;
  if (env.FORCE_COLOR !== undefined) return readForcedLevel(env.FORCE_COLOR, rich);
  if (!stream.isTTY || env.TERM === 'dumb') return 0;
  return rich;
}

function readForcedLevel(value: string, rich: ColorSupportLevel): ColorSupportLevel {
  if (value === '0' || value === 'false') return 0;
  if (value === '1' || value === '2' || value === '3') return Number(value) as ColorSupportLevel;
  return rich;
}
