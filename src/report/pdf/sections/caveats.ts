import { fileName, percent, plain } from '../../figures.ts';
import { humanise, subjectWords } from '../../words.ts';
import type { PdfContext } from '../context.ts';
import { drawTable } from '../table.ts';
import { STYLE } from '../theme.ts';

/** What was not assessed, what is wrong with photos, which were rejected, and every warning. */
export function drawCaveats({ sheet, input, pictures }: PdfContext): void {
  const data = input.inspection?.data;
  const warnings = [...(data?.warnings ?? []), ...(input.assessment?.data.warnings ?? [])];
  const notAssessed = data?.results?.not_assessed ?? [];
  const issues = (data?.images ?? []).flatMap((photo) => photo.issues.map((issue) => ({ photo, issue })));
  const rejected = data?.rejected_images ?? [];
  const hidden = data?.results?.hidden_damage_risks ?? [];
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, 'Not assessed, photo issues, warnings', 1);
    if (data?.partial)
      sheet.paragraph(section, 'The inspection was interrupted: this report is partial.', STYLE.bold);
    if (notAssessed.length > 0) {
      sheet.heading(section, 'Not assessed', 2, 40);
      drawTable(
        sheet,
        section,
        [
          { title: 'What', share: 32 },
          { title: 'Reason', share: 68 },
        ],
        notAssessed.map((one) => ({ cells: [subjectWords(one.what), one.reason] })),
      );
    }
    if (data && data.missing_views.length > 0)
      sheet.paragraph(
        section,
        `Nobody photographed: ${data.missing_views.map((view) => humanise(view).toLowerCase()).join(', ')}.`,
      );
    if (issues.length > 0) {
      sheet.heading(section, 'Photo issues', 2, 40);
      drawTable(
        sheet,
        section,
        [
          { title: 'Photo', share: 30 },
          { title: 'Issue', share: 46 },
          { title: 'Found', share: 12, align: 'right' },
          { title: 'Limit', share: 12, align: 'right' },
        ],
        issues.map(({ photo, issue }) => ({
          cells: [
            `${photo.index + 1}: ${fileName(photo.url)}`,
            issue.message,
            plain(issue.value, 2),
            plain(issue.limit, 2),
          ],
        })),
      );
    }
    if (rejected.length > 0) {
      sheet.heading(section, 'Photos rejected', 2, 40);
      drawTable(
        sheet,
        section,
        [
          { title: 'Photo', share: 30 },
          { title: 'Reason', share: 36 },
          { title: 'Found', share: 17 },
          { title: 'Needed', share: 17 },
        ],
        rejected.map((one) => ({ cells: [fileName(one.url), one.message, one.found, one.needed] })),
      );
    }
    if (hidden.length > 0) {
      sheet.heading(section, 'Hidden damage that may be found on dismantling (in no total)', 2, 40);
      drawTable(
        sheet,
        section,
        [
          { title: 'Component', share: 30 },
          { title: 'Probability', share: 14, align: 'right' },
          { title: 'Basis', share: 56 },
        ],
        hidden.map((one) => ({ cells: [humanise(one.component), percent(one.probability), one.basis] })),
      );
    }
    for (const [index, reason] of pictures.missing)
      sheet.paragraph(section, `Photo ${index + 1} is not shown: ${reason}`, STYLE.body, { after: 2 });
    for (const warning of warnings) sheet.paragraph(section, warning.message, STYLE.body, { after: 2 });
    const nothing =
      notAssessed.length +
        issues.length +
        rejected.length +
        warnings.length +
        hidden.length +
        pictures.missing.size ===
        0 &&
      !data?.partial &&
      (data?.missing_views.length ?? 0) === 0;
    if (nothing) sheet.paragraph(section, 'Nothing to note.');
  });
}
