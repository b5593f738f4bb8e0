import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { describe, expect, it } from 'vitest';
import { readFontTables } from '../../../src/report/pdf/font-tables.ts';
import { type GlyphRun, type ShapingFont, shapePlainly } from '../../../src/report/pdf/plain-shaping.ts';
import { FONT_FILES } from '../../../src/report/pdf/theme.ts';

/** The font as pdfkit opens it. */
function open(name: keyof typeof FONT_FILES): ShapingFont {
  const file = readFileSync(FONT_FILES[name]);
  const doc = new PDFDocument().registerFont('one', file).font('one');
  return (doc as unknown as { _font: { font: ShapingFont } })._font.font;
}

function plainly(name: keyof typeof FONT_FILES): ShapingFont {
  const font = open(name);
  shapePlainly(font, readFontTables(readFileSync(FONT_FILES[name])));
  return font;
}

const drawn = ({ glyphs, positions, advanceWidth }: GlyphRun) => ({
  glyphs: glyphs.map(({ id, advanceWidth: width, codePoints }) => [id, width, ...codePoints]),
  places: positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => [xAdvance, yAdvance, xOffset, yOffset]),
  advanceWidth,
});

/** Every pair of signs a report is likely to hold. */
const PAIRS = Array.from({ length: 95 }, (_, a) =>
  Array.from({ length: 95 }, (_, b) => String.fromCharCode(32 + a, 32 + b)).join(' '),
).join(' ');

describe.each(['regular', 'bold'] as const)('plain shaping, %s', (name) => {
  const shaped = open(name);
  const plain = plainly(name);

  it.each([
    ['Latin', 'Wagen To. AV, “Ty” $1,240–1,900 · Škoda Łódź naïve Ưở ½ × □ …'],
    ['Greek', 'Ωμέγα Τύπος ΑΥΤΟ ἄνθρωπος'],
    ['Cyrillic', 'Флот «Северо-Запад» Київ Ѓ УГА'],
    ['all pairs of ASCII', PAIRS],
  ])('places %s as the font’s own rules do, ligatures left out', (_, text) => {
    expect(drawn(plain.layout(text))).toEqual(drawn(shaped.layout(text, { liga: false })));
  });

  it.each([
    ['combining marks', 'x\u0301 q\u0323\u0307 Ѯ\u0483'],
    ['Arabic', 'سيارة'],
    ['Armenian', 'Երևան'],
    ['a format sign', 'a\u00ADb'],
  ])('leaves %s to the font’s own rules', (_, text) => {
    expect(drawn(plain.layout(text))).toEqual(drawn(shaped.layout(text)));
  });

  it('keeps f and i apart, so that both are found when searched for', () => {
    const { glyphs } = plain.layout('office');
    expect(glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints))).toEqual(Array.from('office'));
  });
});
