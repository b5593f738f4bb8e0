/**
 * Takes the picture of the two crops in README: `npx tsx test/pictures/comparison.ts` (after a build) compares the demo's
 * handover and return, opens the page in Chromium and writes `fixtures/readme/compare.jpg`.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FIXTURES, runCli } from '../helpers/cli/run-cli.ts';
import { takePicture } from './take.ts';

const SCREEN = { viewport: { width: 940, height: 2400 }, deviceScaleFactor: 2 };
const [HANDOVER, RETURN] = ['2026-01-24T09:00:00Z', '2026-01-31T12:00:00Z'];

await takePicture('compare.jpg', 900, SCREEN, async (page, dir) => {
  const [handover, returned, html] = [
    join(dir, 'handover.json'),
    join(dir, 'return.json'),
    join(dir, 'c.html'),
  ];
  const demo = join(FIXTURES, 'vehicle');
  for (const run of [
    ['inspect', demo, '-q', '-o', `json=${handover}`, '--now', HANDOVER],
    ['inspect', join(demo, 'after'), '-q', '-o', `json=${returned}`, '--now', RETURN],
    ['compare', handover, returned, '-q', '-o', `html=${html}`, '--now', RETURN],
  ]) {
    const { code, stderr } = await runCli(run);
    if (code !== 0) throw new Error(`vehi ${run[0]} ended with ${code}:\n${stderr}`);
  }
  await page.goto(pathToFileURL(html).href);
  const [title, pair] = [page.locator('section h3').first(), page.locator('.pair').first()];
  await title.scrollIntoViewIfNeeded();
  const [top, bottom] = [await title.boundingBox(), await pair.boundingBox()];
  if (!top || !bottom) throw new Error('the page shows no pair of crops');
  const clip = { x: 0, y: top.y - 12, width: 940, height: bottom.y + bottom.height - (top.y - 12) };
  return page.screenshot({ clip, fullPage: false });
});
