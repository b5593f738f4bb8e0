import type { FontTables } from './font-tables.ts';

/** What pdfkit asks of a font's shaping: glyphs and their places, font units. */
export interface GlyphRun {
  readonly glyphs: readonly ShapedGlyph[];
  readonly positions: readonly GlyphPosition[];
  readonly advanceWidth: number;
}

interface ShapedGlyph {
  readonly id: number;
  readonly codePoints: readonly number[];
  readonly advanceWidth: number;
}

interface GlyphPosition {
  xAdvance: number;
  yAdvance: number;
  xOffset: number;
  yOffset: number;
  advanceWidth?: number;
}

/** A font as fontkit gives it to pdfkit. */
export interface ShapingFont {
  glyphForCodePoint(codePoint: number): { readonly id: number };
  layout(text: string, features?: object): GlyphRun;
}

/**
 * Signs that stand one after the other without changing each other's form: Latin, Greek, Cyrillic, punctuation, and
 * what is drawn. No combining marks and no format signs.
 */
const PLAIN = /^(?:[ -\u024F\u0370-\u052F\u1E00-\u2BFF](?<![\p{M}\p{Cf}\p{Cc}\p{Cn}]))*$/u;

/**
 * Lets a font place texts of plain signs by its widths and kerning pairs alone, and everything else as before. It is
 * the same placing but for the ligatures of f, i and l, which stay letters, and ten times faster: running every word
 * through the font's substitution and positioning rules is most of what a first report costs.
 */
export function shapePlainly(font: ShapingFont, tables: FontTables): void {
  const glyphs = new Map<number, ShapedGlyph>();
  const glyphOf = (codePoint: number): ShapedGlyph => {
    const known = glyphs.get(codePoint);
    if (known) return known;
    const { id } = font.glyphForCodePoint(codePoint);
    const glyph = { id, codePoints: [codePoint], advanceWidth: tables.advance(id) };
    glyphs.set(codePoint, glyph);
    return glyph;
  };
  const shape = font.layout.bind(font);
  font.layout = (text, features) => {
    if (features || !PLAIN.test(text)) return shape(text, features);
    const run = Array.from(text, (sign) => glyphOf(sign.codePointAt(0) ?? 0));
    const positions = run.map(({ id, advanceWidth }, index) => {
      const next = run[index + 1];
      const xAdvance = advanceWidth + (next ? tables.kerning(id, next.id) : 0);
      return { xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0 };
    });
    return {
      glyphs: run,
      positions,
      // pdfkit brings the positions to its own unit before it asks for the width.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}
