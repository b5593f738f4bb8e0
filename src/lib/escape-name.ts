// Control characters, the C1 range and bidirectional formatting characters, all of which may occur in file names. The
// zero-width joiners after a letter are part of how names of many languages are spelled.
const UNPRINTABLE = /(?!(?<=[\p{L}\p{M}])[\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes a file name for one line of a terminal: control and formatting characters become \u{…}. */
export function escapeName(name: string): string {
  return name.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
