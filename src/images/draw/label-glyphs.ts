import font from '../data/label-glyphs.json' with { type: 'json' };

type Glyph = (typeof font.glyphs)['?'];

/** Outline per character, in font units, y upwards; identical on every machine, whatever fonts are installed. */
const GLYPHS: Readonly<Record<string, Glyph>> = font.glyphs;

/** Height of capitals and digits above the baseline, less half the depth of `g` and `p` below it, in ems. */
export const LETTER_HEIGHT_EM = (font.ascent - font.descent / 2) / font.units_per_em;

/** Measures the width of a text in ems; characters without a glyph count as `?`. */
export function measureTextEm(text: string): number {
  let units = 0;
  for (const letter of text) units += findGlyph(letter).advance;
  return units / font.units_per_em;
}

/** Renders a text as SVG paths; x and y are the start of its baseline in pixels. */
export function drawTextPaths(text: string, x: number, y: number, size: number): string {
  const scale = size / font.units_per_em;
  let at = 0;
  let paths = '';
  for (const letter of text) {
    const { advance, path } = findGlyph(letter);
    if (path !== '') paths += `<path transform="translate(${at} 0)" d="${path}"/>`;
    at += advance;
  }
  return `<g transform="translate(${x} ${y}) scale(${scale} ${-scale})">${paths}</g>`;
}

const findGlyph = (letter: string): Glyph => GLYPHS[letter] ?? font.glyphs['?'];
