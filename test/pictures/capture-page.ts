/**
 * Takes the picture of the phone in README and docs: `npx tsx test/pictures/capture-page.ts` (after a build) photographs
 * the demo vehicle in Chromium and writes `fixtures/readme/capture.jpg`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { startCapture } from '../helpers/browser/capture-run.ts';
import { launchChromium } from '../helpers/browser/chromium.ts';
import { FIXTURES } from '../helpers/cli/run-cli.ts';
import { PICTURES } from '../helpers/documents.ts';

const PHONE = { viewport: { width: 390, height: 700 }, deviceScaleFactor: 2 };
/** Photos of the demo vehicle, in the order in which the page asks. */
const TAKEN = ['front', 'front_left', 'left_side_closeup'];
const dir = mkdtempSync(join(tmpdir(), 'vehi-picture-'));
const capture = await startCapture(dir, 'demo-417', 0);
const browser = await launchChromium();
try {
  const page = await browser.newPage(PHONE);
  await page.goto(capture.link);
  await page.locator('.shot').first().waitFor();
  for (const [index, name] of TAKEN.entries()) {
    await page
      .locator('.shot input')
      .nth(index)
      .setInputFiles(join(FIXTURES, `vehicle/${name}.jpg`));
    await page.locator('.shot').nth(index).locator('.good, .wrong').waitFor();
  }
  await sharp(await page.screenshot())
    .resize({ width: PHONE.viewport.width })
    .jpeg({ quality: 72, mozjpeg: true })
    .toFile(join(PICTURES, 'capture.jpg'));
} finally {
  await browser.close();
  await capture.kill();
  rmSync(dir, { recursive: true, force: true });
}
