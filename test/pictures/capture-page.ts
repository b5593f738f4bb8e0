/**
 * Takes the picture of the phone in README and docs: `npx tsx test/pictures/capture-page.ts` (after a build) photographs
 * the demo vehicle in Chromium and writes `fixtures/readme/capture.jpg`.
 */
import { join } from 'node:path';
import { startCapture } from '../helpers/browser/capture-run.ts';
import { FIXTURES } from '../helpers/cli/run-cli.ts';
import { takePicture } from './take.ts';

const PHONE = { viewport: { width: 390, height: 700 }, deviceScaleFactor: 2 };
/** Photos of the demo vehicle, in the order in which the page asks. */
const TAKEN = ['front', 'front_left', 'left_side_closeup'];

await takePicture('capture.jpg', PHONE.viewport.width, PHONE, async (page, dir) => {
  const capture = await startCapture(dir, 'demo-417', 0);
  try {
    await page.goto(capture.link);
    await page.locator('.shot').first().waitFor();
    for (const [index, name] of TAKEN.entries()) {
      const shot = page.locator('.shot').nth(index);
      await shot.locator('input').setInputFiles(join(FIXTURES, `vehicle/${name}.jpg`));
      await shot.locator('.good, .wrong').waitFor();
    }
    return await page.screenshot();
  } finally {
    await capture.kill();
  }
});
