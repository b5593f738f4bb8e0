// @module-tag slow: PDFs are set and read again
import { describe, expect, it } from 'vitest';
import { Sheet } from '../../../../src/report/pdf/sheet.ts';
import { drawTable } from '../../../../src/report/pdf/table.ts';
import { generatedAt, readPdf } from '../../../helpers/reports/read-pdf.ts';

/** Opens a sheet with so many points left on its first page. */
function openSheet(room: number): Sheet {
  const sheet = new Sheet({
    pageSize: 'A4',
    title: 'A table',
    language: 'en',
    author: 'vehi',
    created: generatedAt,
  });
  sheet.y = sheet.bottom - room;
  return sheet;
}

/**
 * Draws a table of so many rows from so many points above the foot of a page, row `heading` as a heading of a group;
 * returns its rows on each page.
 */
async function rowsPerPage(rows: number, room: number, heading = 0): Promise<number[]> {
  const sheet = openSheet(room);
  const cells = Array.from({ length: rows }, (_, index) => ({
    cells: [`row ${index + 1}`],
    isGroupHeading: index + 1 === heading,
  }));
  const draw = () => drawTable(sheet, sheet.root, [{ title: 'Name', share: 1 }], cells);
  const [y, height] = [sheet.y, sheet.measure(draw)];
  expect(sheet.y).toBe(y);
  expect(height).toBeGreaterThan(rows * 10);
  draw();
  const { pages } = await readPdf(await sheet.finish(() => {}));
  const counts = pages.map(({ text }) => text.match(/row \d+/g)?.length ?? 0);
  // A header row is on every page with rows, and on no other.
  expect(pages.map(({ text }) => text.includes('Name'))).toEqual(counts.map((count) => count > 0));
  return counts;
}

describe('a table over a page break', () => {
  it.each([
    ['all of it fits', 5, 200, [5]],
    ['all but one row fit', 5, 95, [3, 2]],
    ['a long one', 20, 120, [6, 14]],
    ['two rows, of which one fits', 2, 40, [0, 2]],
  ])('%s: no row stands alone on the next page', async (_, rows, room, expected) => {
    expect(await rowsPerPage(rows, room)).toEqual(expected);
  });

  it.each([
    ['its first row', 20, 120, 6, [5, 15]],
    ['its first row and the header', 20, 40, 1, [0, 20]],
    ['its only two rows', 8, 145, 6, [5, 3]],
  ])('keeps the heading of a group with %s', async (_, rows, room, heading, expected) => {
    expect(await rowsPerPage(rows, room, heading)).toEqual(expected);
  });
});

it('a paragraph over a page break is one for screen readers', async () => {
  const sheet = openSheet(40);
  sheet.paragraph(sheet.root, 'word '.repeat(200));
  const bytes = await sheet.finish(() => {});
  expect(
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/S \/P\b/g),
  ).toHaveLength(1);
  const { pages } = await readPdf(bytes);
  expect(pages.map(({ text }) => text.includes('word'))).toEqual([true, true]);
});
