// @module-tag slow: PDFs are set and read again
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeClaimFolder, NOW } from '../../helpers/cli/claim-folder.ts';
import { readPdf } from '../../helpers/reports/read-pdf.ts';

const { folder, inspection, run } = await makeClaimFolder();

/** A font with Chinese characters that Debian installs with Ghostscript and with fonts-droid-fallback. */
const CJK_FONT = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';

describe('every command that writes a PDF', { timeout: 60_000 }, () => {
  const rows: readonly (readonly string[])[] = [
    ['report', 'named.json', '-o', 'pdf=paged.pdf'],
    ['compare', 'named.json', 'named.json', '-o', 'pdf=paged.pdf'],
    ['assess', '--damage', 'hood:dent', '--vehicle-id', '车队 7', '-o', 'pdf=paged.pdf'],
  ];
  beforeAll(() => {
    const named = { ...inspection, data: { ...inspection.data, vehicle_id: '车队 7' } };
    writeFileSync(join(folder, 'named.json'), JSON.stringify(named));
  });
  const written = async () => {
    const { pages, text } = await readPdf(readFileSync(join(folder, 'paged.pdf')));
    return { text: text.replaceAll(/\s/g, ''), size: [pages[0]?.width, pages[0]?.height] };
  };

  it.each(rows)('%s has paper', async (...args) => {
    await run([...args, ...NOW], '', { VEHI_PAGE_SIZE: 'Letter' });
    expect((await written()).size).toEqual([612, 792]);
  });

  it.each(rows)('%s takes a language', async (...args) => {
    await run([...args, '--language', 'de', ...NOW]);
    expect((await written()).text).toContain('Seite1von');
  });

  it.skipIf(!existsSync(CJK_FONT)).each(rows)(
    `%s has a font (skipped without ${CJK_FONT})`,
    async (...args) => {
      await run([...args, ...NOW]);
      const { text } = await written();
      expect(text).toContain('□□7');
      expect(text).toContain('□standsforacharacter');
      await run([...args, ...NOW], '', { VEHI_FONT: CJK_FONT });
      expect((await written()).text).toContain('车队7');
    },
  );

  it.each([...rows, ['inspect', 'photos', '-o', 'paged.pdf']])(
    '%s says which font cannot be read',
    async (...args) => {
      const { code, stderr } = await run(args, '', { VEHI_FONT: 'none.ttf' });
      expect(code).toBe(2);
      expect(stderr).toContain('VEHI_FONT: the font none.ttf cannot be read');
    },
  );
});
