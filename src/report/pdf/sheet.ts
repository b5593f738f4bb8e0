import PDFDocument from 'pdfkit';
import type { Size } from '../../domain/geometry.ts';
import type { PageSize } from '../../domain/page-size.ts';
import { COLOR } from '../palette.ts';
import type { Picture } from '../pictures.ts';
import { LINE_HEIGHT, MARGIN, PAGE_POINTS, STYLE, type TextStyle } from './theme.ts';
import { Typesetter } from './typesetter.ts';

export type StructElement = PDFKit.PDFStructureElement;

interface SheetOptions {
  readonly pageSize: PageSize;
  readonly title: string;
  /** ISO 639-1 code. */
  readonly language: string;
  readonly author: string;
  /** Creation date of the PDF; the same date gives the same bytes. */
  readonly created: Date;
  /** Font file for characters missing from the built-in fonts (CJK), embedded as a subset. */
  readonly extraFont?: Uint8Array | undefined;
}

/**
 * A tagged PDF under construction: pages, current position `y` (points from the top of the page), text measured before
 * drawing (`text`), and structure elements. Paragraphs and headings stay inside the margins.
 */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly root: StructElement;
  y: number = MARGIN.top;
  readonly text: Typesetter;
  readonly #images = new Map<Picture, Buffer>();
  #isMeasuring = false;

  constructor(options: SheetOptions) {
    const [width, height] = PAGE_POINTS[options.pageSize];
    this.doc = new PDFDocument({
      size: [width, height],
      margins: MARGIN,
      bufferPages: true,
      tagged: true,
      displayTitle: true,
      lang: options.language,
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
    this.text = new Typesetter(this.doc, options.extraFont);
    this.root = this.doc.struct('Document', { title: options.title, lang: options.language });
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
  /** Usable height of an empty page in points. */
  get contentHeight(): number {
    return this.bottom - MARGIN.top;
  }

  /** Returns the height of content on one endless page, in points, by laying it out without drawing. */
  measure(draw: () => void): number {
    const [y, wasMeasuring] = [this.y, this.#isMeasuring];
    this.#isMeasuring = true;
    draw();
    const height = this.y - y;
    this.y = y;
    this.#isMeasuring = wasMeasuring;
    return height;
  }

  newPage(): void {
    if (this.#isMeasuring) return;
    this.doc.addPage();
    this.y = MARGIN.top;
  }

  /** Starts a new page unless `height` points remain on this one or it is empty; returns true if it did. */
  need(height: number): boolean {
    const fits = this.y + height <= this.bottom + 0.01 || this.y === MARGIN.top;
    if (fits || this.#isMeasuring) return false;
    this.newPage();
    return true;
  }

  /** Adds a structure element under `parent`; `fill` draws or adds its content. */
  group(parent: StructElement, tag: string, fill: (element: StructElement) => void): void {
    if (this.#isMeasuring) {
      fill(parent);
      return;
    }
    const element = this.doc.struct(tag);
    parent.add(element);
    fill(element);
    element.end();
  }

  /** Draws content as one marked element of `parent` with the given tag. Must not change pages. */
  mark(
    parent: StructElement,
    tag: string,
    draw: () => void,
    options: { alt?: string; scope?: 'Column' | 'Row' } = {},
  ): void {
    if (this.#isMeasuring) return;
    const element = this.doc.struct(tag, options as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    element.add(draw);
    element.end();
  }

  /** Draws a picture with its top left corner at `x`, `y` in points; a repeated picture is embedded once. */
  image(picture: Picture, x: number, y: number, size: Size): void {
    const opened = this.#images.get(picture) ?? openImage(this.doc, picture);
    this.#images.set(picture, opened);
    this.doc.image(opened, x, y, size);
  }

  /** Draws a line of full width, or from `x` and `width` wide, at `y`, in points; call it within `decorate` or `mark`. */
  rule(y: number, thickness: number, color: string, width = this.width, x = this.left): void {
    this.doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(thickness)
      .strokeColor(color)
      .stroke();
  }

  /** Draws an artifact that screen readers skip. */
  decorate(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    if (this.#isMeasuring) return;
    this.doc.markContent('Artifact', { type });
    draw();
    this.doc.endMarkedContent();
  }

  /** Draws a paragraph of full width (or `width`), broken across pages between lines. */
  paragraph(
    parent: StructElement,
    text: string,
    style: TextStyle = STYLE.body,
    more: { after?: number; width?: number } = {},
  ): void {
    const { after = 5, width = this.width } = more;
    let rest = this.text.lines(text, style, width);
    const lineHeight = style.size * LINE_HEIGHT;
    this.group(parent, 'P', (element) => {
      while (rest.length > 0) {
        this.need(Math.min(rest.length, 2) * lineHeight);
        const lineCount = Math.floor((this.bottom - this.y + 0.01) / lineHeight);
        const fit = this.#isMeasuring ? rest.length : Math.max(1, lineCount);
        const now = rest.slice(0, fit);
        if (!this.#isMeasuring) element.add(() => this.text.put(now, style, this.left, this.y));
        this.y += this.text.measureHeight(now, style);
        rest = rest.slice(fit);
      }
    });
    this.y += after;
  }

  /** Draws a heading followed by at least `keep` points on its page, with a bookmark for level 1. */
  heading(parent: StructElement, text: string, level: 1 | 2, keep: number): void {
    const style = level === 1 ? STYLE.h1 : STYLE.h2;
    const lines = this.text.lines(text, style, this.width);
    const height = this.text.measureHeight(lines, style);
    const before = this.y === MARGIN.top ? 0 : level === 1 ? 12 : 6;
    const after = level === 1 ? 8 : 3;
    if (!this.need(before + height + after + keep)) this.y += before;
    this.mark(parent, level === 1 ? 'H1' : 'H2', () => this.text.put(lines, style, this.left, this.y));
    if (level === 1 && !this.#isMeasuring) {
      this.doc.outline.addItem(this.text.clean(text));
      const y = this.y + height + 2;
      this.decorate(() => this.rule(y, 0.8, COLOR.accent));
    }
    this.y += height + after;
  }

  /** Ends the document; `drawOnPage` first draws on every page, numbered from 1. */
  async finish(drawOnPage: (page: number, pages: number) => void): Promise<Uint8Array> {
    this.root.end();
    const { start, count } = this.doc.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.doc.switchToPage(start + page);
      drawOnPage(page + 1, count);
    }
    const bytes = collect(this.doc);
    this.doc.end();
    return bytes;
  }
}

/** Opens a picture; pdfkit's types lack `openImage` and declare its return value as a buffer. */
function openImage(doc: PDFKit.PDFDocument, { jpeg }: Picture): Buffer {
  return (doc as unknown as { openImage(bytes: Buffer): Buffer }).openImage(Buffer.from(jpeg));
}

function collect(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.once('end', () => resolve(Buffer.concat(chunks)));
    doc.once('error', reject);
  });
}
