// @module-tag slow: PDFs are set and read again
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeClaimFolder } from '../../helpers/cli/claim-folder.ts';
import { readPdf } from '../../helpers/reports/read-pdf.ts';

const { at, inspection, run, write } = await makeClaimFolder();
write('named.json', { ...inspection, data: { ...inspection.data, vehicle_id: '车队 7' } });

/** A font with Chinese characters that Debian installs with Ghostscript and with fonts-droid-fallback. */
const CJK_FONT = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';

describe('every command that writes a PDF', { timeout: 60_000 }, () => {
  const rows = [
    ['report', 'named.json', '-o', 'paged.pdf'],
    ['compare', 'named.json', 'named.json', '-o', 'paged.pdf'],
    ['assess', '--damage', 'hood:dent', '--vehicle-id', '车队 7', '-o', 'paged.pdf'],
  ];
  const setPdf = async (words: readonly string[], env: NodeJS.ProcessEnv) => {
    await run(words, env);
    const { pages, text } = await readPdf(readFileSync(at('paged.pdf')));
    return { text: text.replaceAll(/\s/g, ''), size: [pages[0]?.width, pages[0]?.height] };
  };

  it.each(rows)('%s has paper, a language, and a box for what its font lacks', async (...words) => {
    const { size, text } = await setPdf([...words, '--language', 'de'], { VEHI_PAGE_SIZE: 'Letter' });
    expect(size).toEqual([612, 792]);
    expect(text).toContain('Seite1von');
    expect(text).toContain('□□7');
    expect(text).toContain('□stehtfür');
  });

  // The font comes with paper and language.
  it.skipIf(!existsSync(CJK_FONT))(`report has a font (skipped without ${CJK_FONT})`, async () => {
    const { text } = await setPdf('report named.json -o paged.pdf'.split(' '), { VEHI_FONT: CJK_FONT });
    expect(text).toContain('车队7');
  });
});
