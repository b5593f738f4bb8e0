import { describe, expect, test } from 'vitest';
import { formatCount } from '../../src/lib/format-count.ts';
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
    for (const key of ['m', 'm']) await page.keyboard.press(key);
    expect(await page.locator('.notice').textContent()).toBe('');
    await page.locator('[data-command=toCheck]').click();
    for (const _ of damages.slice(1)) await page.keyboard.press('a');
    await page
      .getByText(`Press C to list ${formatCount(toCheck.length, 'hidden place')} to check.`)
      .waitFor();
  });

  test('the strip shows the photo that is looked at, and the page stays where it is', async () => {
    const page = await car.sharedPage({});
    const strip = page.getByRole('list', { name: 'Photos' });
    for (let turn = 0; turn <= car.inspection.data.images.length; turn++) {
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
      await page.keyboard.press('n');
    }
  });

  test('each verdict has its mark', async () => {
    const page = await car.sharedPage();
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
    const page = await car.sharedPage();
    const key = await readCurrentKey(page);
    const number = car.inspection.data.results?.damages.find((one) => one.damage_id === key)?.number;
    const readPlan = () => page.locator('.panel .plan').getAttribute('aria-label');
    expect(await readPlan()).toMatch(new RegExp(`\\b${number}\\b`));
    await page.keyboard.press('r');
    await waitUntilSaved(page);
    expect(await readPlan()).not.toMatch(new RegExp(`\\b${number}\\b`));
  });

  test('the other boxes stay while the box of one is changed', async () => {
    const page = await car.sharedPage();
    const boxes = page.locator('.stage [data-box]');
    const before = await boxes.count();
    await page.keyboard.press('b');
    await page.locator('.editor').waitFor();
    expect(await boxes.count()).toBe(before - 1);
    await page.keyboard.press('Escape');
    await expect.poll(() => boxes.count()).toBe(before);
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
