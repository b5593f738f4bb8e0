import type { OutputStream } from '../terminal/context.ts';

/** How a terminal takes pictures: kitty's graphics protocol (PNG) or the inline images of iTerm2. */
type PictureProtocol = 'kitty' | 'iterm2';

/** Konsole shows inline images of iTerm2 from 22.04 on; KONSOLE_VERSION is a number such as 220401. */
const KONSOLE_WITH_PICTURES = 220400;

/**
 * Returns the protocol by which the terminal shows pictures, as its environment names it; null where pictures would
 * only be noise: no terminal, one that is not known to show them, or a multiplexer in between, which swallows them.
 */
export function detectPictureProtocol(
  env: Readonly<Record<string, string | undefined>>,
  stream: Pick<OutputStream, 'isTTY'>,
): PictureProtocol | null {
  const { TERM = '', TERM_PROGRAM = '' } = env;
  if (!stream.isTTY || TERM === 'dumb') return null;
  if (env.TMUX || env.STY || /^(screen|tmux)/.test(TERM)) return null;
  if (env.KITTY_WINDOW_ID || /^xterm-(kitty|ghostty)$/.test(TERM) || TERM_PROGRAM === 'ghostty')
    return 'kitty';
  const inline = ['iTerm.app', 'WezTerm', 'mintty'].includes(TERM_PROGRAM) || env.LC_TERMINAL === 'iTerm2';
  return inline || Number(env.KONSOLE_VERSION ?? 0) >= KONSOLE_WITH_PICTURES ? 'iterm2' : null;
}

/** Kitty takes base64 in pieces of at most so many characters. */
const KITTY_PIECE = 4096;

/**
 * Returns the characters that show a picture `columns` wide, in its own proportions.
 * @param picture PNG for kitty; PNG or JPEG for iTerm2
 */
export function inlinePicture(protocol: PictureProtocol, picture: Uint8Array, columns: number): string {
  const base64 = Buffer.from(picture).toString('base64');
  if (protocol === 'iterm2') {
    const facts = `inline=1;size=${picture.byteLength};width=${columns};preserveAspectRatio=1`;
    return `\u001b]1337;File=${facts}:${base64}\u0007`;
  }
  const pieces = base64.match(new RegExp(`.{1,${KITTY_PIECE}}`, 'g')) ?? [];
  return pieces
    .map((piece, index) => {
      // q=2: the terminal would answer on stdin, into the next question.
      const facts = index === 0 ? `a=T,f=100,q=2,c=${columns},` : '';
      return `\u001b_G${facts}m=${index < pieces.length - 1 ? 1 : 0};${piece}\u001b\\`;
    })
    .join('');
}
