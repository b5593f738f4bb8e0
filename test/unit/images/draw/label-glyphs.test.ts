import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { DAMAGE_SUBTYPES, DAMAGE_TYPES, SEVERITIES } from '../../../../src/domain/damage.ts';
import font from '../../../../src/images/data/label-glyphs.json' with { type: 'json' };
import { drawTextPaths, measureTextEm } from '../../../../src/images/draw/label-glyphs.ts';

interface Font {
  readonly unitsPerEm: number;
  glyphForCodePoint(point: number): { readonly advanceWidth: number; readonly path: { toSVG(): string } };
}

it('glyphs are the outlines of DejaVu Sans Bold', () => {
  const require = createRequire(import.meta.url);
  const fontkit = createRequire(require.resolve('pdfkit'))('fontkit') as { openSync(path: string): Font };
  const dejavu = fontkit.openSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));
  expect(font.units_per_em).toBe(dejavu.unitsPerEm);
  for (const [letter, { advance, path }] of Object.entries(font.glyphs)) {
    const glyph = dejavu.glyphForCodePoint(letter.codePointAt(0) ?? 0);
    expect([letter, advance, path]).toEqual([letter, glyph.advanceWidth, glyph.path.toSVG()]);
  }
});

it('glyphs cover every word a label can hold', () => {
  const words = [...DAMAGE_TYPES, ...DAMAGE_SUBTYPES, ...SEVERITIES].map((word) => word.replaceAll('_', ' '));
  for (const letter of `0123456789 · ${words.join('')}`) expect(Object.keys(font.glyphs)).toContain(letter);
});

it('glyphs add up to the width of a text, unknown letters shown as a question mark', () => {
  expect(measureTextEm('11')).toBeCloseTo(2 * measureTextEm('1'), 10);
  expect(measureTextEm('車')).toBe(measureTextEm('?'));
  expect(measureTextEm('')).toBe(0);
});

it('no text gets into the drawing as markup', () => {
  expect(drawTextPaths('</g><script>"', 0, 0, 10)).not.toMatch(/script|"">/);
});
