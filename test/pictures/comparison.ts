/**
 * Takes the picture of the two crops in README: `npx tsx test/pictures/comparison.ts` (after a build) compares the demo's
 * handover and return, opens the page in Chromium and writes `fixtures/readme/compare.jpg`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { launchChromium } from '../helpers/browser/chromium.ts';
import { FIXTURES, runCli } from '../helpers/cli/run-cli.ts';
import { PICTURES } from '../helpers/documents.ts';

const WIDTH = 900;
const dir = mkdtempSync(join(tmpdir(), 'vehi-picture-'));
const browser = await launchChromium();
try {
  const [handover, returned, html] = ['handover.json', 'return.json', 'compare.html'].map((name) =>
    join(dir, name),
  ) as [string, string, string];
  const demo = join(FIXTURES, 'vehicle');
  const runs = [
    ['inspect', demo, '-q', '-o', `json=${handover}`, '--now', '2026-01-24T09:00:00Z'],
    ['inspect', join(demo, 'after'), '-q', '-o', `json=${returned}`, '--now', '2026-01-31T12:00:00Z'],
    ['compare', handover, returned, '-q', '-o', `html=${html}`, '--now', '2026-01-31T12:00:00Z'],
  ];
  for (const run of runs) {
    const { code, stderr } = await runCli(run);
    if (code !== 0) throw new Error(`vehi ${run[0]} ended with ${code}:\n${stderr}`);
  }
  const page = await browser.newPage({ viewport: { width: 940, height: 2400 }, deviceScaleFactor: 2 });
  await page.goto(pathToFileURL(html).href);
  const [title, pair] = [page.locator('section h3').first(), page.locator('.pair').first()];
  await title.scrollIntoViewIfNeeded();
  const [top, bottom] = [await title.boundingBox(), await pair.boundingBox()];
  if (!top || !bottom) throw new Error('the page shows no pair of crops');
  const clip = { x: 0, y: top.y - 12, width: 940, height: bottom.y + bottom.height - (top.y - 12) };
  await sharp(await page.screenshot({ clip, fullPage: false }))
    .resize({ width: WIDTH })
    .jpeg({ quality: 72, mozjpeg: true })
    .toFile(join(PICTURES, 'compare.jpg'));
} finally {
  await browser.close();
  rmSync(dir, { recursive: true, force: true });
}
