/** Maximum characters printed; longer text is malformed input and is cut with an ellipsis. */
const MAX_LENGTH = 1500;

/** Replacement for a character missing from the font. */
export const NO_GLYPH = '□';

/** Normalizes text for printing: NFC, a single line, no control or direction characters, only known glyphs. */
export function makePrintable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const clean = text
    .slice(0, MAX_LENGTH * 4)
    .normalize('NFC')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[^\S\u00A0]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  const characters = Array.from(clean);
  const cut = characters.length > MAX_LENGTH ? [...characters.slice(0, MAX_LENGTH), '…'] : characters;
  return cut.map((character) => (hasGlyph(character.codePointAt(0) ?? 0) ? character : NO_GLYPH)).join('');
}
