/** What is drawn of a TrueType font without shaping: widths of its glyphs and distances between pairs of them. */
export interface FontTables {
  /** Advance width, font units. */
  advance(glyph: number): number;
  /** What a pair of glyphs moves together (negative) or apart, font units. */
  kerning(left: number, right: number): number;
}

/**
 * Reads the tables `hmtx` and `kern` (format 0) of a TrueType file, as the OpenType specification has them. A font
 * without pairs has none.
 */
export function readFontTables(file: Uint8Array): FontTables {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const at = tableOffsets(view);
  const widths = view.getUint16((at.get('hhea') ?? 0) + 34);
  const hmtx = at.get('hmtx') ?? 0;
  const pairs = kerningPairs(view, at.get('kern'));
  return {
    // Glyphs past the last width have that width.
    advance: (glyph) => view.getUint16(hmtx + Math.min(glyph, widths - 1) * 4),
    kerning: (left, right) => pairs.get(left * PAIR + right) ?? 0,
  };
}

const PAIR = 0x1_0000;

function tableOffsets(view: DataView): Map<string, number> {
  const offsets = new Map<string, number>();
  const count = view.getUint16(4);
  for (let entry = 12; entry < 12 + count * 16; entry += 16) {
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(entry + byte)));
    offsets.set(tag, view.getUint32(entry + 8));
  }
  return offsets;
}

function kerningPairs(view: DataView, table: number | undefined): Map<number, number> {
  const pairs = new Map<number, number>();
  if (table === undefined) return pairs;
  const count = view.getUint16(table + 10);
  for (let entry = table + 18; entry < table + 18 + count * 6; entry += 6)
    pairs.set(view.getUint16(entry) * PAIR + view.getUint16(entry + 2), view.getInt16(entry + 4));
  return pairs;
}
