import { getDocument, OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Result } from '../../../src/contract/result.ts';
import type { PageSize } from '../../../src/domain/page-size.ts';
import { renderPdf } from '../../../src/report/pdf/pdf-report.ts';
import { NO_PICTURES, type ReportPictures } from '../../../src/report/pictures.ts';
import { exampleInspection } from '../results/example-inspection.ts';

/** The time printed as the reports' own. */
export const generatedAt = new Date('2026-11-20T10:00:00Z');

/** A page as a reader sees it. */
export interface Page {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** Left, right, bottom, top of every piece of text, points. */
  readonly pieces: readonly ({ readonly text: string } & Readonly<
    Record<'left' | 'right' | 'bottom' | 'top', number>
  >)[];
}

/** The text and facts of a PDF. */
export async function readPdf(bytes: Uint8Array) {
  return openPdf(bytes, async (document) => {
    const pages: Page[] = [];
    for (let number = 1; number <= document.numPages; number++)
      pages.push(await readPage(await document.getPage(number)));
    const { info } = await document.getMetadata();
    return {
      pages,
      info: info as Record<string, unknown>,
      marked: await document.getMarkInfo(),
      outline: (await document.getOutline())?.map((item) => item.title) ?? [],
      text: pages.map((page) => page.text).join(' '),
    };
  });
}

/** How many pictures each page of a PDF paints, and its tags. Takes as long as to read all the text. */
export async function readDrawing(bytes: Uint8Array) {
  return openPdf(bytes, async (document) => {
    const pages: { readonly images: number; readonly tags: readonly string[] }[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { fnArray } = await page.getOperatorList();
      const tree = await page.getStructTree();
      const images = fnArray.filter((op) => op === OPS.paintImageXObject).length;
      pages.push({ images, tags: tree ? rolesOf(tree as StructNode) : [] });
    }
    return pages;
  });
}

async function openPdf<T>(bytes: Uint8Array, read: (document: PDFDocumentProxy) => Promise<T>): Promise<T> {
  const data = new Uint8Array(bytes);
  const document = await getDocument({ data, verbosity: 0, useSystemFonts: false }).promise;
  return read(document).finally(() => document.destroy());
}

async function readPage(page: PDFPageProxy): Promise<Page> {
  const { width, height } = page.getViewport({ scale: 1 });
  const content = await page.getTextContent();
  const pieces = content.items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [left, bottom] = item.transform.slice(4);
    return { text: item.str, left, right: left + item.width, bottom, top: bottom + item.height };
  });
  return { text: pieces.map((piece) => piece.text).join(' '), width, height, pieces };
}

interface StructNode {
  readonly role?: string;
  readonly children?: readonly StructNode[];
}

function rolesOf(node: StructNode): string[] {
  return [...(node.role ? [node.role] : []), ...(node.children ?? []).flatMap(rolesOf)];
}

/** Sets a report. */
export function print(input: Result, pageSize: PageSize = 'A4', pictures: ReportPictures = NO_PICTURES) {
  return renderPdf(input, pictures, { pageSize, generatedAt });
}

/** A report as its PDF reads. */
export const render = async (...report: Parameters<typeof print>) => readPdf(await print(...report));

/** Twelve damages in six photos. */
export const some = exampleInspection({ damages: 12, photos: 6 });
/** An inspection without results. */
const failure = { code: 'X', message: 'The model could not run.' };
export const failed = { ...some, data: { ...some.data, results: null, status: 'failed' as const, failure } };
