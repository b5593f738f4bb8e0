// @module-tag slow: PDFs are set and read again
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClaimFolder, NOW } from '../../helpers/cli/claim-folder.ts';

const { folder, inspection, run, remove } = await makeClaimFolder();
afterAll(remove);

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
    const data = new Uint8Array(readFileSync(join(folder, 'paged.pdf')));
    const document = await getDocument({ data, verbosity: 0 }).promise;
    const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
    let text = '';
    for (let number = 1; number <= document.numPages; number++) {
      const { items } = await (await document.getPage(number)).getTextContent();
      text += items.flatMap((item) => ('str' in item ? [item.str] : [])).join('');
    }
    await document.destroy();
    return { text: text.replaceAll(/\s/g, ''), size: [width, height] };
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
