/** Joins words to a shell command line, quoting those with special characters. */
export const quoteCommandLine = (words: readonly string[]): string => words.map(quote).join(' ');

function quote(word: string): string {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  if (!/\p{Cc}/u.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const encode = (one: string) =>
    /\p{Cc}/u.test(one) ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : `\\${one}`;
  return `$'${word.replace(/[\\'\p{Cc}]/gu, encode)}'`;
}
