import { ABSENT, moneyRange, percent, sizeText } from '../../figures.ts';
import type { DamageRow } from '../../input.ts';
import { damageWords, humanise, partWords } from '../../words.ts';
import type { PdfContext } from '../context.ts';
import { drawTable } from '../table.ts';

/** The damage table: one row per damage. */
export function drawDamages({ sheet, rows, input }: PdfContext): void {
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, 'Damages', 1);
    if (rows.length === 0) {
      const reason = input.inspection?.data.results
        ? 'No damage was found in the photos that could be analysed.'
        : 'There are no results to list.';
      sheet.paragraph(section, reason);
      return;
    }
    drawTable(
      sheet,
      section,
      [
        { title: 'No.', share: 4.4, align: 'right' },
        { title: 'Part', share: 19 },
        { title: 'Damage', share: 13 },
        { title: 'Severity', share: 11.5 },
        { title: 'Score', share: 7.4, align: 'right' },
        { title: 'Size', share: 15.5 },
        { title: 'Sure', share: 6.6, align: 'right' },
        { title: 'Photos', share: 8, align: 'right' },
        { title: input.assessment ? 'Recommended repair' : 'Repair, range', share: 19, align: 'right' },
      ],
      rows.map((row) => ({
        cells: [
          String(row.number),
          partWords(row.part),
          damageWords(row.type, row.subtype),
          { severity: row.severity },
          row.score.toFixed(1),
          sizeText(row.found?.measurements) ?? ABSENT,
          percent(row.found?.confidence),
          photoNumbers(row),
          costText(row),
        ],
        ...(row.found?.detail ? { note: row.found.detail } : {}),
      })),
    );
  });
}

function photoNumbers({ found }: DamageRow): string {
  if (!found) return ABSENT;
  return [...new Set(found.evidence.map((evidence) => evidence.image_index + 1))].join(', ');
}

function costText({ found, assessed }: DamageRow): string {
  if (assessed) {
    const { option, min_cost, max_cost, currency } = assessed.recommended_repair;
    return `${humanise(option)} ${moneyRange(min_cost, max_cost, currency)}`;
  }
  return found
    ? moneyRange(found.estimated_repair.min, found.estimated_repair.max, found.estimated_repair.currency)
    : ABSENT;
}
