/** Longest text that is printed as it is; what is longer came from no sensible source and is cut, visibly. */
const LONGEST = 1500;

/** Stands for a character that the font does not have. */
export const NO_GLYPH = '□';

/**
 * Returns text as it can be printed: composed (NFC), on one line (hard spaces stay), without control and direction
 * characters, each character that the font lacks replaced, overlong text cut with an ellipsis.
 */
export function makePrintable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const clean = text
    .slice(0, LONGEST * 4)
    .normalize('NFC')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[^\S\u00A0]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  const characters = Array.from(clean);
  const cut = characters.length > LONGEST ? [...characters.slice(0, LONGEST), '…'] : characters;
  return cut.map((character) => (hasGlyph(character.codePointAt(0) ?? 0) ? character : NO_GLYPH)).join('');
}
