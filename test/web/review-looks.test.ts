import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { findViolations, useReviewBrowser, waitUntilOpen } from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

describe.skipIf(!hasChromium)('how the page looks in Chromium', () => {
  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
  ] as const)('axe finds nothing in any view: %s', async (_, look) => {
    const { link } = await car.review();
    const { page } = await car.open(link, { ...look, bypassCSP: true });
    await waitUntilOpen(page);
    expect(await findViolations(page)).toEqual([]);
    for (const key of ['?', 'l', 'g', 'o', 'e', 'Control+Enter']) {
      await page.keyboard.press(key);
      await page.locator('dialog').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('d');
    await page.locator('.editor').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing before and after a review, in a narrow window: %s',
    async (colorScheme) => {
      const one = await car.review();
      const look = { colorScheme, bypassCSP: true, viewport: { width: 400, height: 800 } };
      const photos = ['waiting', 'done', 'rejected'].map((state, i) => ({
        url: `car/${i}.jpg`,
        state,
        sightings: i,
      }));
      const page = await car.newPage(look);
      const isFine = async (view: string) => {
        expect([view, await findViolations(page)]).toEqual([view, []]);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect([view, wide]).toEqual([view, 0]);
        const folder = process.env.VEHI_SHOTS;
        if (folder)
          await page.screenshot({ path: `${folder}/review-${view}-${colorScheme}.png`, fullPage: true });
      };
      await page.route('**/review', (route) =>
        route.fulfill({ status: 409, json: { error: { code: 'NOTHING_TO_REVIEW', message: '' } } }),
      );
      await page.route('**/review/events', (route) =>
        route.fulfill({ body: `${JSON.stringify({ kind: 'waiting', vehicle_id: 'demo', photos })}\n` }),
      );
      await page.goto(one.link);
      await page.getByText('2 of 3 photos analysed').waitFor();
      await isFine('waiting');
      await page.unroute('**/review');
      await page.unroute('**/review/events');
      await page.reload();
      await waitUntilOpen(page);
      await isFine('review');
      // The photo is in view when the page opens, and when a find below it is chosen.
      expect(await page.locator('.stage').boundingBox()).toMatchObject({ y: expect.closeTo(170, -2) });
      await page.locator('.entry').last().click();
      await expect.poll(async () => (await page.locator('.stage').boundingBox())?.y).toBeLessThan(60);
      await page.route('**/review', (route) =>
        route.request().method() === 'PUT' ? route.fulfill({ status: 409, json: {} }) : route.continue(),
      );
      await page.keyboard.press('a');
      await page.getByText('Changed elsewhere').waitFor();
      await isFine('taken');
      await page.unroute('**/review');
      await page.getByRole('button', { name: 'Take over' }).click();
      await waitUntilOpen(page);
      one.child.kill('SIGINT');
      await page.getByText('The command has ended').waitFor();
      await isFine('ended');
      expect(await one.ended).toBe(130);
    },
  );

  test('a link that was used is refused in a view that axe finds nothing in', async () => {
    const { link } = await car.review();
    await waitUntilOpen((await car.open(link)).page);
    const { page } = await car.open(link, { bypassCSP: true });
    await page.getByText('This page cannot review').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test.each([
    ['reduce', '0s', 'none'],
    ['no-preference', '5s', 'turn'],
  ] as const)('nothing moves where that is asked for: %s', async (reducedMotion, duration, animation) => {
    const { link } = await car.review();
    const { page } = await car.open(link, { reducedMotion });
    await waitUntilOpen(page);
    const found = await page.evaluate<string[]>(`(() => {
      const { style } = document.querySelector('.entry');
      style.transition = 'opacity 5s';
      style.animation = 'turn 5s';
      const { transitionDuration, animationName } = getComputedStyle(document.querySelector('.entry'));
      return [transitionDuration, animationName];
    })()`);
    expect(found).toEqual([duration, animation]);
  });

  test('every key of the table has a control; exports are made', async () => {
    const { link } = await car.review();
    const { page } = await car.open(link);
    await waitUntilOpen(page);
    await page.keyboard.press('?');
    const { KEYS } = await import('../../src/web/review/keys.ts');
    for (const { words } of KEYS)
      expect(await page.locator('dialog').getByRole('button', { name: words, exact: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    for (const name of ['csv', 'json', 'coco', 'html', 'estimate', 'pdf']) {
      const downloading = page.waitForEvent('download');
      await page.locator(`[data-export=${name}]`).click();
      const path = await (await downloading).path();
      expect(readFileSync(path).length).toBeGreaterThan(300);
    }
  });
});
