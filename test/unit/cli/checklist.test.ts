// @module-tag slow: photos are decoded
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeClaimFolder, NOW } from '../../helpers/cli/claim-folder.ts';
import { readPdf } from '../../helpers/reports/read-pdf.ts';

const { folder, inspection, run } = await makeClaimFolder();

const known = inspection.data.results?.damages ?? [];
const WIDE = { COLUMNS: '80' };
const readText = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('vehi compare --checklist', { timeout: 60_000 }, () => {
  let terminal = '';
  beforeAll(async () => {
    const outputs = ['pdf=list.pdf', 'html=list.html', 'json=list.json'].flatMap((one) => ['-o', one]);
    const ran = await run(['compare', 'result.json', '--checklist', ...outputs, ...NOW], '', WIDE);
    expect(ran.code, ran.stderr).toBe(0);
    terminal = ran.stdout.toString();
  }, 60_000);

  it('names on a terminal of 80 columns the photo to repeat for each damage', async () => {
    for (const line of terminal.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    await expect(terminal).toMatchFileSnapshot('expected/checklist.txt');
  });

  it('says the same in the PDF', async () => {
    const { text } = await readPdf(readFileSync(join(folder, 'list.pdf')));
    await expect(`${text.replace(/\s+/g, ' ').trim()}\n`).toMatchFileSnapshot('expected/checklist-pdf.txt');
  });

  it('says the same on the page', async () => {
    const text = readText('list.html')
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<(\/?(p|h1|h2|figcaption|title))[^>]*>/g, '\n')
      .replace(/<[^>]+>/g, '')
      .split('\n')
      .filter((line) => line.trim() !== '');
    await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('expected/checklist-html.txt');
  });

  it('shows every damage with its number, photo and picture in each form', async () => {
    const { text } = await readPdf(readFileSync(join(folder, 'list.pdf')));
    const page = readText('list.html');
    expect(page.match(/<img /g)).toHaveLength(known.length);
    expect(known.length).toBeGreaterThan(2);
    for (const { number, image_url: url } of known) {
      const photo = url.split('/').at(-1) as string;
      const entry = new RegExp(`^${number}  [^\\d](.|\\n {3})*: repeat ${photo}$`, 'm');
      expect(terminal.replaceAll('\n   ', ' ')).toMatch(entry);
      for (const said of [text, page]) {
        expect(said).toContain(`${number}. `);
        expect(said).toContain(`View as in ${photo}`);
      }
    }
    const { data } = JSON.parse(readText('list.json'));
    expect(data.known.map((one: { photo_to_repeat: string }) => one.photo_to_repeat)).toEqual(
      known.map(({ image_url: url }) => url),
    );
  });

  it('says where nothing was known', async () => {
    const clean = structuredClone(inspection);
    if (clean.data.results) clean.data.results.damages = [];
    writeFileSync(join(folder, 'clean.json'), JSON.stringify(clean));
    const ran = await run(['compare', 'clean.json', '--checklist'], '', WIDE);
    expect(ran.stdout.toString()).toContain('No damage was certain before.');
  });

  it('is no evidence', async () => {
    const ran = await run(['compare', 'result.json', '--checklist', '-o', 'evidence=list.zip', ...NOW]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('a checklist is not evidence');
  });
});
