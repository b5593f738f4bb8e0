/**
 * Takes the picture of the review page in README and docs: `npx tsx test/pictures/review-page.ts` (after a build)
 * inspects the demo vehicle, decides a few findings by keyboard in Chromium and writes `fixtures/readme/review.jpg`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { launchChromium } from '../helpers/browser/chromium.ts';
import { prepareDemo, startReview } from '../helpers/browser/review-page.ts';
import { PICTURES } from '../helpers/documents.ts';

const WIDTH = 1200;
const dir = mkdtempSync(join(tmpdir(), 'vehi-picture-'));
await prepareDemo(dir);
const review = await startReview(dir);
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
  await page.goto(review.link);
  await page.locator('.entry').first().waitFor();
  // The first finding is accepted, a photo looked through; the one in view then is a certain one.
  for (const key of ['a', 'x']) await page.keyboard.press(key);
  const certain = page.locator('.entry.certain.undecided').first();
  await certain.click();
  await page.locator('.saving.saved').waitFor();
  await page.locator('.box.current').first().waitFor();
  await page.waitForLoadState('load');
  // The photo in view and those of the strip are fetched.
  await page.waitForTimeout(3000);
  await sharp(await page.screenshot())
    .resize({ width: WIDTH })
    .jpeg({ quality: 72, mozjpeg: true })
    .toFile(join(PICTURES, 'review.jpg'));
} finally {
  await browser.close();
  review.child.kill('SIGKILL');
  await review.ended;
  rmSync(dir, { recursive: true, force: true });
}
