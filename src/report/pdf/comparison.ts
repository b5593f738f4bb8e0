import type { ComparedPlace, Comparison } from '../../engine/compare/comparison.ts';
import { explainPlace, titlePlace } from '../compare/comparison-words.ts';
import { type ComparisonPictures, type Cuts, isShown } from '../compare/cuts.ts';
import { findLimitCircle, writeCutCaption, writeOverview, writePhotograph } from '../compare/sections.ts';
import { describePlaceVerdict } from '../compare/standard-words.ts';
import { isAmerican } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import { capitalise } from '../words.ts';
import { drawSection } from './blocks.ts';
import { furnish, GLYPH_NOTE, type PdfOptions } from './pdf-report.ts';
import { drawCloseUp } from './sections/close-up.ts';
import { Sheet, type StructElement } from './sheet.ts';
import { COLOUR, STYLE } from './theme.ts';

/** Four changes fit on a page. */
const PICTURE_HEIGHT = 116;
const GAP = 12;

/**
 * Renders the comparison of two inspections as a PDF: what changed, then every changed or doubtful place with both cuts
 * side by side and how it is known, then what to photograph.
 */
export async function renderComparisonPdf(
  comparison: Comparison,
  pictures: ComparisonPictures,
  options: PdfOptions,
): Promise<Uint8Array> {
  const { before, after } = comparison;
  const title = `Comparison of two inspections: ${after.data.vehicle_id}`;
  const software = `vehi ${after.meta.software_version}`;
  const sheet = new Sheet({
    pageSize: options.pageSize ?? (isAmerican({ inspection: after, assessment: null }) ? 'Letter' : 'A4'),
    title,
    author: software,
    created: options.generatedAt,
    extraFont: options.extraFont,
  });
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.mark(section, 'H1', () =>
      sheet.text.put(['Comparison of two inspections'], STYLE.title, sheet.left, sheet.y),
    );
    sheet.y += 30;
    sheet.paragraph(section, after.data.vehicle_id, STYLE.subtitle);
  });
  drawSection(sheet, writeOverview(comparison));
  drawPlaces(sheet, comparison, pictures);
  const photograph = writePhotograph(comparison);
  if (photograph) drawSection(sheet, photograph);
  if (pictures.redaction) sheet.paragraph(sheet.root, pictures.redaction, STYLE.soft);
  if (sheet.text.missingGlyphs) sheet.paragraph(sheet.root, GLYPH_NOTE, STYLE.soft);
  return sheet.finish((page, pages) =>
    furnish(sheet, page, pages, [
      title,
      `${before.data.inspection_id} → ${after.data.inspection_id}`,
      `${software} · ${formatDateTime(options.generatedAt.toISOString())}`,
    ]),
  );
}

function drawPlaces(sheet: Sheet, comparison: Comparison, pictures: ComparisonPictures): void {
  sheet.group(sheet.root, 'Sect', (section) => {
    const shown = comparison.places.filter(isShown);
    if (shown.length > 0) sheet.heading(section, 'Side by side', 1, PICTURE_HEIGHT + 64);
    for (const place of shown) {
      sheet.heading(section, titlePlace(place), 2, PICTURE_HEIGHT + 42);
      const width = (sheet.width - GAP) / 2;
      const verdict = describePlaceVerdict(place, comparison);
      sheet.paragraph(
        section,
        `${capitalise(explainPlace(place, comparison))}.${verdict ? ` ${verdict}.` : ''}`,
      );
      drawSide(sheet, section, place, comparison, 'before', pictures.before, sheet.left, width);
      const right = sheet.left + width + GAP;
      drawSide(sheet, section, place, comparison, 'after', pictures.after, right, width);
      sheet.y += PICTURE_HEIGHT + 28;
    }
  });
}

function drawSide(
  sheet: Sheet,
  section: StructElement,
  place: ComparedPlace,
  comparison: Comparison,
  side: 'before' | 'after',
  cuts: Cuts,
  x: number,
  width: number,
): void {
  const { y } = sheet;
  const find = place[side];
  const cut = cuts.get(place);
  const caption = writeCutCaption(place, comparison, side, cut?.photo);
  sheet.mark(
    section,
    'Figure',
    () => {
      sheet.doc.rect(x, y, width, PICTURE_HEIGHT).fill(COLOUR.band);
      if (!cut) {
        const missing = find ? 'no picture' : 'no photo shows the place';
        sheet.text.put([missing], STYLE.label, x, y + PICTURE_HEIGHT / 2 - 5, { width, to: 'center' });
        return;
      }
      const room = { x, y, width, height: PICTURE_HEIGHT };
      drawCloseUp(sheet, cut.closeUp, cut.box, room, {
        colour: COLOUR.ink,
        dashed: find === null,
        circle: findLimitCircle(place, comparison, side),
      });
    },
    { alt: `${caption}.` },
  );
  const lines = sheet.text.lines(caption, STYLE.label, width, 2);
  sheet.mark(section, 'Caption', () => sheet.text.put(lines, STYLE.label, x, y + PICTURE_HEIGHT + 3));
}
