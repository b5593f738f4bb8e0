/**
 * Takes the picture of the review page in README and docs: `npx tsx test/pictures/review-page.ts` (after a build)
 * inspects the demo vehicle, decides a few findings by keyboard in Chromium and writes `fixtures/readme/review.jpg`.
 */
import { prepareDemo, startReview } from '../helpers/browser/review-page.ts';
import { takePicture } from './take.ts';

const SCREEN = { viewport: { width: 1400, height: 800 } };

await takePicture('review.jpg', 1200, SCREEN, async (page, dir) => {
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
    review.child.kill('SIGKILL');
    await review.ended;
  }
});
