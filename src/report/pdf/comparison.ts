import type { VisitsDocument } from '../compare/sections.ts';
import { chooseLanguage } from '../languages.ts';
import { drawSection } from './blocks.ts';
import { finishSheet, openSheet, type PdfOptions } from './document.ts';
import { STYLE } from './theme.ts';

export async function renderVisitsPdf(
  { inspection, redaction, write }: VisitsDocument,
  options: PdfOptions,
): Promise<Uint8Array> {
  const input = { inspection, assessment: null };
  const t = chooseLanguage(input, options.language);
  const { heading, days, sections } = write(t);
  const id = inspection.data.vehicle_id;
  const sheet = openSheet(input, t`${heading}: ${id}`, t, options);
  sheet.group(sheet.root, 'Sect', (element) => {
    sheet.mark(element, 'H1', () => sheet.text.put([heading], STYLE.title, sheet.left, sheet.y));
    sheet.y += 30;
    sheet.paragraph(element, id, STYLE.subtitle);
  });
  for (const section of sections) drawSection(sheet, section);
  if (redaction) sheet.paragraph(sheet.root, t.stored(redaction), STYLE.soft);
  return finishSheet(sheet, [t`${heading}: ${id}`, t.figure(days)], input, t, options);
}
