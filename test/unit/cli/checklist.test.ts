// @module-tag slow: photos are decoded
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeClaimFolder, PHOTO_SIZE } from '../../helpers/cli/claim-folder.ts';
import { readPdf } from '../../helpers/reports/read-pdf.ts';
import { toCheckOf } from '../../helpers/results/example-grounds.ts';

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
    const repeated = known.map(({ damage_id, image_url: url }) => ({ damage_id, photo_to_repeat: url }));
    expect(readJson('list.json').data.known).toMatchObject(repeated);
  });

  it('says where nothing was known, whatever is to check behind a plate, and is no evidence', async () => {
    const clean = structuredClone(inspection);
    const { results, images } = clean.data;
    const uncertain = known.map((damage) => toCheckOf(damage, damage.number));
    if (results) Object.assign(results, { damages: [], to_check: uncertain });
    const { width, height } = PHOTO_SIZE;
    const corners: [number, number][] = [0, 1, 2, 3].map((at) => [at % 3 ? width : 0, at < 2 ? 0 : height]);
    for (const photo of images) photo.plates = [{ corners, confidence: 0.9 }];
    write('clean.json', clean);
    const { stdout } = await run('compare clean.json --checklist -o clean.html');
    expect(stdout).toContain('No damage was certain before.');
    expect(read('clean.html')).toContain('made unrecognizable');
    expect(read('clean.html')).not.toContain('A blurred plate covers');
    const ran = await run('compare result.json --checklist -o evidence=list.zip');
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('a checklist is not evidence')]);
  });
});
