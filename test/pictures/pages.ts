/**
 * Takes the pictures of pages in README and docs: `npx tsx test/pictures/pages.ts` (after a build) opens them in Chromium
 * on the demo vehicle and writes `review.jpg`, `capture.jpg` and `compare.jpg` into `fixtures/readme`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { startCapture } from '../helpers/browser/capture-run.ts';
import { launchChromium } from '../helpers/browser/chromium.ts';
import { prepareDemo, startReview } from '../helpers/browser/review-page.ts';
import { FIXTURES, runCli } from '../helpers/cli/run-cli.ts';
import { PICTURES } from '../helpers/documents.ts';

const DEMO = join(FIXTURES, 'vehicle');
const [HANDOVER, RETURN] = ['2026-01-24T09:00:00Z', '2026-01-31T12:00:00Z'];

/** The review by keyboard, with a few findings decided. */
async function takeReview(page: Page, dir: string): Promise<Buffer> {
  await prepareDemo(dir);
  const review = await startReview(dir);
  try {
    await page.goto(review.link);
    await page.locator('.entry').first().waitFor();
    // The first finding is accepted, a photo looked through; the one in view then is a certain one.
    for (const key of ['a', 'x']) await page.keyboard.press(key);
    await page.locator('.entry.certain.undecided').first().click();
    await page.locator('.saving.saved').waitFor();
    await page.locator('.box.current').first().waitFor();
    await page.waitForLoadState('load');
    // The photo in view and those of the strip are fetched.
    await page.waitForTimeout(3000);
    return await page.screenshot();
  } finally {
    await review.kill();
  }
}

/** The phone, with the first photos in the order in which the page asks. */
async function takeCapture(page: Page, dir: string): Promise<Buffer> {
  const capture = await startCapture(dir, 'demo-417', 0);
  try {
    await page.goto(capture.link);
    await page.locator('.shot').first().waitFor();
    for (const [index, name] of ['front', 'front_left', 'left_side_closeup'].entries()) {
      const shot = page.locator('.shot').nth(index);
      await shot.locator('input').setInputFiles(join(DEMO, `${name}.jpg`));
      await shot.locator('.good, .wrong').waitFor();
    }
    return await page.screenshot();
  } finally {
    await capture.kill();
  }
}

/** The two crops of the first change between handover and return. */
async function takeComparison(page: Page, dir: string): Promise<Buffer> {
  const [handover, returned, html] = ['handover.json', 'return.json', 'c.html'].map((name) =>
    join(dir, name),
  );
  for (const [words, now] of [
    [['inspect', DEMO, '-o', `json=${handover}`], HANDOVER],
    [['inspect', join(DEMO, 'after'), '-o', `json=${returned}`], RETURN],
    [['compare', `${handover}`, `${returned}`, '-o', `html=${html}`], RETURN],
  ] as const) {
    const { code, stderr } = await runCli([...words, '-q', '--now', now]);
    if (code !== 0) throw new Error(`vehi ${words[0]} ended with ${code}:\n${stderr}`);
  }
  await page.goto(pathToFileURL(`${html}`).href);
  const [title, pair] = [page.locator('section h3').first(), page.locator('.pair').first()];
  await title.scrollIntoViewIfNeeded();
  const [top, bottom] = [await title.boundingBox(), await pair.boundingBox()];
  if (!top || !bottom) throw new Error('the page shows no pair of crops');
  const clip = { x: 0, y: top.y - 12, width: 940, height: bottom.y + bottom.height - (top.y - 12) };
  return page.screenshot({ clip, fullPage: false });
}

type Shot = [width: number, look: BrowserContextOptions, take: (page: Page, dir: string) => Promise<Buffer>];
/** Width of each picture, the screen on which the page is shown, and what takes it. */
const SHOTS: Readonly<Record<string, Shot>> = {
  'review.jpg': [1200, { viewport: { width: 1400, height: 800 } }, takeReview],
  'capture.jpg': [390, { viewport: { width: 390, height: 700 }, deviceScaleFactor: 2 }, takeCapture],
  'compare.jpg': [900, { viewport: { width: 940, height: 2400 }, deviceScaleFactor: 2 }, takeComparison],
};

const browser = await launchChromium();
for (const [name, [width, look, take]] of Object.entries(SHOTS)) {
  const dir = mkdtempSync(join(tmpdir(), 'vehi-picture-'));
  const picture = sharp(await take(await browser.newPage(look), dir)).resize({ width });
  await picture.jpeg({ quality: 72, mozjpeg: true }).toFile(join(PICTURES, name));
  rmSync(dir, { recursive: true, force: true });
}
await browser.close();
