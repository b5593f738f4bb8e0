import type { Result } from '../../contract/result.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { PageSize } from '../../domain/page-size.ts';
import { listReportSections } from '../content/report.ts';
import { type TitleBlock, writeTitleBlock } from '../content/title-block.ts';
import { chooseReportTitle, isAmerican, nameSoftware, readVehicleId } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import { chooseLanguage } from '../languages.ts';
import type { ReportPictures } from '../pictures.ts';
import type { Say } from '../say.ts';
import { drawFirstPage, drawSection } from './blocks.ts';
import { NO_GLYPH } from './printable.ts';
import { Sheet, type StructElement } from './sheet.ts';
import { COLOR, MARGIN, STYLE, type TextStyle } from './theme.ts';

/** Note on characters that could not be displayed. */
const sayGlyphNote = (say: Say): string =>
  say`${NO_GLYPH} stands for a character that the report's font does not have; the JSON report holds the text unchanged.`;

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

/** Renders the report as a tagged, searchable PDF; byte-identical for equal input, pictures and options. */
export async function renderPdf(
  input: Result,
  pictures: ReportPictures,
  options: PdfOptions,
): Promise<Uint8Array> {
  const say = chooseLanguage(input, options.language);
  const [title, vehicle] = [chooseReportTitle(input, say), readVehicleId(input)];
  const sheet = openSheet(input, `${title}: ${vehicle}`, say, options);
  const [first, decision, ...sections] = listReportSections(input, pictures, options.generatedAt, say);
  const titleBlock = writeTitleBlock(input, options.generatedAt, say);
  if (first && decision)
    drawFirstPage(sheet, (element) => drawTitleBlock(sheet, element, titleBlock), first, decision);
  for (const section of sections) {
    // The first page of a further vehicle starts a new page, so that its plan is not broken across pages.
    if (section.id === 'first' && section.vehicle !== 1) sheet.newPage();
    drawSection(sheet, section);
  }
  const id = input.inspection?.data.inspection_id ?? input.assessment?.data.assessment_id ?? '';
  return finishSheet(sheet, [`${title} · ${vehicle}`, id], input, say, options);
}

export function openSheet(input: Result, title: string, say: Say, options: PdfOptions): Sheet {
  return new Sheet({
    pageSize: options.pageSize ?? (isAmerican(input) ? 'Letter' : 'A4'),
    title,
    language: say.code,
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
  say: Say,
  { generatedAt }: PdfOptions,
): Promise<Uint8Array> {
  if (sheet.text.missingGlyphs) sheet.paragraph(sheet.root, sayGlyphNote(say), STYLE.soft);
  const footer = `${nameSoftware(input)} · ${say.figure(formatDateTime(generatedAt.toISOString()))}`;
  return sheet.finish((page, pages) =>
    drawHeaderAndFooter(sheet, say`Page ${page} of ${pages}`, [header, id, footer]),
  );
}

/** Draws the title block: vehicle, references and review status. */
function drawTitleBlock(
  sheet: Sheet,
  section: StructElement,
  { title, references, status }: TitleBlock,
): void {
  const put = (tag: string, text: string, style: TextStyle, maxLines: number, after: number) => {
    const lines = sheet.text.lines(text, style, sheet.width, maxLines);
    sheet.mark(section, tag, () => sheet.text.put(lines, style, sheet.left, sheet.y));
    sheet.y += sheet.text.measureHeight(lines, style) + after;
  };
  put('H1', title, STYLE.title, 2, 2);
  if (references !== '') put('P', references, STYLE.soft, 4, 2);
  put('P', status, STYLE.bold, 1, 8);
}

/** Draws the header and footer of a page. */
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
