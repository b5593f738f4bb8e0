import { describe, expect, test } from 'vitest';
import { hasChromium } from '../helpers/browser/chromium.ts';
import {
  readCurrentKey,
  useReviewBrowser,
  waitUntilOpen,
  waitUntilSaved,
} from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

describe.skipIf(!hasChromium)('the findings of the page, in Chromium', () => {
  test('it opens on the certain one most worth a look, in rows of 44 px, and counts what is to check', async () => {
    const { link } = await car.review();
    const { page } = await car.open(link);
    await waitUntilOpen(page);
    const { damages = [], to_check: toCheck = [] } = car.inspection.data.results ?? {};
    const key = await readCurrentKey(page);
    const opened = damages.find(({ damage_id }) => damage_id === key);
    const weigh = (one: (typeof damages)[number]) => one.confidence * one.estimated_repair.estimated;
    const part = damages.filter(({ location }) => location.part === opened?.location.part);
    expect(opened && weigh(opened)).toBe(Math.max(...part.map(weigh)));
    expect(readCurrentKey(page)).resolves.toBe(await page.locator('.entry').first().getAttribute('data-key'));
    for (const entry of (await page.locator('.entry').all()).slice(0, 5)) {
      expect((await entry.boundingBox())?.height).toBe(44);
      expect(await entry.locator('.crop image').count()).toBe(1);
      expect(await entry.locator('.cost').textContent()).toMatch(/^\$[\d,]+$/);
    }
    expect(toCheck.length).toBeGreaterThan(0);
    const all = damages.length + toCheck.length;
    const figures = page.locator('.figures');
    expect(await figures.textContent()).toContain(`, ${all} undecided`);
    await page.keyboard.press('a');
    await expect.poll(() => figures.textContent()).toContain(`, ${all - 1} undecided`);
  });

  test('each verdict has its mark', async () => {
    const { link } = await car.review();
    const { page } = await car.open(link);
    await waitUntilOpen(page);
    const entry = page.locator('.entry[aria-current=true]');
    for (const [keys, mark] of [
      ['', '○'],
      ['a k', '✓'],
      ['r k', '✕'],
      ['4', '✎'],
    ] as const) {
      const id = await readCurrentKey(page);
      const own = page.locator(`.entry[data-key=${id}]`);
      for (const key of keys.split(' ').filter(Boolean)) await page.keyboard.press(key);
      await own.click();
      await waitUntilSaved(page);
      expect(await own.locator('.mark').textContent()).toBe(mark);
      expect(await entry.getAttribute('data-key')).toBe(id);
    }
  });

  test('the plan leaves out what is rejected', async () => {
    const { link } = await car.review();
    const { page } = await car.open(link);
    await waitUntilOpen(page);
    const key = await readCurrentKey(page);
    const number = car.inspection.data.results?.damages.find((one) => one.damage_id === key)?.number;
    const listed = page.locator('dialog .parts', { hasText: new RegExp(`no\\. ${number} `) });
    await page.keyboard.press('g');
    await listed.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await waitUntilSaved(page);
    await page.keyboard.press('g');
    await page.locator('dialog .parts').waitFor();
    expect(await listed.count()).toBe(0);
  });

  test.each([
    ['a missed one is drawn', 'd', 0],
    ['the box of one is changed', 'b', 1],
  ])('the other boxes stay while %s', async (_, key, own) => {
    const { link } = await car.review();
    const { page } = await car.open(link);
    await waitUntilOpen(page);
    const boxes = page.locator('.stage [data-box]');
    const before = await boxes.count();
    await page.keyboard.press(key);
    await page.locator('.editor').waitFor();
    expect(await boxes.count()).toBe(before - own);
    await page.keyboard.press('Escape');
    await expect.poll(() => boxes.count()).toBe(before);
  });
});
