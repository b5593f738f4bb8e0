// @module-tag slow: PDFs are set and read again
import { describe, expect, it } from 'vitest';
import { Sheet } from '../../../../src/report/pdf/sheet.ts';
import { drawTable } from '../../../../src/report/pdf/table.ts';
import { generatedAt, readPdf } from '../../../helpers/reports/read-pdf.ts';

/** Draws a table of so many rows from so many points above the foot of a page; returns its rows on each page. */
async function rowsPerPage(rows: number, room: number, kept: number): Promise<number[]> {
  const sheet = new Sheet({
    pageSize: 'A4',
    title: 'A table',
    language: 'en',
    author: 'vehi',
    created: generatedAt,
  });
  sheet.y = sheet.bottom - room;
  const cells = Array.from({ length: rows }, (_, index) => ({ cells: [`row ${index + 1}`] }));
  drawTable(sheet, sheet.root, [{ title: 'Name', share: 1 }], cells, { kept });
  const { pages } = await readPdf(await sheet.finish(() => {}));
  return pages.map(({ text }) => text.match(/row \d+/g)?.length ?? 0);
}

describe('a table over a page break', () => {
  it.each([
    ['all of it and its note fit', 5, 200, 40, [5]],
    ['its note does not fit', 5, 115, 40, [3, 2]],
    ['one row does not fit', 5, 95, 0, [3, 2]],
    ['a long one whose note does not fit', 14, 275, 40, [8, 6]],
    ['a long one', 20, 120, 0, [6, 14]],
  ])('%s: no row stands alone on the next page', async (_, rows, room, kept, expected) => {
    expect(await rowsPerPage(rows, room, kept)).toEqual(expected);
  });
});
