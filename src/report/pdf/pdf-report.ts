import type { Result } from '../../contract/result.ts';
import { listReportSections } from '../content/report.ts';
import { type TitleBlock, writeTitleBlock } from '../content/title-block.ts';
import { chooseReportTitle, pickVehicleId } from '../facts.ts';
import { chooseLanguage } from '../languages.ts';
import type { ReportPictures } from '../pictures.ts';
import { drawFirstPage, drawSection } from './blocks.ts';
import { finishSheet, openSheet, type PdfOptions } from './document.ts';
import type { Sheet, StructElement } from './sheet.ts';
import { STYLE, type TextStyle } from './theme.ts';

/** Renders the report as a tagged, searchable PDF; byte-identical for equal input, pictures and options. */
export async function renderPdf(
  input: Result,
  pictures: ReportPictures,
  options: PdfOptions,
): Promise<Uint8Array> {
  const t = chooseLanguage(input, options.language);
  const [title, vehicle] = [chooseReportTitle(input, t), pickVehicleId(input)];
  const sheet = openSheet(input, t`${title}: ${vehicle}`, t, options);
  const [first, decision, ...sections] = listReportSections(input, pictures, options.generatedAt, t);
  const titleBlock = writeTitleBlock(input, options.generatedAt, t);
  if (first && decision)
    drawFirstPage(sheet, (element) => drawTitleBlock(sheet, element, titleBlock), first, decision);
  for (const section of sections) {
    // The first page of a further vehicle starts a new page, so that its plan is not broken across pages.
    if (section.id === 'first' && section.vehicle !== 1) sheet.newPage();
    drawSection(sheet, section);
  }
  const id = input.inspection?.data.inspection_id ?? input.assessment?.data.assessment_id ?? '';
  return finishSheet(sheet, [`${title} · ${vehicle}`, id], input, t, options);
}

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
