import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { VehiError } from '../../domain/errors.ts';
import { readFontTables } from './font-tables.ts';
import { type ShapingFont, shapePlainly } from './plain-shaping.ts';
import { printable } from './printable.ts';
import {
  FONT_FILES,
  LINE_HEIGHT,
  MARGIN,
  PAGE_SIZES,
  type PageSize,
  STYLE,
  type TextStyle,
} from './theme.ts';
import { fitLine, wrap } from './wrap.ts';

export type StructElement = PDFKit.PDFStructureElement;

export interface SheetOptions {
  readonly pageSize: PageSize;
  readonly title: string;
  readonly author: string;
  /** Written as creation date, so that equal input gives equal bytes. */
  readonly created: Date;
  /** A font file for signs that the report's own fonts lack (CJK), embedded as far as it is used. */
  readonly extraFont?: Uint8Array | undefined;
}

/** A piece of a text and the font that has its signs. */
interface Run {
  readonly font: TextStyle['font'] | 'extra';
  readonly text: string;
}

/** What the sheet reads from pdfkit's current font. */
interface FontInUse {
  readonly _font: { readonly font: GlyphSource; readonly ascender: number };
}

interface GlyphSource extends ShapingFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/**
 * A tagged PDF under construction: pages, a running position `y` (points from the page's top), text that is measured
 * before it is drawn, and structure elements. Nothing is ever drawn outside the margins by its own methods.
 */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly root: StructElement;
  y: number = MARGIN.top;
  /** True once a sign was met that the font does not have. */
  missingGlyphs = false;
  readonly #widths = new Map<string, number>();
  readonly #own: GlyphSource;
  readonly #extra: GlyphSource | undefined;

  constructor(options: SheetOptions) {
    const [width, height] = PAGE_SIZES[options.pageSize];
    this.doc = new PDFDocument({
      size: [width, height],
      margins: MARGIN,
      bufferPages: true,
      tagged: true,
      displayTitle: true,
      lang: 'en',
      pdfVersion: '1.7',
      info: {
        Title: options.title,
        Author: options.author,
        Creator: options.author,
        Producer: 'pdfkit',
        CreationDate: options.created,
        ModDate: options.created,
      },
    });
    this.#addOwn('bold');
    this.#own = this.#addOwn('regular');
    this.#extra = options.extraFont && this.#addExtra(options.extraFont);
    this.doc.font('regular');
    this.root = this.doc.struct('Document', { title: options.title, lang: 'en' });
    this.doc.addStructure(this.root);
  }

  get left(): number {
    return MARGIN.left;
  }
  get right(): number {
    return this.doc.page.width - MARGIN.right;
  }
  get width(): number {
    return this.right - this.left;
  }
  get bottom(): number {
    return this.doc.page.height - MARGIN.bottom;
  }
  /** Room of an empty page, points. */
  get pageRoom(): number {
    return this.bottom - MARGIN.top;
  }

  newPage(): void {
    this.doc.addPage();
    this.y = MARGIN.top;
  }

  /** Goes to a new page unless `height` points are left on this one. True where it did. */
  need(height: number): boolean {
    if (this.y + height <= this.bottom + 0.01 || this.y === MARGIN.top) return false;
    this.newPage();
    return true;
  }

  /** A structure element under `parent`, filled by what `fill` draws or adds. */
  group(
    parent: StructElement,
    tag: string,
    fill: (element: StructElement) => void,
    options: { alt?: string; title?: string } = {},
  ): void {
    const element = this.doc.struct(tag, options);
    parent.add(element);
    fill(element);
    element.end();
  }

  /** Draws content that belongs to `parent` as one marked piece with the given tag. Must not change pages. */
  mark(
    parent: StructElement,
    tag: string,
    draw: () => void,
    options: { alt?: string; scope?: 'Column' | 'Row' } = {},
  ): void {
    const element = this.doc.struct(tag, options as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    element.add(draw);
    element.end();
  }

  /** Draws decoration that a screen reader skips. */
  decorate(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.doc.markContent('Artifact', { type });
    draw();
    this.doc.endMarkedContent();
  }

  /** Text fit to print in the report's fonts. */
  clean(text: string): string {
    const has = (codePoint: number) =>
      this.#own.hasGlyphForCodePoint(codePoint) ||
      this.#extra?.hasGlyphForCodePoint(codePoint) ||
      this.#noteMissing();
    return printable(text, has);
  }

  #addOwn(name: TextStyle['font']): GlyphSource {
    const file = readFileSync(FONT_FILES[name]);
    this.doc.registerFont(name, file);
    this.doc.font(name);
    const font = this.#inUse();
    shapePlainly(font, readFontTables(file));
    return font;
  }

  /** @throws VehiError usage FONT_UNUSABLE */
  #addExtra(bytes: Uint8Array): GlyphSource {
    try {
      this.doc.registerFont('extra', Buffer.from(bytes));
      this.doc.font('extra');
      return this.#inUse();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new VehiError('usage', 'FONT_UNUSABLE', `the font cannot be used: ${reason}`, {
        hint: 'Give a single TrueType or OpenType font (.ttf, .otf, .woff2), not a collection (.ttc).',
        cause,
      });
    }
  }

  /** How far the current font rises above the line, thousandths of its size. */
  #ascender(): number {
    return (this.doc as unknown as FontInUse)._font.ascender;
  }

  #inUse(): GlyphSource {
    return (this.doc as unknown as FontInUse)._font.font;
  }

  /** The text in pieces of one font each. */
  #runs(text: string, style: TextStyle): readonly Run[] {
    if (!this.#extra) return [{ font: style.font, text }];
    const runs: { font: Run['font']; text: string }[] = [];
    for (const sign of text) {
      const font = this.#own.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0) ? style.font : 'extra';
      const last = runs.at(-1);
      if (last?.font === font) last.text += sign;
      else runs.push({ font, text: sign });
    }
    return runs;
  }

  #noteMissing(): false {
    this.missingGlyphs = true;
    return false;
  }

  /** Width of a clean text, points. */
  widthOf(text: string, style: TextStyle): number {
    const key = `${style.font} ${text}`;
    let perPoint = this.#widths.get(key);
    if (perPoint === undefined) {
      perPoint = this.#runs(text, style).reduce(
        (sum, run) => sum + this.doc.font(run.font).fontSize(100).widthOfString(run.text) / 100,
        0,
      );
      this.#widths.set(key, perPoint);
    }
    return perPoint * style.size;
  }

  /** Any text as clean lines no wider than `width`; at most `maxLines`, the last then ends in an ellipsis. */
  lines(text: string, style: TextStyle, width: number, maxLines = Number.POSITIVE_INFINITY): string[] {
    const measure = (one: string) => this.widthOf(one, style);
    const all = wrap(this.clean(text), width, measure);
    if (all.length <= maxLines) return all;
    const kept = all.slice(0, maxLines);
    kept[maxLines - 1] = fitLine(`${kept[maxLines - 1]}…`, width, measure);
    return kept;
  }

  /** Any text as one clean line no wider than `width`. */
  line(text: string, style: TextStyle, width: number): string {
    return fitLine(this.clean(text), width, (one) => this.widthOf(one, style));
  }

  heightOf(lines: readonly string[], style: TextStyle): number {
    return lines.length * style.size * LINE_HEIGHT;
  }

  /** Draws clean lines with their top at `y`; the caller has made sure that they fit. */
  put(
    lines: readonly string[],
    style: TextStyle,
    x: number,
    y: number,
    align: { width: number; to: 'left' | 'right' | 'center' } = { width: 0, to: 'left' },
  ): void {
    const lead = (style.size * (LINE_HEIGHT - 1)) / 2;
    lines.forEach((text, row) => {
      if (text === '') return;
      const free = align.to === 'left' ? 0 : align.width - this.widthOf(text, style);
      let at = x + (align.to === 'center' ? free / 2 : free);
      const top = y + lead + row * style.size * LINE_HEIGHT - style.size * 0.09;
      this.doc.fillColor(style.colour);
      for (const run of this.#runs(text, style)) {
        this.doc.font(style.font).fontSize(style.size);
        const ascender = this.#ascender();
        this.doc.font(run.font);
        // pdfkit places a text by its font's ascender; the signs of both fonts are to stand on one line.
        const lower = ((ascender - this.#ascender()) / 1000) * style.size;
        this.doc.text(run.text, at, top + lower, { lineBreak: false });
        at += this.doc.widthOfString(run.text);
      }
    });
  }

  /** A paragraph over the full width (or from `indent`), broken across pages between lines. */
  paragraph(
    parent: StructElement,
    text: string,
    style: TextStyle = STYLE.body,
    more: { tag?: string; indent?: number; after?: number } = {},
  ): void {
    const { tag = 'P', indent = 0, after = 5 } = more;
    let rest = this.lines(text, style, this.width - indent);
    const lineHeight = style.size * LINE_HEIGHT;
    while (rest.length > 0) {
      this.need(Math.min(rest.length, 2) * lineHeight);
      const fit = Math.max(1, Math.floor((this.bottom - this.y + 0.01) / lineHeight));
      const now = rest.slice(0, fit);
      this.mark(parent, tag, () => this.put(now, style, this.left + indent, this.y));
      this.y += this.heightOf(now, style);
      rest = rest.slice(fit);
    }
    this.y += after;
  }

  /** A heading with room for at least `keep` points after it, and a bookmark for the first level. */
  heading(parent: StructElement, text: string, level: 1 | 2, keep = 60): void {
    const style = level === 1 ? STYLE.h1 : STYLE.h2;
    const lines = this.lines(text, style, this.width);
    const height = this.heightOf(lines, style);
    const before = this.y === MARGIN.top ? 0 : level === 1 ? 12 : 6;
    if (!this.need(before + height + keep)) this.y += before;
    this.mark(parent, level === 1 ? 'H1' : 'H2', () => this.put(lines, style, this.left, this.y));
    if (level === 1) {
      this.doc.outline.addItem(this.clean(text));
      const y = this.y + height + 2;
      this.decorate(() =>
        this.doc.moveTo(this.left, y).lineTo(this.right, y).lineWidth(0.8).strokeColor('#123a63').stroke(),
      );
    }
    this.y += height + (level === 1 ? 8 : 3);
  }

  /** Ends the document; `furnish` may draw on every page (number from 1) before. */
  async finish(furnish: (page: number, pages: number) => void): Promise<Uint8Array> {
    this.root.end();
    const { start, count } = this.doc.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.doc.switchToPage(start + page);
      furnish(page + 1, count);
    }
    const bytes = collect(this.doc);
    this.doc.end();
    return bytes;
  }
}

function collect(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.once('end', () => done(Buffer.concat(chunks)));
    doc.once('error', fail);
  });
}
