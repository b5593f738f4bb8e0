// Control characters, the C1 range and the marks that turn the direction of text: a file name may hold any of them.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a file name that is safe to show on one line of a terminal: control and formatting characters become \u{…}
 * escapes.
 */
export function escapeName(name: string): string {
  return name.replace(UNPRINTABLE, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}
