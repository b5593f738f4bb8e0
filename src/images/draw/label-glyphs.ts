import glyphsFile from '../data/label-glyphs.json' with { type: 'json' };

/** Glyph outlines for labels, identical on every machine, whatever fonts are installed. */
export interface LabelGlyphs {
  readonly unitsPerEm: number;
  /** Height of capitals and digits above the baseline, in font units. */
  readonly ascent: number;
  /** Depth of `g` and `p` below the baseline, in font units. */
  readonly descent: number;
  /** Outline per character, in font units, y upwards. */
  readonly glyphs: ReadonlyMap<string, { readonly advance: number; readonly path: string }>;
}

interface GlyphsFile {
  readonly units_per_em: number;
  readonly ascent: number;
  readonly descent: number;
  readonly glyphs: Readonly<Record<string, { readonly advance: number; readonly path: string }>>;
}

/** Loads the shipped glyphs (`data/label-glyphs.json`). */
export function loadLabelGlyphs(): LabelGlyphs {
  const file: GlyphsFile = glyphsFile;
  return {
    unitsPerEm: file.units_per_em,
    ascent: file.ascent,
    descent: file.descent,
    glyphs: new Map(Object.entries(file.glyphs)),
  };
}

/** Measures the width of a text in ems; characters without a glyph count as `?`. */
export function measureTextEm(text: string, font: LabelGlyphs): number {
  let units = 0;
  for (const letter of text) units += findGlyph(letter, font).advance;
  return units / font.unitsPerEm;
}

/** Renders a text as SVG paths; x and y are the start of its baseline in pixels. */
export function drawTextPaths(text: string, x: number, y: number, size: number, font: LabelGlyphs): string {
  const scale = size / font.unitsPerEm;
  let at = 0;
  let paths = '';
  for (const letter of text) {
    const { advance, path } = findGlyph(letter, font);
    if (path !== '') paths += `<path transform="translate(${at} 0)" d="${path}"/>`;
    at += advance;
  }
  return `<g transform="translate(${x} ${y}) scale(${scale} ${-scale})">${paths}</g>`;
}

function findGlyph(letter: string, font: LabelGlyphs): { advance: number; path: string } {
  return font.glyphs.get(letter) ?? font.glyphs.get('?') ?? { advance: font.unitsPerEm / 2, path: '' };
}
