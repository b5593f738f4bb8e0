import { toReason, VehiError } from '../../lib/errors.ts';
import { breakLines, fitLine } from './break-lines.ts';
import { makePrintable } from './printable.ts';
import { FONT_FILES, LINE_HEIGHT, type TextStyle } from './theme.ts';

/** A run of characters in a single font. */
interface Run {
  readonly font: TextStyle['font'] | 'extra';
  readonly text: string;
}

/** Internals of pdfkit's current font that the typesetter reads. */
interface FontInUse {
  /** The ascender is in thousandths of the font's size. */
  readonly _font: { readonly font: GlyphSource; readonly ascender: number };
}

interface GlyphSource {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** Measures, breaks and draws text in the built-in fonts, with an optional fallback font for missing characters. */
export class Typesetter {
  /** True after a character that no font contains. */
  missingGlyphs = false;
  readonly #doc: PDFKit.PDFDocument;
  readonly #widths = new Map<string, number>();
  readonly #own: GlyphSource;
  readonly #extra: GlyphSource | undefined;

  /** @throws VehiError usage FONT_UNUSABLE */
  constructor(doc: PDFKit.PDFDocument, extraFont: Uint8Array | undefined) {
    this.#doc = doc;
    this.#addOwn('bold');
    this.#own = this.#addOwn('regular');
    this.#extra = extraFont && this.#addExtra(extraFont);
    doc.font('regular');
  }

  /** Normalizes text for printing in the report's fonts. */
  clean(text: string): string {
    return makePrintable(text, (codePoint) => {
      const isKnown = [this.#own, this.#extra].some((font) => font?.hasGlyphForCodePoint(codePoint));
      this.missingGlyphs ||= !isKnown;
      return isKnown;
    });
  }

  #addOwn(name: TextStyle['font']): GlyphSource {
    this.#doc.registerFont(name, FONT_FILES[name]);
    this.#doc.font(name);
    return this.#inUse().font;
  }

  /** @throws VehiError usage FONT_UNUSABLE */
  #addExtra(bytes: Uint8Array): GlyphSource {
    try {
      this.#doc.registerFont('extra', Buffer.from(bytes));
      this.#doc.font('extra');
      return this.#inUse().font;
    } catch (cause) {
      const reason = toReason(cause);
      throw new VehiError('usage', 'FONT_UNUSABLE', `the font cannot be used: ${reason}`, {
        hint: 'Give a single TrueType or OpenType font (.ttf, .otf, .woff2), not a collection (.ttc).',
        cause,
      });
    }
  }

  #inUse(): FontInUse['_font'] {
    return (this.#doc as unknown as FontInUse)._font;
  }

  /** Splits text into runs of a single font. */
  #runs(text: string, style: TextStyle): readonly Run[] {
    if (!this.#extra) return [{ font: style.font, text }];
    const runs: { font: Run['font']; text: string }[] = [];
    for (const character of text) {
      const font = this.#own.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? style.font : 'extra';
      const last = runs.at(-1);
      if (last?.font === font) last.text += character;
      else runs.push({ font, text: character });
    }
    return runs;
  }

  /** Computes the width of normalized text in points. */
  measureWidth(text: string, style: TextStyle): number {
    const key = `${style.font} ${text}`;
    let perPoint = this.#widths.get(key);
    if (perPoint === undefined) {
      perPoint = this.#runs(text, style).reduce(
        (sum, run) => sum + this.#doc.font(run.font).fontSize(100).widthOfString(run.text) / 100,
        0,
      );
      this.#widths.set(key, perPoint);
    }
    return perPoint * style.size;
  }

  /** Breaks text into normalized lines no wider than `width`, at most `maxLines`, with an ellipsis if cut. */
  lines(text: string, style: TextStyle, width: number, maxLines = Number.POSITIVE_INFINITY): string[] {
    const measure = (one: string) => this.measureWidth(one, style);
    const all = breakLines(this.clean(text), width, measure);
    if (all.length <= maxLines) return all;
    const shown = all.slice(0, maxLines);
    shown[maxLines - 1] = fitLine(`${shown[maxLines - 1]}…`, width, measure);
    return shown;
  }

  /** Normalizes text and cuts it to one line no wider than `width`. */
  line(text: string, style: TextStyle, width: number): string {
    return fitLine(this.clean(text), width, (one) => this.measureWidth(one, style));
  }

  measureHeight(lines: readonly string[], style: TextStyle): number {
    return lines.length * style.size * LINE_HEIGHT;
  }

  /** Draws normalized lines with their top at `y`; the caller ensures that they fit. */
  put(
    lines: readonly string[],
    style: TextStyle,
    x: number,
    y: number,
    align: { width: number; to: 'left' | 'right' | 'center' } = { width: 0, to: 'left' },
  ): void {
    const leading = (style.size * (LINE_HEIGHT - 1)) / 2;
    lines.forEach((text, row) => {
      if (text === '') return;
      const free = align.to === 'left' ? 0 : align.width - this.measureWidth(text, style);
      let at = x + (align.to === 'center' ? free / 2 : free);
      const top = y + leading + row * style.size * LINE_HEIGHT - style.size * 0.09;
      this.#doc.fillColor(style.color);
      for (const run of this.#runs(text, style)) {
        this.#doc.font(style.font).fontSize(style.size);
        const { ascender } = this.#inUse();
        this.#doc.font(run.font);
        // pdfkit positions text by the font's ascender; both fonts must share a baseline.
        const lower = ((ascender - this.#inUse().ascender) / 1000) * style.size;
        this.#doc.text(run.text, at, top + lower, { lineBreak: false });
        at += this.#doc.widthOfString(run.text);
      }
    });
  }
}
