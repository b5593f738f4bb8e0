import { fileName, moneyRange } from '../../figures.ts';
import { methodParagraphs } from '../../method.ts';
import type { PdfContext } from '../context.ts';
import { NO_GLYPH } from '../printable.ts';
import { drawTable } from '../table.ts';
import { STYLE } from '../theme.ts';

/** Method and limits in short, models and tables with their versions and hashes, and the photos' fingerprints. */
export function drawMethod({ sheet, input }: PdfContext): void {
  const data = input.inspection?.data;
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, 'Method, limits and models', 1);
    for (const paragraph of methodParagraphs(input)) sheet.paragraph(section, paragraph);
    const region = data?.region ?? input.assessment?.data.region;
    if (region) {
      sheet.paragraph(
        section,
        `Rates: ${region.name} (${region.code}), table version ${region.table_version}, in force from ${region.effective_date}. Source: ${region.source}.`,
      );
    }
    const tables = input.assessment?.meta.tables ?? [];
    if (tables.length > 0)
      sheet.paragraph(
        section,
        `Tables: ${tables.map((table) => `${table.name} ${table.version} of ${table.effective_date}`).join('; ')}.`,
      );
    if (data && data.models.length > 0) {
      sheet.heading(section, 'Models', 2, 40);
      drawTable(
        sheet,
        section,
        [
          { title: 'Model', share: 28 },
          { title: 'Version', share: 12 },
          { title: 'Precision', share: 12 },
          { title: 'SHA-256 of the file', share: 56, small: true },
        ],
        data.models.map((model) => ({
          cells: [`${model.name} (${model.id})`, model.version, model.precision, model.sha256],
        })),
      );
    }
    if (data && data.images.length > 0) {
      sheet.heading(section, 'Photos examined', 2, 40);
      drawTable(
        sheet,
        section,
        [
          { title: 'No.', share: 6, align: 'right' },
          { title: 'File', share: 30 },
          { title: 'Pixels', share: 14 },
          { title: 'SHA-256', share: 56, small: true },
        ],
        data.images.map((photo) => ({
          cells: [
            String(photo.index + 1),
            fileName(photo.url),
            `${photo.width} × ${photo.height}`,
            photo.sha256,
          ],
        })),
      );
    }
    const total = data?.results?.damage_summary.total_estimated_repair;
    if (total && input.assessment)
      sheet.paragraph(
        section,
        `Quick estimate of the inspection, before the assessment: ${moneyRange(total.min, total.max, total.currency)}.`,
        STYLE.soft,
      );
    if (sheet.missingGlyphs)
      sheet.paragraph(
        section,
        `${NO_GLYPH} stands for a sign that the report's font does not have; the JSON report holds the text unchanged.`,
        STYLE.soft,
      );
  });
}
