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
    const page = await car.sharedPage();
    const { damages = [], to_check: toCheck = [] } = car.inspection.data.results ?? {};
    const key = await readCurrentKey(page);
    const opened = damages.find(({ damage_id }) => damage_id === key);
    const weigh = (one: (typeof damages)[number]) => one.confidence * one.estimated_repair.estimated;
    const part = damages.filter(({ location }) => location.part === opened?.location.part);
    expect(opened && weigh(opened)).toBe(Math.max(...part.map(weigh)));
    await expect(readCurrentKey(page)).resolves.toBe(
      await page.locator('.entry').first().getAttribute('data-key'),
    );
    for (const entry of (await page.locator('.entry').all()).slice(0, 5)) {
      expect((await entry.boundingBox())?.height).toBe(44);
      expect(await entry.locator('.crop image').count()).toBe(1);
    }
    expect(await page.locator('.findings h2 .cost').first().textContent()).toMatch(/^\$[\d,]+$/);
    expect(toCheck.length).toBeGreaterThan(0);
    const all = damages.length + toCheck.length;
    const figures = page.locator('.figures');
    expect(await figures.textContent()).toContain(`, ${toCheck.length} to check, ${all} undecided`);
    await page.keyboard.press('a');
    await expect.poll(() => figures.textContent()).toContain(`, ${all - 1} undecided`);
  });

  test('the strip shows the photo that is looked at, and the page stays where it is', async () => {
    const page = await car.sharedPage({});
    const strip = page.getByRole('list', { name: 'Photos' });
    // From the first photo to the last ones, and back.
    for (const key of ['p', 'p', 'n', 'n', 'n']) {
      const outer = await strip.boundingBox();
      await expect
        .poll(async () => {
          const inner = await strip.locator('[aria-current=true]').boundingBox();
          return [
            (inner?.x ?? 0) >= (outer?.x ?? 0),
            (inner?.x ?? 0) + (inner?.width ?? 0) <= (outer?.x ?? 0) + (outer?.width ?? 0),
          ];
        })
        .toEqual([true, true]);
      expect(await page.evaluate('scrollY')).toBe(0);
      await page.keyboard.press(key);
    }
  });

  test('each verdict has its mark; one ends the percentage, and a rejected damage leaves the plan', async () => {
    const page = await car.sharedPage();
    const id = await readCurrentKey(page);
    const own = page.locator(`.entry[data-key=${id}]`);
    const number = car.inspection.data.results?.damages.find((one) => one.damage_id === id)?.number;
    for (const [key, mark] of [
      ['', '○'],
      ['a', '✓'],
      ['4', '✎'],
      ['r', '✕'],
    ] as const) {
      if (key) await page.keyboard.press(key);
      await own.click();
      await waitUntilSaved(page);
      expect(await own.locator('.mark').textContent()).toBe(mark);
      expect((await own.textContent())?.includes('%')).toBe(key === '');
      const plan = (await page.locator('.panel .plan').getAttribute('aria-label')) ?? '';
      expect(new RegExp(`\\b${number}\\b`).test(plan)).toBe(key !== 'r');
    }
  });

  test('Enter on a row accepts that row and goes on with the focus', async () => {
    const page = await car.sharedPage();
    const row = page.locator('.entry').nth(1);
    const key = await row.getAttribute('data-key');
    await row.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => readCurrentKey(page)).not.toBe(key);
    const next = await readCurrentKey(page);
    expect(await page.evaluate<string>('document.activeElement.dataset.key')).toBe(next);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => car.draft().decisions)
      .toEqual([key, next].map((damage_id) => ({ decision: 'accept', damage_id })));
  });

  test('on a phone the verdict is under the thumb, and Next goes to the next place', async () => {
    const look = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const page = await car.sharedPage(look);
    for (const name of ['Accept', 'Reject', 'Next']) {
      const box = await page.locator('.verdict button', { hasText: name }).boundingBox();
      expect([name, (box?.y ?? 0) > 844 * 0.8, (box?.height ?? 0) >= 44]).toEqual([name, true, true]);
    }
    const first = await readCurrentKey(page);
    await page.locator('[data-command=nextFinding]').tap();
    await expect.poll(() => readCurrentKey(page)).not.toBe(first);
  });

  test('the two photos of one place stand next to each other; F shows the place closer', async () => {
    const page = await car.sharedPage();
    const found = car.inspection.data.results?.damages.find(
      ({ evidence }) =>
        new Set(evidence.map((one) => one.image_index)).size > 1 &&
        evidence.every(({ coordinates: { width, image_width } }) => width < image_width / 3),
    );
    await page.locator(`.entry[data-key=${found?.damage_id}]`).click();
    const shown = page.locator('.loupe button');
    expect(await shown.count()).toBe(2);
    const [one, other] = await Promise.all([shown.first().boundingBox(), shown.last().boundingBox()]);
    expect(one?.y).toBe(other?.y);
    await shown.last().click();
    await expect.poll(() => shown.last().getAttribute('aria-pressed')).toBe('true');
    expect(await readCurrentKey(page)).toBe(found?.damage_id);
    await page.setViewportSize({ width: 1024, height: 768 });
    const tooWide =
      "document.querySelector('.panel').scrollWidth - document.querySelector('.panel').clientWidth";
    expect(await page.evaluate<number>(tooWide)).toBe(0);
    const stage = page.locator('.stage svg');
    await page.keyboard.press('0');
    const whole = Number((await stage.getAttribute('viewBox'))?.split(' ')[2]);
    await page.keyboard.press('f');
    await expect
      .poll(async () => Number((await stage.getAttribute('viewBox'))?.split(' ')[2]))
      .toBeLessThan(whole);
  });

  test('the last view says repair, damage and what is open, and which photos nobody looked through', async () => {
    const { link } = await car.review();
    const { page } = await car.open(link);
    await waitUntilOpen(page);
    const { images } = car.inspection.data;
    await page.keyboard.press('x');
    await page.keyboard.press('Control+Enter');
    const dialog = page.locator('dialog');
    await dialog.getByText(`${images.length - 1} of ${images.length} photos are not marked`).waitFor();
    expect(await dialog.locator('.outcome dt').allTextContents()).toEqual(['Repair', 'Damage', 'Check']);
    await page.keyboard.press('Enter');
    await page.getByText('Finished', { exact: true }).waitFor();
    expect(await page.locator('.outcome dt').count()).toBe(3);
    expect(await page.locator('[data-export]').count()).toBe(0);
    await page.getByText(`${images.length - 1} of ${images.length} photos are not marked`).waitFor();
  });
});
