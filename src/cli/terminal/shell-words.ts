import { OPTIONS } from '../../config/options.ts';

/** Joins words to a shell command line, quoting those with special characters. */
export const quoteCommandLine = (words: readonly string[]): string => words.map(quote).join(' ');

/** Formats a command line of `vehi`. @param flags keyed by their name in OPTIONS, in the order to print */
export function formatCommand(words: readonly string[], flags: object): string {
  const typed = Object.entries(flags).flatMap(([name, values]) => {
    const [flag = ''] = /--[\w-]+/.exec(OPTIONS[name as keyof typeof OPTIONS].flag) ?? [];
    return [values].flat().flatMap((value) => (value === true ? [flag] : [flag, String(value)]));
  });
  return quoteCommandLine(['vehi', ...words, ...typed]);
}

function quote(word: string): string {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  if (!/\p{Cc}/u.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const encode = (one: string) =>
    /\p{Cc}/u.test(one) ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : `\\${one}`;
  return `$'${word.replace(/[\\'\p{Cc}]/gu, encode)}'`;
}
