import { describe, expect, test } from 'vitest';
import { hasChromium } from '../helpers/browser/chromium.ts';
import {
  expectAccessible,
  findViolations,
  useReviewBrowser,
  waitUntilOpen,
} from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

describe.skipIf(!hasChromium)('how the page looks in Chromium', () => {
  test('axe finds nothing in any view, whatever the colors', async () => {
    const page = await car.sharedPage({ bypassCSP: true });
    await expectAccessible(page, 'review');
    for (const key of ['?', 'l', 'o', 'e', 'Control+Enter']) {
      await page.keyboard.press(key);
      await page.locator('dialog').waitFor();
      await expectAccessible(page, key);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('d');
    await page.locator('.editor').waitFor();
    await expectAccessible(page, 'd');
  });

  test('axe finds nothing before and after a review in a narrow window, nor where a used link is refused', async () => {
    const one = await car.review();
    const page = await car.newPage({ bypassCSP: true, viewport: { width: 400, height: 800 } });
    const isFine = async (view: string) => {
      await expectAccessible(page, view);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect([view, wide]).toEqual([view, 0]);
    };
    await page.goto(one.link);
    await waitUntilOpen(page);
    await isFine('review');
    const { page: late } = await car.open(one.link, { bypassCSP: true });
    await late.getByText('This page cannot review').waitFor();
    expect(await findViolations(late)).toEqual([]);
    // The photo is in view when the page opens, and when a find below it is chosen.
    expect(await page.locator('.stage').boundingBox()).toMatchObject({ y: expect.closeTo(170, -2) });
    await page.locator('.entry').last().click();
    await expect.poll(async () => (await page.locator('.stage').boundingBox())?.y).toBeLessThan(60);
    one.child.kill('SIGINT');
    expect(await one.ended).toBe(130);
    await page.keyboard.press('a');
    await page.getByText('Not saved. The command does not answer. Trying again.').waitFor();
    await isFine('ended');
  });

  test('every key of the table has a control; nothing moves by itself', async () => {
    const page = await car.sharedPage();
    const moving = await page.evaluate<string[]>(`[...document.querySelectorAll('*')].filter((one) => {
      const { transitionDuration, animationName } = getComputedStyle(one);
      return transitionDuration !== '0s' || animationName !== 'none';
    }).map(({ outerHTML }) => outerHTML)`);
    expect(moving).toEqual([]);
    await page.locator('.top [data-command=keys]').press('Enter');
    const { SHORTCUTS: KEYS } = await import('../../src/web/review/keys.ts');
    for (const { words } of KEYS)
      expect(await page.locator('dialog').getByRole('button', { name: words, exact: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.dataset.command')).toBe('keys');
  });
});
