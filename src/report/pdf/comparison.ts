import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import { formatInspectionDay, formatVisits } from '../compare/comparison-words.ts';
import type { ComparisonPictures } from '../compare/cuts.ts';
import { listComparisonSections } from '../compare/sections.ts';
import type { Section } from '../content/blocks.ts';
import { chooseLanguage, withLanguage } from '../content/language.ts';
import type { Say } from '../say.ts';
import { drawSection } from './blocks.ts';
import { finishSheet, openSheet, type PdfOptions } from './pdf-report.ts';
import { STYLE } from './theme.ts';

/**
 * Renders the comparison of two inspections as a PDF: overview, what was known before, both crops and the evidence of
 * every place to decide, then the photos to repeat.
 */
export async function renderComparisonPdf(
  comparison: Comparison,
  pictures: ComparisonPictures,
  options: PdfOptions,
): Promise<Uint8Array> {
  const input = withLanguage({ inspection: comparison.after, assessment: null }, options.language);
  const say = chooseLanguage(input);
  const heading = say`Comparison of two inspections`;
  const id = comparison.after.data.vehicle_id;
  const sheet = openSheet(input, `${heading}: ${id}`, say, options);
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.mark(section, 'H1', () => sheet.text.put([heading], STYLE.title, sheet.left, sheet.y));
    sheet.y += 30;
    sheet.paragraph(section, id, STYLE.subtitle);
  });
  for (const section of listComparisonSections(comparison, pictures, say)) drawSection(sheet, section);
  if (pictures.redaction) sheet.paragraph(sheet.root, say.stored(pictures.redaction), STYLE.soft);
  return finishSheet(sheet, [`${heading}: ${id}`, say.figure(formatVisits(comparison))], input, say, options);
}

/** Renders the list of what is known before a return as a PDF. */
export async function renderChecklistPdf(
  inspection: InspectionEnvelope,
  write: (say: Say) => Section,
  options: PdfOptions,
): Promise<Uint8Array> {
  const input = withLanguage({ inspection, assessment: null }, options.language);
  const say = chooseLanguage(input);
  const title = `${say`Checklist before the return`}: ${inspection.data.vehicle_id}`;
  const sheet = openSheet(input, title, say, options);
  sheet.group(sheet.root, 'Sect', (element) => {
    sheet.mark(element, 'H1', () => sheet.text.put([title], STYLE.title, sheet.left, sheet.y));
    sheet.y += 30;
  });
  drawSection(sheet, write(say));
  return finishSheet(sheet, [title, say.figure(formatInspectionDay(inspection))], input, say, options);
}
