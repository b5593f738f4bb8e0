// @module-tag slow: photos are decoded
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeClaimFolder } from '../../helpers/cli/claim-folder.ts';
import { readPdf } from '../../helpers/reports/read-pdf.ts';

const { at, inspection, read, readJson, run, write } = await makeClaimFolder();
const known = inspection.data.results?.damages ?? [];

describe('vehi compare --checklist', { timeout: 60_000 }, () => {
  let terminal = '';
  let pdf = '';
  beforeAll(async () => {
    const ran = await run('compare result.json --checklist -o list.pdf -o list.html -o list.json', {
      COLUMNS: '80',
    });
    expect(ran.code, ran.stderr).toBe(0);
    terminal = ran.stdout;
    pdf = (await readPdf(readFileSync(at('list.pdf')))).text;
  }, 60_000);

  it('says the same on a terminal of 80 columns, in the PDF and on the page', async () => {
    for (const line of terminal.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    await expect(terminal).toMatchFileSnapshot('expected/checklist.txt');
    await expect(`${pdf.replace(/\s+/g, ' ').trim()}\n`).toMatchFileSnapshot('expected/checklist-pdf.txt');
    const page = read('list.html')
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<(\/?(p|h1|h2|figcaption|title))[^>]*>/g, '\n')
      .replace(/<[^>]+>/g, '')
      .split('\n')
      .filter((line) => line.trim() !== '');
    await expect(`${page.join('\n')}\n`).toMatchFileSnapshot('expected/checklist-html.txt');
  });

  it('shows every damage with a picture, and names the photo to repeat', () => {
    expect(read('list.html').match(/<img /g)).toHaveLength(known.length);
    const repeated = known.map(({ damage_id, image_url: photo_to_repeat }) => ({
      damage_id,
      photo_to_repeat,
    }));
    expect(readJson('list.json').data.known).toMatchObject(repeated);
  });

  it('says where nothing was known, and is no evidence', async () => {
    const clean = structuredClone(inspection);
    if (clean.data.results) clean.data.results.damages = [];
    write('clean.json', clean);
    const { stdout } = await run('compare clean.json --checklist');
    expect(stdout).toContain('No damage was certain before.');
    const ran = await run('compare result.json --checklist -o evidence=list.zip');
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('a checklist is not evidence')]);
  });
});
