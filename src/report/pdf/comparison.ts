import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import { formatInspectionDay, formatVisits } from '../compare/comparison-words.ts';
import type { ComparisonPictures } from '../compare/cuts.ts';
import {
  writeKnown,
  writeOverview,
  writePhotograph,
  writeSideBySide,
  writeToCheck,
  writeUnchanged,
} from '../compare/sections.ts';
import type { Section } from '../content/blocks.ts';
import { chooseLanguage, withLanguage } from '../content/language.ts';
import { isAmerican } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import type { Say } from '../say.ts';
import { drawSection } from './blocks.ts';
import { drawHeaderAndFooter, type PdfOptions, sayGlyphNote } from './pdf-report.ts';
import { Sheet } from './sheet.ts';
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
  const { after } = comparison;
  const say = chooseLanguage(withLanguage({ inspection: after, assessment: null }, options.language));
  const heading = say`Comparison of two inspections`;
  const title = `${heading}: ${after.data.vehicle_id}`;
  const software = `vehi ${after.meta.software_version}`;
  const sheet = new Sheet({
    pageSize: options.pageSize ?? (isAmerican({ inspection: after, assessment: null }) ? 'Letter' : 'A4'),
    title,
    language: say.code,
    author: software,
    created: options.generatedAt,
    extraFont: options.extraFont,
  });
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.mark(section, 'H1', () => sheet.text.put([heading], STYLE.title, sheet.left, sheet.y));
    sheet.y += 30;
    sheet.paragraph(section, after.data.vehicle_id, STYLE.subtitle);
  });
  for (const one of [
    writeOverview(comparison, say),
    writeKnown(comparison, say),
    writeSideBySide(comparison, pictures, say),
    writePhotograph(comparison, pictures, say),
    writeToCheck(comparison, say),
    writeUnchanged(comparison, say),
  ])
    if (one) drawSection(sheet, one);
  if (pictures.redaction) sheet.paragraph(sheet.root, say.stored(pictures.redaction), STYLE.soft);
  if (sheet.text.missingGlyphs) sheet.paragraph(sheet.root, sayGlyphNote(say), STYLE.soft);
  return sheet.finish((page, pages) =>
    drawHeaderAndFooter(sheet, say`Page ${page} of ${pages}`, [
      title,
      say.figure(formatVisits(comparison)),
      `${software} · ${say.figure(formatDateTime(options.generatedAt.toISOString()))}`,
    ]),
  );
}

/** Renders the list of what is known before a return as a PDF. */
export async function renderChecklistPdf(
  inspection: InspectionEnvelope,
  write: (say: Say) => Section,
  options: PdfOptions,
): Promise<Uint8Array> {
  const input = { inspection, assessment: null };
  const say = chooseLanguage(withLanguage(input, options.language));
  const title = `${say`Checklist before the return`}: ${inspection.data.vehicle_id}`;
  const software = `vehi ${inspection.meta.software_version}`;
  const sheet = new Sheet({
    pageSize: options.pageSize ?? (isAmerican(input) ? 'Letter' : 'A4'),
    title,
    language: say.code,
    author: software,
    created: options.generatedAt,
    extraFont: options.extraFont,
  });
  sheet.group(sheet.root, 'Sect', (element) => {
    sheet.mark(element, 'H1', () => sheet.text.put([title], STYLE.title, sheet.left, sheet.y));
    sheet.y += 30;
  });
  drawSection(sheet, write(say));
  return sheet.finish((page, pages) =>
    drawHeaderAndFooter(sheet, say`Page ${page} of ${pages}`, [
      title,
      say.figure(formatInspectionDay(inspection)),
      `${software} · ${say.figure(formatDateTime(options.generatedAt.toISOString()))}`,
    ]),
  );
}
