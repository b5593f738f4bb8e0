import { CHANGES } from '../../domain/judge/compare.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import {
  CHANGE_WORDS,
  describeAbsence,
  describeSighting,
  listCautions,
  NO_CERTAIN_DAMAGE,
  titlePair,
} from '../compare/comparison-words.ts';
import type { Section } from '../content/blocks.ts';
import { makeParagraph, makeTable } from '../content/blocks.ts';
import { isAmerican } from '../facts.ts';
import { ABSENT, formatDateTime } from '../figures.ts';
import { describeVerdict } from '../headline.ts';
import type { ReportPictures } from '../pictures.ts';
import { capitalise, describeDamage, describeFindPart } from '../words.ts';
import { drawSection } from './blocks.ts';
import { furnish, GLYPH_NOTE, type PdfOptions } from './pdf-report.ts';
import { drawCloseUp } from './sections/close-up.ts';
import { Sheet, type StructElement } from './sheet.ts';
import { COLOUR, STYLE } from './theme.ts';

/** Four changes fit on a page. */
const PICTURE_HEIGHT = 116;
const GAP = 12;

/**
 * Renders the comparison of two inspections as a PDF: counts, table, and every change with both close-ups side by side.
 */
export async function renderComparisonPdf(
  comparison: Comparison,
  pictures: { before: ReportPictures; after: ReportPictures },
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
  drawSection(sheet, writeChanges(comparison));
  sheet.group(sheet.root, 'Sect', (section) => {
    if (comparison.pairs.length > 0) sheet.heading(section, 'Side by side', 1, PICTURE_HEIGHT + 50);
    for (const pair of comparison.pairs) {
      sheet.heading(section, titlePair(pair), 2, PICTURE_HEIGHT + 28);
      const width = (sheet.width - GAP) / 2;
      drawSide(sheet, section, pair, 'before', pictures.before, sheet.left, width);
      drawSide(sheet, section, pair, 'after', pictures.after, sheet.left + width + GAP, width);
      sheet.y += PICTURE_HEIGHT + 28;
    }
  });
  const redaction = pictures.after.redaction ?? pictures.before.redaction;
  if (redaction) sheet.paragraph(sheet.root, redaction, STYLE.soft);
  if (sheet.text.missingGlyphs) sheet.paragraph(sheet.root, GLYPH_NOTE, STYLE.soft);
  return sheet.finish((page, pages) =>
    furnish(sheet, page, pages, [
      title,
      `${before.data.inspection_id} → ${after.data.inspection_id}`,
      `${software} · ${formatDateTime(options.generatedAt.toISOString())}`,
    ]),
  );
}

function writeOverview(comparison: Comparison): Section {
  const { before, after, counts } = comparison;
  const row = (label: string, pick: (envelope: Comparison['before']) => string) => ({
    cells: [label, pick(before), pick(after)],
  });
  return {
    id: 'overview',
    title: 'At a glance',
    blocks: [
      makeParagraph(
        CHANGES.map((change) => `${CHANGE_WORDS[change]}: ${counts[change]}`).join('   ·   '),
        'bold',
      ),
      ...listCautions(comparison).map((sentence) => makeParagraph(sentence, 'bold')),
      makeTable(
        [
          { title: '', share: 24 },
          { title: 'Before', share: 38 },
          { title: 'After', share: 38 },
        ],
        [
          row('Inspection', ({ data }) => data.inspection_id),
          row('Inspected', ({ data }) => formatDateTime(data.created_at)),
          row('Photos', ({ data }) => String(data.images.length)),
          row('Condition', ({ data }) => (data.results ? describeVerdict(data.results) : ABSENT)),
          row('Damages', ({ data }) => String(data.results?.damages.length ?? 0)),
          row('To check', ({ data }) => String(data.results?.to_check.length ?? 0)),
          row('Models', ({ data }) =>
            data.models.map((model) => `${model.name} ${model.version}`).join(', '),
          ),
        ],
      ),
    ],
  };
}

function writeChanges({ pairs }: Comparison): Section {
  const rows = pairs.map((pair) => {
    const damage = (pair.after ?? pair.before)?.damage;
    return {
      cells: [
        CHANGE_WORDS[pair.change],
        damage ? describeFindPart(damage.location) : ABSENT,
        describeDamage(damage?.type ?? '', damage?.subtype),
        describeSighting(pair, 'before'),
        describeSighting(pair, 'after'),
      ],
    };
  });
  const note =
    'Damages are matched by part, kind, place and size. A damage counts as new, or as repaired, only where the other inspection has a photo of its place; as worse where it moved up a tier or grew by more than the uncertainty of both measurements.';
  return {
    id: 'changes',
    title: 'Changes',
    blocks: [
      rows.length === 0
        ? makeParagraph(`${capitalise(NO_CERTAIN_DAMAGE)}.`)
        : makeTable(
            [
              { title: 'Change', share: 15 },
              { title: 'Part', share: 20 },
              { title: 'Damage', share: 15 },
              { title: 'Before', share: 30 },
              { title: 'After', share: 30 },
            ],
            rows,
          ),
      makeParagraph(note, 'soft'),
    ],
  };
}

function drawSide(
  sheet: Sheet,
  section: StructElement,
  pair: Comparison['pairs'][number],
  side: 'before' | 'after',
  pictures: ReportPictures,
  x: number,
  width: number,
): void {
  const { y } = sheet;
  const seen = pair[side];
  const name = side === 'before' ? 'Before' : 'After';
  const closeUp = seen ? pictures.closeUps.get(seen.id) : undefined;
  const absent = describeAbsence(pair) ?? 'no such damage';
  const missing = seen ? 'no picture' : `${absent} ${side}`;
  sheet.mark(
    section,
    'Figure',
    () => {
      sheet.doc.rect(x, y, width, PICTURE_HEIGHT).fill(COLOUR.band);
      if (!closeUp) {
        sheet.text.put([missing], STYLE.label, x, y + PICTURE_HEIGHT / 2 - 5, { width, to: 'center' });
        return;
      }
      const room = { x, y, width, height: PICTURE_HEIGHT };
      drawCloseUp(sheet, closeUp, seen?.damage, room, { colour: COLOUR.ink, dashed: false });
    },
    { alt: seen ? `${name}: close-up of damage no. ${seen.damage.number}.` : `${name}: ${missing}.` },
  );
  const lines = sheet.text.lines(`${name}: ${describeSighting(pair, side)}`, STYLE.label, width, 2);
  sheet.mark(section, 'Caption', () => sheet.text.put(lines, STYLE.label, x, y + PICTURE_HEIGHT + 3));
}
