import type { Result } from '../../contract/result.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { PageSize } from '../../domain/page-size.ts';
import { isAmerican, nameSoftware } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import { COLOR } from '../palette.ts';
import type { Translator } from '../translator.ts';
import { NO_GLYPH } from './printable.ts';
import { Sheet } from './sheet.ts';
import { MARGIN, STYLE } from './theme.ts';

export interface PdfOptions {
  /** Default: Letter for a price region in the United States, otherwise A4. */
  readonly pageSize?: PageSize | undefined;
  /** Default: that of the price region. */
  readonly language?: LanguageCode | undefined;
  /** Report time and PDF creation date; the same time gives the same bytes. */
  readonly generatedAt: Date;
  /** Font file for characters missing from the built-in fonts, such as Chinese. */
  readonly extraFont?: Uint8Array | undefined;
}

/** Opens the sheet of a document, in the page size of the price region unless one is chosen. */
export function openSheet(input: Result, title: string, t: Translator, options: PdfOptions): Sheet {
  return new Sheet({
    pageSize: options.pageSize ?? (isAmerican(input) ? 'Letter' : 'A4'),
    title,
    language: t.code,
    author: nameSoftware(input),
    created: options.generatedAt,
    extraFont: options.extraFont,
  });
}

/** Finishes a document: note on missing characters, two texts at the top of each page, software and time at the bottom. */
export function finishSheet(
  sheet: Sheet,
  [header, id]: readonly [header: string, id: string],
  input: Result,
  t: Translator,
  { generatedAt }: PdfOptions,
): Promise<Uint8Array> {
  const glyphs = t`${NO_GLYPH} stands for a character that the report's font does not have; the JSON report holds the text unchanged.`;
  if (sheet.text.missingGlyphs) sheet.paragraph(sheet.root, glyphs, STYLE.soft);
  const footer = `${nameSoftware(input)} · ${t.figure(formatDateTime(generatedAt.toISOString()))}`;
  return sheet.finish((page, pages) =>
    drawHeaderAndFooter(sheet, t`Page ${page} of ${pages}`, [header, id, footer]),
  );
}

function drawHeaderAndFooter(
  sheet: Sheet,
  number: string,
  [header, id, footer]: readonly [string, string, string],
): void {
  const { doc } = sheet;
  // pdfkit would add a page for text below the bottom margin.
  doc.page.margins = { ...MARGIN, top: 0, bottom: 0 };
  sheet.decorate(() => {
    const style = STYLE.label;
    const idText = sheet.text.line(id, style, sheet.width * 0.42);
    const idWidth = sheet.text.measureWidth(idText, style);
    sheet.text.put([sheet.text.line(header, style, sheet.width - idWidth - 16)], style, sheet.left, 30);
    sheet.text.put([idText], style, sheet.right - idWidth, 30);
    sheet.rule(44, 0.5, COLOR.rule);
    const y = doc.page.height - 36;
    sheet.rule(y, 0.5, COLOR.rule);
    sheet.text.put([sheet.text.line(footer, style, sheet.width - 90)], style, sheet.left, y + 5);
    sheet.text.put([number], style, sheet.right - sheet.text.measureWidth(number, style), y + 5);
  }, 'Pagination');
}
