import type { Comparison } from '../../engine/compare/comparison.ts';
import { formatVisits } from '../compare/comparison-words.ts';
import type { ComparisonPictures } from '../compare/cuts.ts';
import { writeOverview, writePhotograph, writeSideBySide } from '../compare/sections.ts';
import { chooseLanguage, withLanguage } from '../content/language.ts';
import { translateSection } from '../content/translate.ts';
import { isAmerican } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import { drawSection } from './blocks.ts';
import { drawHeaderAndFooter, GLYPH_NOTE, type PdfOptions } from './pdf-report.ts';
import { Sheet } from './sheet.ts';
import { STYLE } from './theme.ts';

/**
 * Renders the comparison of two inspections as a PDF: overview, both crops and the evidence of every changed or
 * inconclusive location, then the parts to photograph.
 */
export async function renderComparisonPdf(
  comparison: Comparison,
  pictures: ComparisonPictures,
  options: PdfOptions,
): Promise<Uint8Array> {
  const { after } = comparison;
  const visits = formatVisits(comparison);
  const language = chooseLanguage(withLanguage({ inspection: after, assessment: null }, options.language));
  const { say } = language;
  const heading = say('Comparison of two inspections');
  const title = `${heading}: ${after.data.vehicle_id}`;
  const software = `vehi ${after.meta.software_version}`;
  const sheet = new Sheet({
    pageSize: options.pageSize ?? (isAmerican({ inspection: after, assessment: null }) ? 'Letter' : 'A4'),
    title,
    language: language.code,
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
    writeOverview(comparison),
    writeSideBySide(comparison, pictures),
    writePhotograph(comparison),
  ])
    if (one) drawSection(sheet, translateSection(one, language));
  if (pictures.redaction) sheet.paragraph(sheet.root, say(pictures.redaction), STYLE.soft);
  if (sheet.text.missingGlyphs) sheet.paragraph(sheet.root, say(GLYPH_NOTE), STYLE.soft);
  return sheet.finish((page, pages) =>
    drawHeaderAndFooter(sheet, say(`Page ${page} of ${pages}`), [
      title,
      `${say(visits.before)} → ${say(visits.after)}`,
      `${software} · ${say(formatDateTime(options.generatedAt.toISOString()))}`,
    ]),
  );
}
