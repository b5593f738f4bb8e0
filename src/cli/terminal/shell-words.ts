/** Returns words as a shell reads them: quoted where they hold anything but harmless characters. */
export function quoteCommandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}
